import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { seatsOf } from '../../application/access/members.js';
import { withRecordings } from '../../application/recordings/recordingUses.js';
import { members } from '../../domain/access/members.js';
import { teamDefinition } from '../../domain/access/teamDefinition.js';
import { MAX_TEAMS, putTeam, removeTeam, teamNamed } from '../../domain/access/teams.js';
import { teams } from '../../projections/teams.js';
import { aboutStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery, type Option, UsageError } from './declaration.js';
import { id, workspace } from './options.js';
import { table } from './text.js';

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
    throw new UsageError(`${named} is not JSON`);
  }
}

/** A team in the API's shape (`TeamDetailBody`; `isDefault` and `id` are optional): the domain validates it. */
const team: Option<unknown> = {
  typedAs: 'file',
  value: 'FILE',
  from: 'json',
  about: 'JSON as in the API: name, color, members, queue, workingHours, isDefault. Default: stdin.',
  send: jsonFrom,
  check: (fields, name) => fields.value(name),
};

const put = adminCommand({
  name: 'teams.put',
  about: 'Create a team, or replace the one with the same id or name.',
  options: { workspace, team },
  /**
   * The team with the id, or else with the name, is replaced; without one it is new. The recordings that its queue names
   * are there as long as it names them (application/recordings/recordingUses.ts).
   */
  async run(work, { workspace: workspaceId, team }) {
    const definition = teamDefinition(team);
    // Teams of a store that does not exist would be found by nobody.
    await seatsOf(work.reads, workspaceId);
    const commands = work.commands(await aboutStore(work, workspaceId));
    const teamId = work.newId('team');
    const decision = putTeam(definition, teamId);
    const isSame = await commands.query(members, workspaceId, (people) => decision(people).length === 0);
    const change = { commands, workspaceId, by: definition.id ?? teamId, attempt: randomUUID() };
    const { events } = isSame
      ? { events: [] }
      : await withRecordings(change, definition.queue, () => commands.decide(members, workspaceId, decision));
    return commands.query(members, workspaceId, (people) => {
      const { id, name } = teamNamed(people, definition.name)!;
      return { workspaceId, id, name, changed: events.length > 0 };
    });
  },
  text: ({ id, name, changed }) => `Team ${name}${changed ? '' : ' (unchanged)'}: ${id}`,
});

const list = adminQuery({
  name: 'teams.list',
  about: 'List the teams of a store by name.',
  list: 'teams',
  forStore: true,
  options: { workspace },
  async run({ reads }, { workspace: workspaceId }) {
    const found = await reads.find(teams, { where: { workspaceId }, sort: ['nameKey'], limit: MAX_TEAMS });
    return { teams: found.map(({ body }) => body) };
  },
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
});

const remove = adminCommand({
  name: 'teams.remove',
  about: 'Remove a team. The default team can only be removed last.',
  options: { workspace, id: id("The team's id.") },
  final: 'id',
  async run(work, { workspace: workspaceId, id }) {
    await work.commands(await aboutStore(work, workspaceId)).decide(members, workspaceId, removeTeam(id));
    return { workspaceId, id, removed: true };
  },
  text: ({ id }) => `Team ${id} is removed.`,
});

export const teamCommands: readonly AdminCommand[] = [put, list, remove];
