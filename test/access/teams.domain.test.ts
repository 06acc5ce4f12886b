import { expect } from 'chai';
import type { MemberEvent } from '../../domain/access/memberEvents.js';
import { members } from '../../domain/access/members.js';
import { type TeamDefinition, teamDefinition } from '../../domain/access/teamDefinition.js';
import { MAX_TEAMS, putTeam, removeTeam } from '../../domain/access/teams.js';
import { DomainError } from '../../domain/decider.js';
import { given } from '../support/spec/given.js';
import { ASHA, BILE, memberAdded, teamCreated, teamTerms } from '../support/spec/people.js';

const DOOR = 'd0000000-0000-4000-8000-000000000001';
const TILL = 'd0000000-0000-4000-8000-000000000002';
const NEW = 'd0000000-0000-4000-8000-000000000009';
const HOLD = 'e0000000-0000-4000-8000-000000000001';
const both = [memberAdded(ASHA), memberAdded(BILE)];
const ring = [{ memberId: ASHA.memberId }];
const definition = (name: string, more: Partial<TeamDefinition> = {}): TeamDefinition => ({
  ...teamTerms(name, ring),
  ...more,
});

const typed = {
  name: ' Door ',
  color: 'chart-5',
  members: [
    { memberId: ASHA.memberId, lead: true },
    { memberId: BILE.memberId.toUpperCase(), lead: false },
  ],
  queue: {
    strategy: 'priority',
    ringTimeoutSeconds: 60,
    maxWaitSeconds: 600,
    secondsPerPerson: 5,
    announcePositionSeconds: 300,
    holdRecordingId: HOLD,
  },
  workingHours: [
    { day: 'fri', opens: '13:00', closes: '24:00' },
    { day: 'sat', opens: '00:00', closes: '00:01' },
  ],
};

/** `queue.maxWaitSeconds` → a copy of what was typed with another value there. */
function withValue(at: string, value: unknown): object {
  const copy = structuredClone(typed) as Record<string, unknown>;
  const path = at.match(/[^.[\]]+/g)!;
  const last = path.pop()!;
  const holder = path.reduce((part, step) => part[step] as Record<string, unknown>, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

function placesOf(input: unknown): (string | undefined)[] {
  try {
    teamDefinition(input);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error;
    return error.problems.map(({ location }) => location);
  }
}

describe("a team's definition", () => {
  it('is normalised: trimmed, ids in lower case, days in the order of the week', () => {
    expect(teamDefinition(typed)).to.deep.equal({
      ...typed,
      name: 'Door',
      members: [{ memberId: ASHA.memberId, lead: true }, { memberId: BILE.memberId }],
      workingHours: [typed.workingHours[1], typed.workingHours[0]],
    });
  });

  it('may be a team as returned by the list', () => {
    const listed = { ...typed, id: DOOR, isDefault: true, createdAt: 'then', updatedAt: 'now' };
    expect(teamDefinition(listed)).to.include({ id: DOOR, isDefault: true }).and.not.have.property('createdAt');
  });

  const accepted: Record<string, readonly unknown[]> = {
    name: ['x', '😀'.repeat(80)],
    color: ['chart-1'],
    isDefault: [false, undefined],
    members: [
      Array.from({ length: 200 }, (_, n) => ({ memberId: `a0000000-0000-4000-8000-${String(n).padStart(12, '0')}` })),
    ],
    'queue.strategy': ['all'],
    'queue.ringTimeoutSeconds': [30, 60],
    'queue.maxWaitSeconds': [301, 600],
    'queue.secondsPerPerson': [5, 60],
    'queue.announcePositionSeconds': [30, 300, undefined],
    'queue.closedRecordingId': [HOLD],
    'queue.missedRecordingId': [HOLD],
    workingHours: [null, []],
    'workingHours[0].opens': ['23:59'],
  };
  const refused: Record<string, readonly unknown[]> = {
    name: ['', '  ', 'x'.repeat(81), 7, undefined],
    color: ['chart-0', 'chart-6', undefined],
    isDefault: ['yes', null],
    id: ['door', 7],
    members: [[], Array.from({ length: 201 }, () => ({ memberId: HOLD })), {}, undefined],
    'members[0]': [7, null],
    'members[0].memberId': ['asha', undefined],
    'members[1].memberId': [ASHA.memberId],
    'members[0].lead': ['yes', null],
    'members[0].surprise': [1],
    queue: [undefined, null, []],
    'queue.strategy': ['some', undefined],
    'queue.ringTimeoutSeconds': [29, 61, 30.5, '30', undefined],
    'queue.maxWaitSeconds': [59, 601, undefined],
    'queue.secondsPerPerson': [4, 61, undefined],
    'queue.announcePositionSeconds': [29, 301, null],
    'queue.holdRecordingId': ['x', null],
    'queue.surprise': [1],
    workingHours: [undefined, {}, Array.from({ length: 8 }, () => typed.workingHours[0])],
    'workingHours[0]': ['fri'],
    'workingHours[0].day': ['monday', undefined],
    'workingHours[1].day': ['fri'],
    'workingHours[0].opens': ['24:00', '9:00', '09:60', undefined],
    'workingHours[0].closes': ['24:01', '13:00', '12:59', '1:00', undefined],
    surprise: [1],
  };
  for (const [at, values] of Object.entries(accepted))
    it(`accepts ${at} at its limits`, () => {
      for (const value of values) expect(placesOf(withValue(at, value)), JSON.stringify(value)).to.deep.equal([]);
    });
  for (const [at, values] of Object.entries(refused))
    it(`rejects ${at} beyond its limits`, () => {
      for (const value of values) {
        const places = placesOf(withValue(at, value));
        expect(places[0], JSON.stringify(value)?.slice(0, 60)).to.satisfy(
          (place: string | undefined) => place?.startsWith(at) === true,
        );
      }
    });

  it('announces positions only within the maximum wait', () => {
    expect(placesOf(withValue('queue.maxWaitSeconds', 300))).to.deep.equal(['queue.announcePositionSeconds']);
  });

  it('reports all problems at once', () => {
    expect(placesOf({})).to.deep.equal(['name', 'color', 'members', 'queue', 'workingHours']);
    expect(placesOf('team')).to.include(undefined);
  });
});

describe('teams of a store', () => {
  const door = teamCreated(DOOR, 'Door', ring);
  const till = teamCreated(TILL, 'Till', ring, false);

  it('are created; the first is the default', () => {
    given(members, ...both)
      .when(putTeam(definition('Door'), DOOR))
      .then([door]);
    given(members, ...both, door)
      .when(putTeam(definition('Till'), TILL))
      .then([till]);
    given(members, ...both)
      .when(putTeam(definition('Door', { isDefault: false }), DOOR))
      .thenRefused('default_team_needed');
  });

  it('contain only existing members', () => {
    const { problems } = given(members, memberAdded(ASHA))
      .when(putTeam(definition('Door', { members: [...ring, { memberId: BILE.memberId }] }), DOOR))
      .thenRefused('validation_failed');
    expect(problems[0]).to.include({ location: 'members[1].memberId', value: BILE.memberId });
  });

  it('are found by id, or by name ignoring case, and change only where they differ', () => {
    const terms = definition('DOOR', { color: 'chart-2', members: [{ memberId: BILE.memberId, lead: true }] });
    given(members, ...both, door)
      .when(putTeam(terms, NEW))
      .then([
        {
          type: 'TeamRevised',
          data: {
            teamId: DOOR,
            changes: { name: 'DOOR', color: 'chart-2', members: [{ memberId: BILE.memberId, lead: true }] },
            before: { name: 'Door', color: 'chart-1', members: ring },
          },
        },
      ]);
    given(members, ...both, door)
      .when(putTeam(definition('Door'), NEW))
      .then([]);
    given(members, ...both, door)
      .when(putTeam(definition('Gate', { id: DOOR }), NEW))
      .then([{ type: 'TeamRevised', data: { teamId: DOOR, changes: { name: 'Gate' }, before: { name: 'Door' } } }]);
    given(members, ...both, door)
      .when(putTeam(definition('Gate', { id: NEW }), NEW))
      .thenRefused('not_found');
  });

  it('have unique names', () => {
    given(members, ...both, door, till)
      .when(putTeam(definition(' dOOR', { id: TILL }), NEW))
      .thenRefused('name_taken');
  });

  it('have exactly one default, which moves to another team', () => {
    const moved: MemberEvent = { type: 'DefaultTeamChanged', data: { teamId: TILL, before: DOOR } };
    given(members, ...both, door)
      .when(putTeam(definition('Till', { isDefault: true }), TILL))
      .then([till, moved]);
    given(members, ...both, door, till)
      .when(putTeam(definition('Till', { isDefault: true }), NEW))
      .then([moved]);
    given(members, ...both, door, till)
      .when(putTeam(definition('Door', { isDefault: false }), NEW))
      .thenRefused('default_team_needed');
    given(members, ...both, door, till, moved)
      .when(putTeam(definition('Door', { isDefault: false }), NEW))
      .then([]);
  });

  it('can be removed, the default one last', () => {
    const removed = (teamId: string, name: string, isDefault: boolean): MemberEvent => ({
      type: 'TeamRemoved',
      data: { teamId, isDefault, ...teamTerms(name, ring) },
    });
    given(members, ...both, door, till)
      .when(removeTeam(DOOR))
      .thenRefused('default_team_needed');
    given(members, ...both, door, till)
      .when(removeTeam(TILL))
      .then([removed(TILL, 'Till', false)]);
    given(members, ...both, door)
      .when(removeTeam(DOOR))
      .then([removed(DOOR, 'Door', true)]);
    given(members, ...both, door)
      .when(removeTeam(TILL))
      .thenRefused('not_found');
  });

  it(`are at most ${MAX_TEAMS}`, () => {
    const all = Array.from({ length: MAX_TEAMS }, (_, n) => teamCreated(`t-${n}`, `Team ${n}`, ring, n === 0));
    given(members, ...both, ...all)
      .when(putTeam(definition('More'), NEW))
      .thenRefused('team_limit_reached');
    given(members, ...both, ...all)
      .when(putTeam(definition('team 7'), NEW))
      .then([
        { type: 'TeamRevised', data: { teamId: 't-7', changes: { name: 'team 7' }, before: { name: 'Team 7' } } },
      ]);
  });
});
