import { expect } from 'chai';
import type { MemberEvent } from '../domain/access/memberEvents.js';
import { derivedId } from '../domain/ids.js';
import { type AnyProjection, foldEvent, type View } from '../engine/projections/projection.js';
import { type MemberBody, members } from '../projections/members.js';
import { type TeamBody, teams } from '../projections/teams.js';
import { specMeta } from './support/given.js';
import { ASHA, BILE, memberAdded, teamCreated } from './support/people.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const DOOR = 'd0000000-0000-4000-8000-000000000001';
const TILL = 'd0000000-0000-4000-8000-000000000002';
const at = (minute: number): string => `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`;

/** Documents after these events of the store, one a minute. */
function views<B>(projection: AnyProjection, ...events: readonly MemberEvent[]): Map<string, View<B>> {
  const all = new Map<string, View<unknown> | undefined>();
  for (const [position, event] of events.entries()) {
    const meta = { ...specMeta, at: at(position) };
    const id = derivedId('event', position);
    foldEvent(projection, all, { ...event, id, stream: `members-${SHOP}`, meta, revision: position, position });
  }
  return new Map([...all].filter((entry): entry is [string, View<B>] => entry[1] !== undefined));
}
const member = (id: string, ...events: MemberEvent[]): MemberBody =>
  views<MemberBody>(members, ...events).get(`${SHOP}/${id}`)!.body;
const team = (id: string, ...events: MemberEvent[]): TeamBody | undefined =>
  views<TeamBody>(teams, ...events).get(`${SHOP}/${id}`)?.body;

describe('views of members and teams', () => {
  const people = [memberAdded(ASHA), memberAdded({ ...BILE, status: 'invited' })];
  const door = teamCreated(DOOR, 'Door', [{ memberId: ASHA.memberId, lead: true }, { memberId: BILE.memberId }]);
  const till = teamCreated(TILL, 'Till', [{ memberId: BILE.memberId }], false);

  it('show a member from the invitation to the last session', () => {
    const { memberId: id, userId, email, name, role } = BILE;
    const shown = { id, userId, email, name, role, createdAt: at(1), teams: [] };
    expect(member(id, ...people)).to.deep.equal({ ...shown, status: 'invited' });
    const joined: MemberEvent[] = [
      ...people,
      { type: 'MemberLinked', data: { memberId: id, userId: 'user-7', before: { userId }, partnerUserId: 'u-7' } },
      { type: 'MemberJoined', data: { memberId: id } },
    ];
    const active = { ...shown, userId: 'user-7', status: 'active', joinedAt: at(3) };
    expect(member(id, ...joined)).to.deep.equal(active);
    expect(views(members, ...joined).get(`${SHOP}/${id}`)!.keys).to.deep.equal({
      workspaceId: SHOP,
      createdAt: at(1),
      added: 1,
      userId: 'user-7',
      partnerUserId: 'u-7',
    });
    const changed: MemberEvent[] = [
      ...joined,
      { type: 'MemberSeen', data: { memberId: id, day: '2026-03-04' } },
      { type: 'MemberRoleChanged', data: { memberId: id, role: 'admin', before: 'agent' } },
      { type: 'MemberProfileChanged', data: { memberId: id, changes: { name: 'B' }, before: { name: 'Bile' } } },
      { type: 'MemberDisabled', data: { memberId: id, before: 'active' } },
    ];
    const last = { ...active, lastActiveAt: '2026-03-04T00:00:00.000Z', role: 'admin', name: 'B' };
    expect(member(id, ...changed)).to.deep.equal({ ...last, status: 'disabled' });
    expect(member(id, ...changed, { type: 'MemberEnabled', data: { memberId: id, status: 'active' } })).to.deep.equal(
      last,
    );
  });

  it('give a member without an email an address that leads nowhere', () => {
    const { email: _, ...without } = ASHA;
    const { memberId, email } = ASHA;
    const released: MemberEvent = { type: 'MemberEmailReleased', data: { memberId, email } };
    for (const events of [[memberAdded(without)], [memberAdded(ASHA), released]])
      expect(member(memberId, ...events).email).to.equal(`${memberId}@members.invalid`);
  });

  it('show a member its teams, and whether it leads them', () => {
    const teamsOf = (...events: MemberEvent[]) => member(BILE.memberId, ...people, door, till, ...events).teams;
    expect(teamsOf()).to.deep.equal([
      { id: DOOR, role: 'member' },
      { id: TILL, role: 'member' },
    ]);
    const before = { members: [{ memberId: ASHA.memberId }, { memberId: BILE.memberId }] };
    const ring = { members: [{ memberId: BILE.memberId, lead: true as const }] };
    const revised: MemberEvent = { type: 'TeamRevised', data: { teamId: DOOR, changes: ring, before } };
    expect(teamsOf(revised)[0]).to.deep.equal({ id: DOOR, role: 'lead' });
    expect(member(ASHA.memberId, ...people, door, revised).teams).to.deep.equal([]);
    const renamed: MemberEvent = {
      type: 'TeamRevised',
      data: { teamId: DOOR, changes: { name: 'Gate' }, before: { name: 'Door' } },
    };
    expect(teamsOf(renamed)).to.deep.equal(teamsOf());
    const { type: _, data } = door as Extract<MemberEvent, { type: 'TeamCreated' }>;
    expect(teamsOf({ type: 'TeamRemoved', data })).to.deep.equal([{ id: TILL, role: 'member' }]);
  });

  it('show a team as it was put, and what changed it last', () => {
    const shown = { id: DOOR, ...(door.data as object), createdAt: at(2), updatedAt: at(2) };
    const { teamId: _, ...expected } = shown as Record<string, unknown>;
    expect(team(DOOR, ...people, door)).to.deep.equal(expected);
    const changes = { name: 'Gate', workingHours: [{ day: 'sat', opens: '08:00', closes: '24:00' }] } as const;
    const revised: MemberEvent = { type: 'TeamRevised', data: { teamId: DOOR, changes, before: { name: 'Door' } } };
    expect(team(DOOR, ...people, door, revised)).to.deep.equal({ ...expected, ...changes, updatedAt: at(3) });
    const removed: MemberEvent = {
      type: 'TeamRemoved',
      data: (door as Extract<MemberEvent, { type: 'TeamCreated' }>).data,
    };
    expect(team(DOOR, ...people, door, removed)).to.equal(undefined);
  });

  it('move the default from team to team', () => {
    const moved: MemberEvent = { type: 'DefaultTeamChanged', data: { teamId: TILL, before: DOOR } };
    expect(team(DOOR, ...people, door, till, moved)).to.include({ isDefault: false, updatedAt: at(4) });
    expect(team(TILL, ...people, door, till, moved)).to.include({ isDefault: true, updatedAt: at(4) });
  });

  it('follow a member from one ring to another', () => {
    const { memberId } = BILE;
    const moved: MemberEvent = {
      type: 'MemberTeamsChanged',
      data: { memberId, joined: [TILL], left: [DOOR], before: [DOOR] },
    };
    const asTill = teamCreated(TILL, 'Till', [{ memberId: ASHA.memberId }], false);
    expect(team(DOOR, ...people, door, asTill, moved)!.members).to.deep.equal([
      { memberId: ASHA.memberId, lead: true },
    ]);
    expect(team(TILL, ...people, door, asTill, moved)!.members).to.deep.equal([
      { memberId: ASHA.memberId },
      { memberId },
    ]);
    expect(member(memberId, ...people, door, asTill, moved).teams).to.deep.equal([{ id: TILL, role: 'member' }]);
  });

  it('find teams by name as people read it', () => {
    expect(views(teams, ...people, teamCreated(DOOR, 'ÉTAGE', [])).get(`${SHOP}/${DOOR}`)!.keys).to.deep.equal({
      workspaceId: SHOP,
      nameKey: 'étage',
    });
  });
});
