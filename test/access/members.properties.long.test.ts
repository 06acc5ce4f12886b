/** Whatever commands come in whatever order: the rules of a store's people hold, and its views show its state. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  addMember,
  changeRole,
  disableMember,
  disablePartnerMember,
  enableMember,
  updatePartnerMember,
} from '../../domain/access/memberChanges.js';
import type { MemberEvent } from '../../domain/access/memberEvents.js';
import { joinFromPartner, linkByEmail } from '../../domain/access/memberJoining.js';
import { members, type People, ROLES, teamsOf } from '../../domain/access/members.js';
import { putTeam, removeTeam } from '../../domain/access/teams.js';
import { type Decision, DomainError } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import { type AnyProjection, foldEvent, type View } from '../../engine/projections/projection.js';
import { members as memberViews } from '../../projections/members.js';
import { teams as teamViews } from '../../projections/teams.js';
import { specMeta } from '../support/spec/given.js';
import { teamTerms } from '../support/spec/people.js';

const STORE = '5f0c7a9e-1111-4000-8000-000000000001';
const SEATS = { most: 4 };
const memberId = (n: number): string => `member-${n}`;
const teamId = (n: number): string => `team-${n}`;

type Step = Decision<People, MemberEvent>;
const who = fc.integer({ min: 0, max: 6 });
const some = fc.integer({ min: 0, max: 3 });
const role = fc.constantFrom(...ROLES);
const teams = fc.option(fc.uniqueArray(some.map(teamId), { maxLength: 3 }), { nil: undefined });
const signing = fc.record({ who, email: fc.option(who, { nil: undefined }), role, teams });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ who, role, status: fc.constantFrom('invited' as const, 'active' as const) })
    .map(({ who, role, status }) =>
      addMember(
        { memberId: memberId(who), userId: `u-${who}`, email: `m${who}@example.com`, name: '', role, status },
        SEATS,
      ),
    ),
  fc.record({ who, role }).map(({ who, role }) => changeRole({ memberId: memberId(who), role }, SEATS)),
  who.map((who) => disableMember(memberId(who))),
  who.map((who) => enableMember(memberId(who), SEATS)),
  signing.map(({ who, email, role, teams }) =>
    joinFromPartner(
      {
        memberId: `partner-${who}`,
        userId: `p-${who}`,
        sub: `sub-${who}`,
        email: email === undefined ? undefined : `m${email}@example.com`,
        role,
        teams,
        teamsAt: 'teams',
      },
      SEATS,
    ),
  ),
  signing.map(({ who, email, role }) =>
    linkByEmail(
      {
        memberId: `linked-${who}`,
        userId: `l-${who}`,
        sub: `customer-${who}`,
        email: email === undefined ? undefined : `m${email}@example.com`,
        emailVerified: true,
        role,
      },
      SEATS,
    ),
  ),
  signing.map(({ who, role, teams }) => updatePartnerMember({ partnerUserId: `sub-${who}`, role, teams }, SEATS)),
  who.map((who) => disablePartnerMember(`sub-${who}`)),
  fc
    .record({
      team: some,
      ring: fc.uniqueArray(some, { minLength: 1, maxLength: 3 }),
      lead: fc.boolean(),
      isDefault: fc.option(fc.boolean(), { nil: undefined }),
    })
    .map(({ team, ring, lead, isDefault }) =>
      putTeam(
        {
          ...teamTerms(
            `Team ${team}`,
            ring.map((n) => ({ memberId: memberId(n), ...(lead ? { lead } : {}) })),
          ),
          ...(isDefault === undefined ? {} : { isDefault }),
        },
        teamId(team),
      ),
    ),
  some.map((team) => removeTeam(teamId(team))),
);

/** A store's people with their views, folded event by event. */
function stage() {
  let people = members.initial();
  const views = new Map<AnyProjection, Map<string, View<unknown> | undefined>>([
    [memberViews, new Map()],
    [teamViews, new Map()],
  ]);
  let position = 0;
  return {
    people: () => people,
    bodies: (projection: AnyProjection) =>
      [...views.get(projection)!.values()].flatMap((view) => (view === undefined ? [] : [view.body])),
    decide(decision: Step): void {
      let events: readonly MemberEvent[];
      try {
        events = decision(people);
      } catch (error) {
        if (error instanceof DomainError) return;
        throw error;
      }
      for (const event of events) {
        people = members.evolve(people, { ...event, meta: specMeta });
        const recorded = {
          id: derivedId(position),
          stream: `members-${STORE}`,
          meta: specMeta,
          revision: position,
          position,
        };
        for (const [projection, documents] of views) foldEvent(projection, documents, { ...recorded, ...event });
        position += 1;
      }
    },
  };
}

const hasOwner = ({ members }: People): boolean =>
  [...members.values()].some(({ role, status }) => role === 'owner' && status === 'active');

const seated = ({ members }: People): number =>
  [...members.values()].filter(({ role, status }) => role !== 'viewer' && status !== 'disabled').length;

function holds(people: People, hadOwner: boolean): void {
  const all = [...people.members.values()];
  if (hadOwner) expect(hasOwner(people), 'an active owner').to.equal(true);
  expect(seated(people), 'seats').to.be.at.most(SEATS.most);
  for (const unique of [
    all.flatMap(({ email }) => email ?? []),
    all.flatMap(({ partnerUserId }) => partnerUserId ?? []),
    all.flatMap(({ subjects }) => subjects),
    [...people.teams.values()].map(({ name }) => name.toLowerCase()),
  ])
    expect(new Set(unique).size, unique.join()).to.equal(unique.length);
  for (const { id, members: ring } of people.teams.values()) {
    const ids = ring.map((place) => place.memberId);
    expect(ids.length, `${id} has members`).to.be.within(1, 200);
    expect(new Set(ids).size, `${id} has each once`).to.equal(ids.length);
    expect(
      ids.every((one) => people.members.has(one)),
      `${id} has members that exist`,
    ).to.equal(true);
  }
  const defaults = [...people.teams.values()].filter(({ isDefault }) => isDefault);
  expect(defaults.length, 'default teams').to.equal(people.teams.size === 0 ? 0 : 1);
  for (const { status, joined } of all) if (status === 'active') expect(joined).to.equal(true);
}

function viewsShow({ people, bodies }: ReturnType<typeof stage>): void {
  const { members, teams } = people();
  const shown = bodies(memberViews) as { id: string; teams: { id: string; role: string }[] }[];
  expect(shown).to.have.length(members.size);
  for (const member of shown) {
    expect(member.teams.map(({ id }) => id)).to.have.members(teamsOf(people(), member.id));
    for (const { id, role } of member.teams) {
      const place = teams.get(id)!.members.find(({ memberId }) => memberId === member.id)!;
      expect(role).to.equal(place.lead === true ? 'lead' : 'member');
    }
  }
  const known = (bodies(teamViews) as { createdAt: string; updatedAt: string }[]).map(
    ({ createdAt: _, updatedAt: __, ...team }) => team,
  );
  expect(known).to.have.deep.members([...teams.values()]);
}

/** People without a seat to begin with, so that teams come about. */
const viewers = [0, 1, 2].map((n) =>
  addMember(
    { memberId: memberId(n), userId: `u-${n}`, email: `m${n}@example.com`, name: '', role: 'viewer', status: 'active' },
    SEATS,
  ),
);

describe('the members of a store', () => {
  it('keep every rule after any commands, and views match the state', () => {
    const reached = { owner: 0, full: 0, teams: 0 };
    const property = fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const store = stage();
      let hadOwner = false;
      let most = 0;
      for (const decision of [...viewers, ...steps]) {
        store.decide(decision);
        hadOwner ||= hasOwner(store.people());
        holds(store.people(), hadOwner);
        most = Math.max(most, store.people().teams.size);
      }
      viewsShow(store);
      reached.owner += Number(hadOwner);
      reached.teams += Number(most > 1);
      reached.full += Number(seated(store.people()) === SEATS.most);
    });
    fc.assert(property, { numRuns: 300 });
    // A property that never gets anywhere would hold too.
    for (const times of Object.values(reached)) expect(times, JSON.stringify(reached)).to.be.greaterThan(50);
  });
});
