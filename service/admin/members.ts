import { seatsOf, userOfPartner, userWithEmail } from '../../application/access/members.js';
import { addMember, changeRole, disableMember, enableMember } from '../../domain/access/memberChanges.js';
import { MAX_MEMBERS, members, ROLES } from '../../domain/access/members.js';
import { defined } from '../../domain/defined.js';
import { members as memberList } from '../../projections/members.js';
import { type AdminWork, aboutStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery } from './declaration.js';
import { refuseInput } from './input.js';
import { id, maybeOneOf, oneOf, text, workspace } from './options.js';
import { table } from './text.js';

interface MemberState {
  readonly workspaceId: string;
  readonly id: string;
  readonly role: string;
  readonly status: string;
}

const written = ({ id, role, status }: MemberState): string => `Member ${id} is ${status}, ${role}.`;

/** The member as it is now. */
const memberState = (work: AdminWork, workspaceId: string, memberId: string): Promise<MemberState> =>
  work.commands().query(members, workspaceId, (people) => {
    const { id, role, status } = people.members.get(memberId)!;
    return { workspaceId, id, role, status };
  });

const memberId = id("The member's id.");
const role = oneOf({ value: 'R', about: 'Role: owner, admin, supervisor, agent or viewer.', required: true }, ROLES);

const add = adminCommand({
  name: 'members.add',
  about: 'Invite a person to a store. Every role but viewer needs a seat.',
  options: {
    workspace,
    email: text({ value: 'E', about: 'E-mail address, matched at the first sign-in.', required: true }),
    role,
    name: text({ value: 'N', about: 'Display name.' }),
    status: maybeOneOf({ value: 'S', about: 'Status: invited or active (without a sign-in). Default: invited.' }, [
      'invited',
      'active',
    ]),
    partnerUser: text({
      value: 'SUB',
      about: "The partner's id of the user. The member is then active.",
    }),
  },
  check: (_, fields) => fields.either('partnerUser', 'status', false),
  async run(
    work,
    { workspace: workspaceId, email, role, name = '', status: requested, partnerUser },
  ): Promise<MemberState> {
    const status = requested ?? (partnerUser === undefined ? 'invited' : 'active');
    const seats = await seatsOf(work.reads, workspaceId);
    const about = await aboutStore(work, workspaceId);
    if (partnerUser !== undefined && about.partnerId === undefined)
      refuseInput([{ location: 'partnerUser', message: 'is only for stores of a partner', value: partnerUser }]);
    const memberId = work.newId('member');
    const userId = partnerUser === undefined ? userWithEmail(email) : userOfPartner(about.partnerId!, partnerUser);
    const link = defined({ partnerUserId: partnerUser });
    const member = { memberId, userId, email, name, role, status, ...link } as const;
    await work.commands(about).decide(members, workspaceId, addMember(member, seats));
    return { workspaceId, id: memberId, role, status };
  },
  text: written,
});

const list = adminQuery({
  name: 'members.list',
  about: 'List the members of a store, oldest first.',
  list: 'members',
  forStore: true,
  options: { workspace },
  async run({ reads }, { workspace: workspaceId }) {
    const sort = ['createdAt', 'added'];
    const found = await reads.find(memberList, { where: { workspaceId }, sort, limit: MAX_MEMBERS });
    return { members: found.map(({ body }) => body) };
  },
  text: ({ members }) =>
    table(
      ['ID', 'STATUS', 'ROLE', 'TEAMS', 'EMAIL', 'NAME'],
      members.map(({ id, status, role, teams, email, name }) => [id, status, role, teams.length, email, name]),
      'The store has no members.',
    ),
});

const disable = adminCommand({
  name: 'members.disable',
  about: 'Disable a member. The last active owner cannot be disabled.',
  options: { workspace, id: memberId },
  async run(work, { workspace: workspaceId, id }) {
    await work.commands(await aboutStore(work, workspaceId)).decide(members, workspaceId, disableMember(id));
    return memberState(work, workspaceId, id);
  },
  text: written,
});

const enable = adminCommand({
  name: 'members.enable',
  about: 'Enable a disabled member.',
  options: { workspace, id: memberId },
  async run(work, { workspace: workspaceId, id }) {
    const seats = await seatsOf(work.reads, workspaceId);
    await work.commands(await aboutStore(work, workspaceId)).decide(members, workspaceId, enableMember(id, seats));
    return memberState(work, workspaceId, id);
  },
  text: written,
});

const setRole = adminCommand({
  name: 'members.role',
  about: "Change a member's role.",
  options: { workspace, id: memberId, role },
  /** Refuses `last_owner` and `no_free_seat`, as every change of a member does. */
  async run(work, { workspace: workspaceId, id, role }) {
    const seats = await seatsOf(work.reads, workspaceId);
    const commands = work.commands(await aboutStore(work, workspaceId));
    await commands.decide(members, workspaceId, changeRole({ memberId: id, role }, seats));
    return memberState(work, workspaceId, id);
  },
  text: written,
});

export const memberCommands: readonly AdminCommand[] = [add, list, disable, enable, setRole];
