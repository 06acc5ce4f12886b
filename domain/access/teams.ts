/** Teams of a store. They are part of the members' stream, so that a ring lists only members that exist. */
import { type Decision, refuse } from '../decider.js';
import type { MemberEvent, TeamTerms } from './memberEvents.js';
import type { People, Team } from './members.js';
import type { TeamDefinition } from './teamDefinition.js';

type Decide = Decision<People, MemberEvent>;

/** Maximum teams of a store, which is also the maximum that one request may put a member into. */
export const MAX_TEAMS = 50;

/** Normalizes a name for comparing and sorting: without case, outer spaces or ways to compose a letter. */
export const teamNameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase();

export const teamNamed = ({ teams }: People, name: string): Team | undefined =>
  [...teams.values()].find((team) => teamNameKey(team.name) === teamNameKey(name));

const existingTeam = ({ teams }: People, teamId: string): Team =>
  teams.get(teamId) ?? refuse('not_found', `The store has no team ${teamId}.`);

function checkRing({ members }: People, ring: TeamTerms['members']): void {
  const problems = ring.flatMap(({ memberId }, index) =>
    members.has(memberId)
      ? []
      : [{ message: 'is not a member of the store', location: `members[${index}].memberId`, value: memberId }],
  );
  if (problems.length > 0) refuse('validation_failed', 'The store does not have all of these members.', problems);
}

const termsOf = ({ name, color, members, queue, workingHours }: TeamTerms): TeamTerms => ({
  name,
  color,
  members,
  queue,
  workingHours,
});

function differing(before: TeamTerms, after: TeamTerms): (keyof TeamTerms)[] {
  const keys = Object.keys(termsOf(after)) as (keyof TeamTerms)[];
  // Definitions have a fixed order of fields, so equal ones are equal as text.
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

const only = (terms: TeamTerms, keys: readonly (keyof TeamTerms)[]): Partial<TeamTerms> =>
  Object.fromEntries(keys.map((key) => [key, terms[key]]));

function created(people: People, teamId: string, definition: TeamDefinition): MemberEvent[] {
  if (people.teams.size >= MAX_TEAMS)
    refuse('team_limit_reached', `The store has reached the limit of ${MAX_TEAMS} teams.`);
  const isDefault = people.teams.size === 0;
  if (isDefault && definition.isDefault === false) refuseNoDefault();
  return [{ type: 'TeamCreated', data: { teamId, isDefault, ...termsOf(definition) } }];
}

function revised(team: Team, definition: TeamDefinition): MemberEvent[] {
  const keys = differing(team, definition);
  if (team.isDefault && definition.isDefault === false) refuseNoDefault();
  if (keys.length === 0) return [];
  const data = { teamId: team.id, changes: only(definition, keys), before: only(team, keys) };
  return [{ type: 'TeamRevised', data }];
}

function refuseNoDefault(): never {
  refuse('default_team_needed', 'One team is the default; make another team the default first.');
}

function defaultMoved({ teams }: People, teamId: string, { isDefault }: TeamDefinition): MemberEvent[] {
  const before = [...teams.values()].find((team) => team.isDefault);
  if (isDefault !== true || before === undefined || before.id === teamId) return [];
  return [{ type: 'DefaultTeamChanged', data: { teamId, before: before.id } }];
}

/** Returns the team that a definition refers to: by its id, otherwise by its name. */
const matchingTeam = (people: People, { id, name }: TeamDefinition): Team | undefined =>
  id === undefined ? teamNamed(people, name) : existingTeam(people, id);

/**
 * Creates the team, or replaces its definition. An equal definition changes nothing. Exactly one team is the default. Refuses `name_taken`,
 * `not_found` for an unknown id, `default_team_needed`, `team_limit_reached`, and `validation_failed` for members that do not exist.
 * `newId`: id for a new team.
 */
export const putTeam =
  (definition: TeamDefinition, newId: string): Decide =>
  (people) => {
    checkRing(people, definition.members);
    const team = matchingTeam(people, definition);
    const namesake = teamNamed(people, definition.name);
    if (namesake !== undefined && namesake.id !== team?.id)
      refuse('name_taken', `The store already has a team with this name: ${namesake.id}.`);
    const changes = team === undefined ? created(people, newId, definition) : revised(team, definition);
    return [...changes, ...defaultMoved(people, team?.id ?? newId, definition)];
  };

/** Removes the team. The default team can be removed only as the last one. */
export const removeTeam =
  (teamId: string): Decide =>
  (people) => {
    const team = existingTeam(people, teamId);
    if (team.isDefault && people.teams.size > 1) refuseNoDefault();
    return [{ type: 'TeamRemoved', data: { teamId, isDefault: team.isDefault, ...termsOf(team) } }];
  };
