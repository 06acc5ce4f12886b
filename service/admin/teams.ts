import { randomUUID } from 'node:crypto';
import { seatsOf } from '../../application/access/members.js';
import { withRecordings } from '../../application/recordings/uses.js';
import { members } from '../../domain/access/members.js';
import { teamDefinition } from '../../domain/access/teamDefinition.js';
import { MAX_TEAMS, putTeam as put, removeTeam as remove, teamNamed } from '../../domain/access/teams.js';
import { type TeamBody, teams } from '../../projections/teams.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';

/**
 * `{workspace, team}`, the team in the API's shape (`TeamDetailBody`; `isDefault` and `id` may be left out) →
 * `{workspaceId, id, name, changed}`. The team with the id, or else with the name, is replaced; without one it is new. The
 * recordings that its queue names are there as long as it names them (application/recordings/uses.ts).
 */
export async function putTeam(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  fields.check();
  const definition = teamDefinition((input as { team?: unknown }).team);
  // Teams of a store that does not exist would be found by nobody.
  await seatsOf(work.reads, workspaceId);
  const commands = work.commands(await aboutStore(work, workspaceId));
  const teamId = randomUUID();
  const isSame = await commands.query(members, workspaceId, (people) => put(definition, teamId)(people).length === 0);
  const change = { commands, workspaceId, by: definition.id ?? teamId, attempt: randomUUID() };
  const { events } = isSame
    ? { events: [] }
    : await withRecordings(change, definition.queue, () =>
        commands.decide(members, workspaceId, put(definition, teamId)),
      );
  return commands.query(members, workspaceId, (people) => {
    const { id, name } = teamNamed(people, definition.name)!;
    return { workspaceId, id, name, changed: events.length > 0 };
  });
}

/** `{workspace, id}` → `{workspaceId, id, removed: true}`. */
export async function removeTeam(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  const id = fields.text('id').toLowerCase();
  fields.check();
  await work.commands(await aboutStore(work, workspaceId)).decide(members, workspaceId, remove(id));
  return { workspaceId, id, removed: true };
}

/** `{workspace}`; by name, as the API lists them. */
export async function listTeams({ reads }: AdminWork, input: unknown): Promise<{ teams: TeamBody[] }> {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  fields.check();
  const found = await reads.find(teams, { where: { workspaceId }, sort: ['nameKey'], limit: MAX_TEAMS });
  return { teams: found.map(({ body }) => body) };
}
