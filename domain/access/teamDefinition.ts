/** Definition of a team, parsed from JSON of unknown shape, with the rules that need only the definition. */

import { type FieldProblem, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import type { Day, DayHours, RingPlace, TeamColor, TeamQueue, TeamTerms } from './memberEvents.js';

export const COLORS = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5'] as const satisfies readonly TeamColor[];
export const DAYS = ['sat', 'sun', 'mon', 'tue', 'wed', 'thu', 'fri'] as const satisfies readonly Day[];
export const STRATEGIES = ['all', 'priority'] as const satisfies readonly TeamQueue['strategy'][];
/** Members of one team. (Specification 2, 'Limits'.) */
export const MAX_RING = 200;
export const MAX_TEAM_NAME = 80;
/** Minimum and maximum seconds. (Specification 2, 'Members and teams'.) */
export const QUEUE_SECONDS = {
  ringTimeoutSeconds: [30, 60],
  maxWaitSeconds: [60, 600],
  secondsPerPerson: [5, 60],
  announcePositionSeconds: [30, 300],
} as const;
export const OPENS = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
export const CLOSES = '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$';
const RECORDINGS = ['holdRecordingId', 'closedRecordingId', 'missedRecordingId'] as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const OPENS_AT = new RegExp(OPENS);
const CLOSES_AT = new RegExp(CLOSES);
/** Includes the fields of a listed team that the service itself sets, so that a listed team can be sent back. */
const TEAM_FIELDS = ['id', 'name', 'color', 'isDefault', 'members', 'queue', 'workingHours', 'createdAt', 'updatedAt'];
const QUEUE_FIELDS = ['strategy', ...Object.keys(QUEUE_SECONDS), ...RECORDINGS];

export interface TeamDefinition extends TeamTerms {
  /** Id of an existing team. Absent: the team with this name, or a new one. */
  readonly id?: string;
  /** Absent: unchanged. The first team is the default. */
  readonly isDefault?: boolean;
}

type Report = (location: string, message: string, value?: unknown) => void;

/** Returns the object if it has only these fields. Reports a problem and returns an empty object otherwise. */
function objectAt(value: unknown, at: string, fields: readonly string[], report: Report): JsonObject {
  if (!isJsonObject(value)) {
    report(at, value === undefined ? 'is required' : 'must be an object');
    return {};
  }
  for (const name of Object.keys(value))
    if (!fields.includes(name)) report(at === '' ? name : `${at}.${name}`, 'is not a known property');
  return value;
}

function oneOf<T extends string>(value: unknown, values: readonly T[], at: string, report: Report): T {
  const found = values.find((known) => known === value);
  if (found === undefined) report(at, `must be one of ${values.join(', ')}`, value);
  return found ?? values[0]!;
}

function idAt(value: unknown, at: string, report: Report): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
  report(at, 'must be an id (UUID)', value);
  return '';
}

function nameOf(value: unknown, report: Report): string {
  const name = typeof value === 'string' ? value.trim() : '';
  const { length } = [...name];
  if (length < 1 || length > MAX_TEAM_NAME) report('name', `must be text of 1 to ${MAX_TEAM_NAME} characters`, value);
  return name;
}

function ringOf(value: unknown, report: Report): RingPlace[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_RING) {
    report('members', `must be a list of 1 to ${MAX_RING} members`);
    return [];
  }
  const seen = new Set<string>();
  return value.map((place, index): RingPlace => {
    const at = `members[${index}]`;
    const { memberId: given, lead = false } = objectAt(place, at, ['memberId', 'lead'], report);
    const memberId = idAt(given, `${at}.memberId`, report);
    if (memberId !== '' && seen.has(memberId)) report(`${at}.memberId`, 'is in the ring already', given);
    if (typeof lead !== 'boolean') report(`${at}.lead`, 'must be true or false', lead);
    seen.add(memberId);
    return { memberId, ...(lead === true ? { lead } : {}) };
  });
}

function secondsAt(value: unknown, name: keyof typeof QUEUE_SECONDS, report: Report): number {
  const [least, most] = QUEUE_SECONDS[name];
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  report(`queue.${name}`, `must be a whole number from ${least} to ${most}`, value);
  return least;
}

function queueOf(value: unknown, report: Report): TeamQueue {
  const reported = objectAt(value, 'queue', QUEUE_FIELDS, report);
  if (!isJsonObject(value)) return reported as unknown as TeamQueue;
  const announce = reported.announcePositionSeconds;
  const maxWaitSeconds = secondsAt(reported.maxWaitSeconds, 'maxWaitSeconds', report);
  if (typeof announce === 'number' && announce >= maxWaitSeconds)
    report('queue.announcePositionSeconds', 'must be shorter than maxWaitSeconds', announce);
  return {
    strategy: oneOf(reported.strategy, STRATEGIES, 'queue.strategy', report),
    ringTimeoutSeconds: secondsAt(reported.ringTimeoutSeconds, 'ringTimeoutSeconds', report),
    maxWaitSeconds,
    secondsPerPerson: secondsAt(reported.secondsPerPerson, 'secondsPerPerson', report),
    ...(announce === undefined
      ? {}
      : { announcePositionSeconds: secondsAt(announce, 'announcePositionSeconds', report) }),
    ...Object.fromEntries(
      RECORDINGS.filter((name) => reported[name] !== undefined).map((name) => [
        name,
        idAt(reported[name], `queue.${name}`, report),
      ]),
    ),
  };
}

function hoursAt(value: unknown, at: string, report: Report): DayHours {
  const { day, opens, closes } = objectAt(value, at, ['day', 'opens', 'closes'], report);
  const hasOpens = typeof opens === 'string' && OPENS_AT.test(opens);
  const hasCloses = typeof closes === 'string' && CLOSES_AT.test(closes);
  if (!hasOpens) report(`${at}.opens`, 'must be HH:MM from 00:00 to 23:59', opens);
  if (!hasCloses) report(`${at}.closes`, 'must be HH:MM, at most 24:00', closes);
  // Two digits each, so times sort as text.
  if (hasOpens && hasCloses && closes <= opens) report(`${at}.closes`, 'must be after opens', closes);
  return { day: oneOf(day, DAYS, `${at}.day`, report), opens: String(opens), closes: String(closes) };
}

/** Sorts the days in the order of the week, so that equal hours are equal as text. */
function workingHoursOf(value: unknown, report: Report): DayHours[] | null {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length > DAYS.length) {
    report('workingHours', 'must be null (always open) or a list of at most 7 days');
    return null;
  }
  const hours = value.map((day, index) => hoursAt(day, `workingHours[${index}]`, report));
  for (const [index, { day }] of hours.entries())
    if (hours.findIndex((other) => other.day === day) < index)
      report(`workingHours[${index}].day`, 'is listed already', day);
  return hours.sort((a, b) => DAYS.indexOf(a.day) - DAYS.indexOf(b.day));
}

/** Parses a definition. Refuses `validation_failed` with every problem and its location, such as `queue.maxWaitSeconds`. */
export function teamDefinition(input: unknown): TeamDefinition {
  const problems: FieldProblem[] = [];
  const report: Report = (location, message, value) =>
    void problems.push({
      message,
      ...(location === '' ? {} : { location }),
      ...defined({ value }),
    });
  const { id, name, color, isDefault, members, queue, workingHours } = objectAt(input, '', TEAM_FIELDS, report);
  if (isDefault !== undefined && typeof isDefault !== 'boolean')
    report('isDefault', 'must be true or false', isDefault);
  const definition: TeamDefinition = {
    ...(id === undefined ? {} : { id: idAt(id, 'id', report) }),
    ...(typeof isDefault === 'boolean' ? { isDefault } : {}),
    name: nameOf(name, report),
    color: oneOf(color, COLORS, 'color', report),
    members: ringOf(members, report),
    queue: queueOf(queue, report),
    workingHours: workingHoursOf(workingHours, report),
  };
  if (problems.length > 0) refuse('validation_failed', 'The team is not valid.', problems);
  return definition;
}
