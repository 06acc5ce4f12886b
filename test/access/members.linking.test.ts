/** Linking of users to members by email. Only a verified address links. */
import { expect } from 'chai';
import fc from 'fast-check';
import { addMember, disableMember, enableMember } from '../../domain/access/memberChanges.js';
import type { MemberEvent } from '../../domain/access/memberEvents.js';
import { joinFromPartner, linkByEmail } from '../../domain/access/memberJoining.js';
import { memberOfSubject, members, type People, partnersMember } from '../../domain/access/members.js';
import { type Actor, type Decision, DomainError } from '../../domain/decider.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';
import { ASHA, BILE, memberAdded } from '../support/spec/people.js';

const ANY = { most: undefined };
const NEW = 'c0000000-0000-4000-8000-000000000009';

const storeToken = (sub: string, email: string) =>
  linkByEmail({ memberId: NEW, userId: 'user-9', sub, email, emailVerified: true, name: 'Asha' }, ANY);
const partnerToken = (sub: string, email: string | undefined, memberId = NEW) =>
  joinFromPartner({ memberId, userId: `user-${sub}`, sub, name: 'Bile', email, role: 'agent', teamsAt: '' }, ANY);
const ofPartner = (email: string): MemberEvent =>
  memberAdded({ ...BILE, email, partnerUserId: 'u-7', emailVerified: false });

const EMAIL = 'asha@example.com';
const released: MemberEvent = { type: 'MemberEmailReleased', data: { memberId: BILE.memberId, email: EMAIL } };
const asha: MemberEvent = {
  type: 'MemberAdded',
  data: {
    memberId: NEW,
    userId: 'user-9',
    email: EMAIL,
    name: 'Asha',
    role: 'agent',
    status: 'active',
    subject: 'customer-1',
  },
};

describe('an unverified email', () => {
  it('goes to the person who verifies it, and the member keeps everything else', () => {
    given(members, ofPartner(EMAIL)).when(storeToken('customer-1', 'ASHA@example.com')).then([released, asha]);
    const { members: after } = stateAfter(members, [ofPartner(EMAIL), released, asha]);
    const { email: _, ...rest } = BILE;
    expect(after.get(BILE.memberId)).to.include({ name: rest.name, role: rest.role, partnerUserId: 'u-7' });
    expect(after.get(BILE.memberId)).to.not.have.property('email');
  });

  it('goes to a person whom the operator invites with it', () => {
    given(members, ofPartner(EMAIL))
      .when(addMember({ ...ASHA, status: 'invited' }, ANY))
      .then([released, memberAdded({ ...ASHA, status: 'invited' })]);
    given(members, ofPartner('other@example.com'))
      .when(addMember({ ...ASHA, partnerUserId: 'u-7' }, ANY))
      .thenRefused('member_exists');
  });

  it('is not returned to the member who claims it again', () => {
    given(members, ofPartner(EMAIL), released, asha).when(partnerToken('u-7', EMAIL)).then([]);
  });

  it('replaces another unverified one, but no verified one', () => {
    const moved = given(members, ofPartner(EMAIL)).when(partnerToken('u-7', 'b@example.com')).events();
    expect(moved.map(({ type }) => type)).to.deep.equal(['MemberProfileChanged']);
    given(members, ofPartner(EMAIL), ...moved)
      .when(storeToken('customer-1', 'b@example.com'))
      .then([
        { type: 'MemberEmailReleased', data: { memberId: BILE.memberId, email: 'b@example.com' } },
        { ...asha, data: { ...asha.data, email: 'b@example.com' } } as MemberEvent,
      ]);
    given(members, memberAdded({ ...BILE, partnerUserId: 'u-7' }))
      .when(partnerToken('u-7', 'b@example.com'))
      .then([]);
  });
});

describe('an email in events without the verified field', () => {
  const peopleAfter = (events: readonly MemberEvent[], actor: Actor): People =>
    events.reduce(
      (people, event) => members.evolve(people, { ...event, meta: { ...specMeta, actor } }),
      members.initial(),
    );
  const linked = (people: People): string | undefined => {
    const events = storeToken('customer-1', BILE.email)(people);
    const after = events.reduce((state, event) => members.evolve(state, { ...event, meta: specMeta }), people);
    return memberOfSubject(after, 'customer-1')?.id;
  };
  const key = (type: Actor['type']): Actor => ({ type, id: 'k' });
  const bile = memberAdded({ ...BILE, partnerUserId: 'u-7' });

  it('is verified by the actor who added the member, unless that was a partner’s token', () => {
    expect(linked(peopleAfter([memberAdded(BILE)], key('api_key')))).to.equal(BILE.memberId);
    expect(linked(peopleAfter([bile], key('system'))), 'the operator’s').to.equal(BILE.memberId);
    expect(linked(peopleAfter([bile], key('partner_key')))).to.equal(NEW);
  });

  it('is unverified once a partner’s token changed it or accepted its invitation', () => {
    const { memberId, userId, email } = BILE;
    const changed: MemberEvent = { type: 'MemberProfileChanged', data: { memberId, changes: { email }, before: {} } };
    const link = (by: object): MemberEvent => ({
      type: 'MemberLinked',
      data: { memberId, userId, before: { userId }, ...by },
    });
    const added = memberAdded({ ...BILE, status: 'invited' });
    expect(linked(peopleAfter([added, changed], key('api_key')))).to.equal(NEW);
    expect(linked(peopleAfter([added, link({ partnerUserId: 'u-7' })], key('api_key')))).to.equal(NEW);
    expect(linked(peopleAfter([added, link({ subject: 'customer-2' })], key('api_key')))).to.equal(memberId);
  });
});

/** Email address that a person owns. Users of the partner may claim any address. */
const addressOf = (person: number): string => `m${person}@example.com`;
interface Step {
  readonly decision: Decision<People, MemberEvent>;
  /** Rightful owners of the member that this step adds. */
  readonly belongsTo: readonly string[];
  /** User whom this step signs in, and the member they become. */
  readonly signsIn?: { readonly who: string; readonly as: (people: People) => string };
}

const person = fc.integer({ min: 0, max: 3 });
const optionally = fc.option(person, { nil: undefined });
let made = 0;
const nextId = (): string => `member-${++made}`;

const invitation = fc
  .record({ person, user: optionally, role: fc.constantFrom('owner' as const, 'agent' as const) })
  .map(({ person, user, role }): Step => {
    const link = user === undefined ? {} : { partnerUserId: `u-${user}` };
    const status = user === undefined ? 'invited' : 'active';
    const member = {
      memberId: nextId(),
      userId: 'x',
      email: addressOf(person),
      name: '',
      role,
      status,
      ...link,
    } as const;
    const belongsTo = [`person ${person}`, ...(user === undefined ? [] : [`user ${user}`])];
    return { decision: addMember(member, ANY), belongsTo };
  });
const byStore = fc.record({ person, n: fc.integer({ min: 0, max: 1 }) }).map(({ person, n }): Step => {
  const sub = `customer-${person}-${n}`;
  const who = `person ${person}`;
  const command = { memberId: nextId(), userId: 'x', sub, email: addressOf(person), emailVerified: true };
  const as = (people: People): string => memberOfSubject(people, sub)!.id;
  return { decision: linkByEmail(command, ANY), belongsTo: [who], signsIn: { who, as } };
});
const byPartner = fc.record({ user: person, says: optionally }).map(({ user, says }): Step => {
  const sub = `u-${user}`;
  const who = `user ${user}`;
  const decision = partnerToken(sub, says === undefined ? undefined : addressOf(says), nextId());
  return { decision, belongsTo: [who], signsIn: { who, as: (people) => partnersMember(people, sub)!.id } };
});
const existing = fc.record({ nth: fc.integer({ min: 0, max: 5 }), off: fc.boolean() }).map(({ nth, off }): Step => {
  const decision = (people: People): readonly MemberEvent[] => {
    const id = [...people.members.keys()][nth] ?? 'nobody';
    return (off ? disableMember(id) : enableMember(id, ANY))(people);
  };
  return { decision, belongsTo: [] };
});

/** Runs steps on a store's members, and records the rightful owners of each member. */
function stage(reached: { linked: number; released: number; signedIn: number }) {
  let people = members.initial();
  const belongs = new Map<string, readonly string[]>();
  function record(event: MemberEvent, belongsTo: readonly string[]): void {
    if (event.type === 'MemberAdded') belongs.set(event.data.memberId, belongsTo);
    if (event.type === 'MemberLinked') reached.linked += 1;
    if (event.type === 'MemberEmailReleased') reached.released += 1;
    people = members.evolve(people, { ...event, meta: specMeta });
  }
  /** Returns false if the step is refused. */
  function take({ decision, belongsTo }: Step): boolean {
    try {
      for (const event of decision(people)) record(event, belongsTo);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
  function isLetInRightly({ who, as }: NonNullable<Step['signsIn']>): void {
    reached.signedIn += 1;
    const { id, email } = people.members.get(as(people))!;
    expect(belongs.get(id), `${who} is let in as ${id}`).to.include(who);
    const [, digit] = /^person (\d)$/.exec(who) ?? [];
    if (digit !== undefined) expect(email, `${who} has the address`).to.equal(addressOf(Number(digit)));
  }
  return {
    run(step: Step): void {
      if (take(step) && step.signsIn !== undefined) isLetInRightly(step.signsIn);
    },
    emails: (): string[] => [...people.members.values()].flatMap(({ email }) => email ?? []),
  };
}

describe('invitations and sign-ins in any order', () => {
  it('never give a person a member whose email they have not verified', () => {
    const reached = { linked: 0, released: 0, signedIn: 0 };
    const steps = fc.array(fc.oneof(invitation, byStore, byPartner, byPartner, existing), {
      minLength: 5,
      maxLength: 30,
    });
    const property = fc.property(steps, (taken) => {
      const store = stage(reached);
      for (const step of taken) store.run(step);
      const emails = store.emails();
      expect(new Set(emails).size, emails.join()).to.equal(emails.length);
    });
    fc.assert(property, { numRuns: 300, seed: 11 });
    // Without enough of each, the property would pass without testing anything.
    for (const times of Object.values(reached)) expect(times, JSON.stringify(reached)).to.be.greaterThan(50);
  });
});
