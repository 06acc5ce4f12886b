import { readFileSync } from 'node:fs';
import type { listTeams, putTeam, removeTeam } from '../../admin/teams.js';
import { type CliCommand, command, UsageError } from '../command.js';
import { table } from '../text.js';

type Put = Awaited<ReturnType<typeof putTeam>>;
type List = Awaited<ReturnType<typeof listTeams>>;
type Removed = Awaited<ReturnType<typeof removeTeam>>;

const workspace = { value: 'ID', about: "The store's workspace id.", required: true } as const;
const STDIN = 0;

/** The JSON of a file, or of stdin without one or for '-'. */
function jsonFrom(file = '-'): unknown {
  const named = file === '-' ? 'stdin' : file;
  let text: string;
  try {
    text = readFileSync(file === '-' ? STDIN : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${named} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${named} is no JSON`);
  }
}

export const teamCommands: readonly CliCommand[] = [
  command<Put>({
    words: ['admin', 'teams', 'put'],
    about: 'Creates a team of a store, or replaces the one with its id or name.',
    options: {
      workspace,
      file: {
        value: 'FILE',
        about: "JSON in the API's shape: name, color, members, queue, workingHours, isDefault; stdin when absent.",
      },
    },
    admin: {
      command: 'teams.put',
      input: (typed) => ({ workspace: typed.one('workspace'), team: jsonFrom(typed.one('file')) }),
    },
    text: ({ id, name, changed }) => `Team ${name}${changed ? '' : ' (unchanged)'}: ${id}`,
  }),
  command<List>({
    words: ['admin', 'teams', 'list'],
    about: 'Lists the teams of a store by name.',
    options: { workspace },
    admin: { command: 'teams.list', input: (typed) => ({ workspace: typed.one('workspace') }) },
    text: ({ teams }) =>
      table(
        ['ID', 'DEFAULT', 'MEMBERS', 'CALLS', 'HOURS', 'NAME'],
        teams.map(({ id, isDefault, members, queue, workingHours, name }) => [
          id,
          isDefault ? 'yes' : '-',
          members.length,
          queue.strategy,
          workingHours === null ? 'always' : `${workingHours.length} days`,
          name,
        ]),
        'The store has no teams.',
      ),
  }),
  command<Removed>({
    words: ['admin', 'teams', 'remove'],
    about: 'Removes a team; the default team can only be the last to go.',
    options: { workspace, id: { value: 'ID', about: "The team's id.", required: true } },
    admin: {
      command: 'teams.remove',
      input: (typed) => ({ workspace: typed.one('workspace'), id: typed.one('id') }),
    },
    text: ({ id }) => `Team ${id} is removed.`,
  }),
];
