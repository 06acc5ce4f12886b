import type { MemberEvent } from '../../domain/access/memberEvents.js';
import { members } from '../../projections/members.js';
import { teams } from '../../projections/teams.js';
import { minute } from '../support/spec/givenEvents.js';
import { ASHA, BILE, memberAdded, teamCreated } from '../support/spec/people.js';
import { projectionSpec } from '../support/spec/projectionSpec.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const DOOR = 'd0000000-0000-4000-8000-000000000001';
const TILL = 'd0000000-0000-4000-8000-000000000002';
/** Names of the documents, which carry the store's id before their own. */
const ofShop = (documents: Readonly<Record<string, object | undefined>>): Record<string, object> =>
  Object.fromEntries(Object.entries(documents).map(([id, one]) => [`${SHOP}/${id}`, one as object]));
const inShop = { stream: `members-${SHOP}` };
const memberSpec = projectionSpec(members, inShop);
const teamSpec = projectionSpec(teams, inShop);

describe('views of members and teams', () => {
  const people = [memberAdded(ASHA), memberAdded({ ...BILE, status: 'invited' })];
  const door = teamCreated(DOOR, 'Door', [{ memberId: ASHA.memberId, lead: true }, { memberId: BILE.memberId }]);
  const till = teamCreated(TILL, 'Till', [{ memberId: BILE.memberId }], false);

  it('show a member from the invitation to the last session', async () => {
    const { memberId: id, userId, email, name, role } = BILE;
    const shown = { id, userId, email, name, role, createdAt: minute(0), teams: [] };
    const invited = memberAdded({ ...BILE, status: 'invited' });
    await memberSpec.given(invited).then(ofShop({ [id]: { ...shown, status: 'invited' } }));
    const joined: MemberEvent[] = [
      invited,
      { type: 'MemberLinked', data: { memberId: id, userId: 'user-7', before: { userId }, partnerUserId: 'u-7' } },
      { type: 'MemberJoined', data: { memberId: id } },
    ];
    const active = { ...shown, userId: 'user-7', status: 'active', joinedAt: minute(2) };
    await memberSpec.given(...joined).then(ofShop({ [id]: active }));
    const at = { workspaceId: SHOP, createdAt: minute(0), added: 0 };
    const keys = { ...at, userId: 'user-7', partnerUserId: 'u-7', memberId: id };
    await memberSpec.given(...joined).thenKeys(ofShop({ [id]: keys }));
    const changed: MemberEvent[] = [
      ...joined,
      { type: 'MemberSeen', data: { memberId: id, day: '2026-03-04' } },
      { type: 'MemberRoleChanged', data: { memberId: id, role: 'admin', before: 'agent' } },
      { type: 'MemberProfileChanged', data: { memberId: id, changes: { name: 'B' }, before: { name: 'Bile' } } },
      { type: 'MemberDisabled', data: { memberId: id, before: 'active' } },
    ];
    const last = { ...active, lastActiveAt: '2026-03-04T00:00:00.000Z', role: 'admin', name: 'B' };
    await memberSpec.given(...changed).then(ofShop({ [id]: { ...last, status: 'disabled' } }));
    const enabled: MemberEvent = { type: 'MemberEnabled', data: { memberId: id, status: 'active' } };
    await memberSpec.given(...changed, enabled).then(ofShop({ [id]: last }));
  });

  it('give a member without an email a placeholder address', async () => {
    const { email: _, ...without } = ASHA;
    const { memberId, email: known } = ASHA;
    const email = `${memberId}@members.invalid`;
    const released: MemberEvent = { type: 'MemberEmailReleased', data: { memberId, email: known } };
    for (const events of [[memberAdded(without)], [memberAdded(ASHA), released]])
      await memberSpec.given(...events).thenIncludes(ofShop({ [memberId]: { email } }));
  });

  it("show a member's teams, and whether the member leads them", async () => {
    const shows = (teamsOf: Readonly<Record<string, object[]>>, ...events: MemberEvent[]) =>
      memberSpec
        .given(...people, door, till, ...events)
        .thenIncludes(ofShop(Object.fromEntries(Object.entries(teamsOf).map(([id, all]) => [id, { teams: all }]))));
    const [inDoor, inTill] = [DOOR, TILL].map((id) => ({ id, role: 'member' })) as [object, object];
    await shows({ [BILE.memberId]: [inDoor, inTill] });
    const before = { members: [{ memberId: ASHA.memberId }, { memberId: BILE.memberId }] };
    const ring = { members: [{ memberId: BILE.memberId, lead: true as const }] };
    const revised: MemberEvent = { type: 'TeamRevised', data: { teamId: DOOR, changes: ring, before } };
    await shows({ [BILE.memberId]: [{ id: DOOR, role: 'lead' }, inTill], [ASHA.memberId]: [] }, revised);
    const renamed: MemberEvent = {
      type: 'TeamRevised',
      data: { teamId: DOOR, changes: { name: 'Gate' }, before: { name: 'Door' } },
    };
    await shows({ [BILE.memberId]: [inDoor, inTill] }, renamed);
    const { data } = door as Extract<MemberEvent, { type: 'TeamCreated' }>;
    await shows({ [BILE.memberId]: [inTill] }, { type: 'TeamRemoved', data });
  });

  // #region projection
  it('show a team as last saved, and what last changed it', async () => {
    const { teamId: _, ...put } = (door as Extract<MemberEvent, { type: 'TeamCreated' }>).data;
    const shown = { id: DOOR, ...put, createdAt: minute(0), updatedAt: minute(0) };
    await teamSpec.given(door).then({ [`${SHOP}/${DOOR}`]: shown });
    const changes = { name: 'Gate', workingHours: [{ day: 'sat', opens: '08:00', closes: '24:00' }] } as const;
    const revised: MemberEvent = { type: 'TeamRevised', data: { teamId: DOOR, changes, before: { name: 'Door' } } };
    await teamSpec.given(door, revised).then({ [`${SHOP}/${DOOR}`]: { ...shown, ...changes, updatedAt: minute(1) } });
    const removed: MemberEvent = { type: 'TeamRemoved', data: { teamId: DOOR, ...put } };
    await teamSpec.given(door, revised, removed).then({});
  });
  // #endregion

  it('move the default from team to team', async () => {
    const moved: MemberEvent = { type: 'DefaultTeamChanged', data: { teamId: TILL, before: DOOR } };
    await teamSpec.given(door, till, moved).thenIncludes(
      ofShop({
        [DOOR]: { isDefault: false, updatedAt: minute(2) },
        [TILL]: { isDefault: true, updatedAt: minute(2) },
      }),
    );
  });

  it('follow a member from one team to another', async () => {
    const { memberId } = BILE;
    const moved: MemberEvent = {
      type: 'MemberTeamsChanged',
      data: { memberId, joined: [TILL], left: [DOOR], before: [DOOR] },
    };
    const asTill = teamCreated(TILL, 'Till', [{ memberId: ASHA.memberId }], false);
    await teamSpec.given(door, asTill, moved).thenIncludes(
      ofShop({
        [DOOR]: { members: [{ memberId: ASHA.memberId, lead: true }] },
        [TILL]: { members: [{ memberId: ASHA.memberId }, { memberId }] },
      }),
    );
    await memberSpec
      .given(...people, door, asTill, moved)
      .thenIncludes(ofShop({ [memberId]: { teams: [{ id: TILL, role: 'member' }] } }));
  });

  it('sort teams by name in human order', () =>
    teamSpec
      .given(teamCreated(DOOR, 'ÉTAGE', []))
      .thenKeys(ofShop({ [DOOR]: { workspaceId: SHOP, nameKey: 'étage' } })));
});
