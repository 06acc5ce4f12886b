import { expect } from 'chai';
import {
  addMember,
  changeRole,
  disableMember,
  disablePartnerMember,
  enableMember,
  updatePartnerMember,
} from '../../domain/access/memberChanges.js';
import type { MemberEvent, NewMember, Role } from '../../domain/access/memberEvents.js';
import {
  type JoinFromPartner,
  joinFromPartner,
  type LinkByEmail,
  linkByEmail,
  seeMember,
} from '../../domain/access/memberJoining.js';
import { MAX_MEMBERS, members, type Seats } from '../../domain/access/members.js';
import { given } from '../support/spec/given.js';
import { ASHA, BILE, CIRO, memberAdded, teamCreated } from '../support/spec/people.js';

const ANY: Seats = { most: undefined };
const invited = (member: NewMember): MemberEvent => memberAdded({ ...member, status: 'invited' });
const OTHER = 'c0000000-0000-4000-8000-000000000009';
const DOOR = 'd0000000-0000-4000-8000-000000000001';
const TILL = 'd0000000-0000-4000-8000-000000000002';

describe('members of a store', () => {
  it('are added with their email in lower case', () => {
    given(members)
      .when(addMember({ ...ASHA, email: 'Asha@Example.com' }, ANY))
      .then([memberAdded(ASHA)]);
  });

  it('are not added twice, by email ignoring case or by the partner’s user', () => {
    const again = { ...BILE, memberId: OTHER, email: 'ASHA@example.com' };
    const refused = given(members, memberAdded(ASHA)).when(addMember(again, ANY)).thenRefused('member_exists');
    expect(refused.message).to.include(ASHA.memberId);
    const sub = { ...BILE, memberId: OTHER, email: 'new@example.com', partnerUserId: 'u-1' };
    given(members, memberAdded({ ...ASHA, partnerUserId: 'u-1' }))
      .when(addMember(sub, ANY))
      .thenRefused('member_exists');
  });

  it('are rejected with all input errors', () => {
    const wrong = { ...ASHA, email: 'asha', name: 'x'.repeat(121), partnerUserId: 'x'.repeat(256) };
    const { problems } = given(members).when(addMember(wrong, ANY)).thenRefused('validation_failed');
    expect(problems.map(({ location }) => location)).to.deep.equal(['email', 'name', 'partnerUserId']);
  });

  it(`are at most ${MAX_MEMBERS}, disabled ones included`, () => {
    const all = Array.from({ length: MAX_MEMBERS }, (_, n) =>
      memberAdded({ ...CIRO, memberId: `m-${n}`, email: `m${n}@example.com` }),
    );
    given(members, ...all)
      .when(addMember(ASHA, ANY))
      .thenRefused('member_limit_reached');
    given(members, ...all.slice(1))
      .when(addMember(ASHA, ANY))
      .then([memberAdded(ASHA)]);
  });

  describe('seats', () => {
    const two: Seats = { most: 2 };
    const full = [memberAdded(ASHA), invited(BILE)];

    it('are required by every role but viewer, and by invitations', () => {
      given(members, ...full)
        .when(addMember({ ...CIRO, role: 'agent' }, two))
        .thenRefused('no_free_seat');
      given(members, ...full)
        .when(addMember(CIRO, two))
        .then([memberAdded(CIRO)]);
      given(members)
        .when(addMember(ASHA, { most: 0 }))
        .thenRefused('no_free_seat');
    });

    it('are taken by a role that needs one, but not by a change between two such roles', () => {
      const all = [...full, memberAdded(CIRO)];
      given(members, ...all)
        .when(changeRole({ memberId: CIRO.memberId, role: 'agent' }, two))
        .thenRefused('no_free_seat');
      given(members, ...all)
        .when(changeRole({ memberId: BILE.memberId, role: 'admin' }, two))
        .then([{ type: 'MemberRoleChanged', data: { memberId: BILE.memberId, role: 'admin', before: 'agent' } }]);
    });

    it('are released by disabling a member, who needs a free one to be enabled', () => {
      const free: MemberEvent[] = [
        ...full,
        { type: 'MemberDisabled', data: { memberId: BILE.memberId, before: 'invited' } },
      ];
      given(members, ...free)
        .when(addMember({ ...CIRO, role: 'agent' }, two))
        .then([memberAdded({ ...CIRO, role: 'agent' })]);
      given(members, ...free, memberAdded({ ...CIRO, role: 'agent' }))
        .when(enableMember(BILE.memberId, two))
        .thenRefused('no_free_seat');
    });

    it('stay taken when the plan allows fewer', () => {
      given(members, ...full)
        .when(changeRole({ memberId: BILE.memberId, role: 'supervisor' }, { most: 0 }))
        .then([{ type: 'MemberRoleChanged', data: { memberId: BILE.memberId, role: 'supervisor', before: 'agent' } }]);
    });
  });

  describe('owners', () => {
    const alone = [memberAdded(ASHA), invited({ ...BILE, role: 'owner' })];

    it('require at least one active owner', () => {
      given(members, ...alone)
        .when(disableMember(ASHA.memberId))
        .thenRefused('last_owner');
      for (const role of ['admin', 'viewer'] as const)
        given(members, ...alone)
          .when(changeRole({ memberId: ASHA.memberId, role }, ANY))
          .thenRefused('last_owner');
    });

    it('allow removing one if another is active', () => {
      given(members, ...alone, { type: 'MemberJoined', data: { memberId: BILE.memberId } })
        .when(disableMember(ASHA.memberId))
        .then([{ type: 'MemberDisabled', data: { memberId: ASHA.memberId, before: 'active' } }]);
    });
  });

  it('become invited or active when enabled, depending on whether they ever joined', () => {
    const off = (memberId: string, before: 'invited' | 'active'): MemberEvent => ({
      type: 'MemberDisabled',
      data: { memberId, before },
    });
    given(members, invited(BILE), off(BILE.memberId, 'invited'))
      .when(enableMember(BILE.memberId, ANY))
      .then([{ type: 'MemberEnabled', data: { memberId: BILE.memberId, status: 'invited' } }]);
    given(members, memberAdded(BILE), off(BILE.memberId, 'active'))
      .when(enableMember(BILE.memberId, ANY))
      .then([{ type: 'MemberEnabled', data: { memberId: BILE.memberId, status: 'active' } }]);
  });

  it('are not changed by a repeated command, and must exist', () => {
    given(members, memberAdded(BILE)).when(enableMember(BILE.memberId, ANY)).then([]);
    given(members, memberAdded(BILE))
      .when(changeRole({ memberId: BILE.memberId, role: 'agent' }, ANY))
      .then([]);
    for (const decide of [disableMember(OTHER), enableMember(OTHER, ANY), seeMember(OTHER, '2026-03-01')])
      given(members, memberAdded(BILE)).when(decide).thenRefused('not_found');
  });

  it('are recorded as seen once a day', () => {
    const seen: MemberEvent = { type: 'MemberSeen', data: { memberId: BILE.memberId, day: '2026-03-02' } };
    given(members, memberAdded(BILE)).when(seeMember(BILE.memberId, '2026-03-02')).then([seen]);
    for (const day of ['2026-03-02', '2026-03-01'])
      given(members, memberAdded(BILE), seen).when(seeMember(BILE.memberId, day)).then([]);
  });
});

describe("a partner's change of a member", () => {
  const linked = memberAdded({ ...BILE, partnerUserId: 'u-7' });
  const base = [
    memberAdded(ASHA),
    linked,
    teamCreated(DOOR, 'Door', [{ memberId: ASHA.memberId }, { memberId: BILE.memberId, lead: true }]),
    teamCreated(TILL, 'Till', [{ memberId: ASHA.memberId }], false),
  ];
  const update = (role: Role, teams?: string[]) => updatePartnerMember({ partnerUserId: 'u-7', role, teams }, ANY);

  it('is possible for users who have signed in through the partner', () => {
    given(members, memberAdded(BILE)).when(update('agent')).thenRefused('not_found');
    given(members, memberAdded(BILE)).when(disablePartnerMember('u-7')).thenRefused('not_found');
  });

  it('leaves absent teams as they are', () => {
    given(members, ...base)
      .when(update('supervisor'))
      .then([{ type: 'MemberRoleChanged', data: { memberId: BILE.memberId, role: 'supervisor', before: 'agent' } }]);
    given(members, ...base)
      .when(update('agent'))
      .then([]);
  });

  it('assigns exactly the given teams', () => {
    given(members, ...base)
      .when(update('agent', [TILL.toUpperCase(), TILL]))
      .then([
        {
          type: 'MemberTeamsChanged',
          data: { memberId: BILE.memberId, joined: [TILL], left: [DOOR], before: [DOOR] },
        },
      ]);
    given(members, ...base)
      .when(update('agent', [DOOR]))
      .then([]);
  });

  it('reports unknown teams, with their paths', () => {
    const { problems } = given(members, ...base)
      .when(update('agent', [DOOR, OTHER]))
      .thenRefused('validation_failed');
    expect(problems).to.deep.equal([
      { message: 'is not a team of the store', location: 'body.teams[1]', value: OTHER },
    ]);
  });

  it('never empties a team, nor puts more than 200 members into one', () => {
    const only = teamCreated(TILL, 'Till', [{ memberId: BILE.memberId }]);
    given(members, linked, only).when(update('agent', [])).thenRefused('team_needs_member');
    const many = Array.from({ length: 200 }, (_, n) => ({ memberId: `m-${n}` }));
    given(members, linked, teamCreated(TILL, 'Till', many))
      .when(update('agent', [TILL]))
      .thenRefused('team_full');
  });

  it('disables at once, except the last owner', () => {
    const off: MemberEvent = { type: 'MemberDisabled', data: { memberId: BILE.memberId, before: 'active' } };
    given(members, ...base)
      .when(disablePartnerMember('u-7'))
      .then([off]);
    given(members, ...base, off)
      .when(disablePartnerMember('u-7'))
      .then([]);
    given(members, memberAdded({ ...ASHA, partnerUserId: 'u-7' }))
      .when(disablePartnerMember('u-7'))
      .thenRefused('last_owner');
  });
});

describe('a sign-in through the partner', () => {
  const command: JoinFromPartner = {
    memberId: OTHER,
    userId: 'user-9',
    sub: 'u-9',
    name: 'Deeqa',
    email: 'Deeqa@example.com',
    role: 'agent',
    teamsAt: 'stores[0].teams',
  };
  const join = (more: Partial<JoinFromPartner> = {}, seats = ANY) => joinFromPartner({ ...command, ...more }, seats);
  const { sub: partnerUserId, userId, name } = command;
  const deeqa: NewMember = {
    memberId: OTHER,
    userId,
    name,
    role: 'agent',
    status: 'active',
    partnerUserId,
    email: 'deeqa@example.com',
    emailVerified: false,
  } as NewMember;

  it('creates an active member with the role and the teams', () => {
    const door = teamCreated(DOOR, 'Door', [{ memberId: ASHA.memberId }]);
    given(members, memberAdded(ASHA), door)
      .when(join({ teams: [DOOR] }))
      .then([
        memberAdded(deeqa),
        { type: 'MemberTeamsChanged', data: { memberId: OTHER, joined: [DOOR], left: [], before: [] } },
      ]);
  });

  it('changes nothing if the member already has them', () => {
    given(members, memberAdded(deeqa))
      .when(join({ memberId: 'unused' }))
      .then([]);
  });

  it("gives no access to another person's membership or invitation through an unverified email", () => {
    const { email: _, emailVerified: __, ...without } = deeqa;
    for (const added of [memberAdded, invited])
      given(members, added({ ...ASHA, email: 'deeqa@example.com' }))
        .when(join())
        .then([memberAdded(without)]);
  });

  it('enables a disabled member if a seat is free', () => {
    const off: MemberEvent = { type: 'MemberDisabled', data: { memberId: OTHER, before: 'active' } };
    given(members, memberAdded(deeqa), off)
      .when(join({ role: 'viewer' }))
      .then([
        { type: 'MemberEnabled', data: { memberId: OTHER, status: 'active' } },
        { type: 'MemberRoleChanged', data: { memberId: OTHER, role: 'viewer', before: 'agent' } },
      ]);
    given(members, memberAdded(ASHA), memberAdded(deeqa), off)
      .when(join({}, { most: 1 }))
      .thenRefused('no_free_seat');
  });

  it('updates name and email, and reports problems by their path in the token', () => {
    given(members, memberAdded(ASHA), memberAdded(deeqa))
      .when(join({ name: 'Deeqa Warsame', email: 'dw@example.com' }))
      .then([
        {
          type: 'MemberProfileChanged',
          data: {
            memberId: OTHER,
            changes: { name: 'Deeqa Warsame', email: 'dw@example.com' },
            before: { name: 'Deeqa', email: 'deeqa@example.com' },
          },
        },
      ]);
    given(members, memberAdded(ASHA), memberAdded(deeqa))
      .when(join({ email: 'asha@example.com' }))
      .then([]);
    const { problems } = given(members)
      .when(join({ teams: [DOOR] }))
      .thenRefused('validation_failed');
    expect(problems[0]!.location).to.equal('stores[0].teams[0]');
  });

  it('keeps the last owner an owner', () => {
    given(members, memberAdded({ ...deeqa, role: 'owner' }))
      .when(join())
      .thenRefused('last_owner');
  });
});

describe('a sign-in by a token of the store', () => {
  const command: LinkByEmail = {
    memberId: OTHER,
    userId: 'user-9',
    sub: 'customer-1',
    email: 'BILE@example.com',
    emailVerified: true,
    name: 'Bile',
  };
  const link = (more: Partial<LinkByEmail> = {}) => linkByEmail({ ...command, ...more }, ANY);
  const isBile: MemberEvent = {
    type: 'MemberLinked',
    data: { memberId: BILE.memberId, userId: BILE.userId, before: { userId: BILE.userId }, subject: 'customer-1' },
  };

  it('requires a verified email the first time', () => {
    given(members)
      .when(link({ emailVerified: false }))
      .thenRefused('email_not_verified');
    given(members)
      .when(link({ email: undefined }))
      .thenRefused('email_not_verified');
    given(members)
      .when(link({ sub: '' }))
      .thenRefused('validation_failed');
  });

  it('links the member with that email, once', () => {
    given(members, invited(BILE))
      .when(link())
      .then([isBile, { type: 'MemberJoined', data: { memberId: BILE.memberId } }]);
    const linked = [memberAdded(BILE), isBile];
    given(members, ...linked)
      .when(link({ email: undefined, emailVerified: false }))
      .then([]);
    given(members, ...linked)
      .when(link({ email: 'asha@example.com' }))
      .then([]);
  });

  it('creates a new member, an agent unless the token sets a role', () => {
    const { memberId, userId } = command;
    const data = {
      memberId,
      userId,
      email: 'bile@example.com',
      name: 'Bile',
      status: 'active',
      subject: 'customer-1',
    } as const;
    given(members)
      .when(link())
      .then([{ type: 'MemberAdded', data: { ...data, role: 'agent' } }]);
    given(members)
      .when(link({ role: 'viewer' }))
      .then([{ type: 'MemberAdded', data: { ...data, role: 'viewer' } }]);
  });

  it('rejects a disabled member', () => {
    const off: MemberEvent = { type: 'MemberDisabled', data: { memberId: BILE.memberId, before: 'active' } };
    given(members, memberAdded(BILE), off).when(link()).thenRefused('member_disabled');
    given(members, memberAdded(BILE), isBile, off).when(link()).thenRefused('member_disabled');
  });

  it('links at most ten users to a member', () => {
    const ten = Array.from(
      { length: 10 },
      (_, n): MemberEvent => ({
        type: 'MemberLinked',
        data: { memberId: BILE.memberId, userId: BILE.userId, before: { userId: BILE.userId }, subject: `c-${n}` },
      }),
    );
    given(members, memberAdded(BILE), ...ten)
      .when(link())
      .thenRefused('member_links_limit_reached');
  });
});
