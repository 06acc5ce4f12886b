import type { addMember, listMembers } from '../../admin/members.js';
import { type CliCommand, command } from '../command.js';
import { table } from '../text.js';

type Standing = Awaited<ReturnType<typeof addMember>>;
type List = Awaited<ReturnType<typeof listMembers>>;

const workspace = { value: 'ID', about: "The store's workspace id.", required: true } as const;
const id = { value: 'ID', about: "The member's id.", required: true } as const;
const role = { value: 'R', about: 'owner, admin, supervisor, agent or viewer.', required: true } as const;
const stands = ({ id, role, status }: Standing): string => `Member ${id} is ${status}, ${role}.`;

export const memberCommands: readonly CliCommand[] = [
  command<Standing>({
    words: ['admin', 'members', 'add'],
    about: 'Invites a person to a store. Every role but viewer needs a seat.',
    options: {
      workspace,
      email: { value: 'E', about: 'By which the first sign-in at the store finds the member.', required: true },
      role,
      name: { value: 'N', about: 'As people read it.' },
      status: { value: 'S', about: 'invited, or active without a sign-in; invited when absent.' },
      'partner-user': { value: 'SUB', about: "The partner's id of the user: active, as if it had signed in with it." },
    },
    admin: {
      command: 'members.add',
      input: (typed) => ({
        workspace: typed.one('workspace'),
        email: typed.one('email'),
        role: typed.one('role'),
        name: typed.one('name'),
        status: typed.one('status'),
        partnerUser: typed.one('partner-user'),
      }),
    },
    text: stands,
  }),
  command<List>({
    words: ['admin', 'members', 'list'],
    about: 'Lists the people of a store, oldest first.',
    options: { workspace },
    admin: { command: 'members.list', input: (typed) => ({ workspace: typed.one('workspace') }) },
    text: ({ members }) =>
      table(
        ['ID', 'STATUS', 'ROLE', 'TEAMS', 'EMAIL', 'NAME'],
        members.map(({ id, status, role, teams, email, name }) => [id, status, role, teams.length, email, name]),
        'The store has no members.',
      ),
  }),
  command<Standing>({
    words: ['admin', 'members', 'disable'],
    about: 'Keeps a member out of a store; the last active owner stays.',
    options: { workspace, id },
    admin: {
      command: 'members.disable',
      input: (typed) => ({ workspace: typed.one('workspace'), id: typed.one('id') }),
    },
    text: stands,
  }),
  command<Standing>({
    words: ['admin', 'members', 'enable'],
    about: 'Lets a disabled member in again.',
    options: { workspace, id },
    admin: {
      command: 'members.enable',
      input: (typed) => ({ workspace: typed.one('workspace'), id: typed.one('id') }),
    },
    text: stands,
  }),
  command<Standing>({
    words: ['admin', 'members', 'role'],
    about: 'Gives a member another role.',
    options: { workspace, id, role },
    admin: {
      command: 'members.role',
      input: (typed) => ({ workspace: typed.one('workspace'), id: typed.one('id'), role: typed.one('role') }),
    },
    text: stands,
  }),
];
