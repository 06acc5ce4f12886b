/** Checks of the engines' contents: log and work belong together, and derived data are up to date. */

import { messageOf } from '../../engine/messageOf.js';
import { systemClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../../engine/ports/eventStore.js';
import { type ProcessorAtRest, processorsAtRest } from '../../engine/processors/processorStops.js';
import { judgeWork } from '../../engine/processors/tasks/workOrigin.js';
import { reportedNow } from '../../engine/projections/projectionBoard.js';
import { type ProjectionStatus, statusElsewhere } from '../../engine/projections/status.js';
import { SHARDS } from '../../engine/shards.js';
import { projections } from '../../projections/index.js';
import { OtherLog, requireSameLog } from '../../service/engines/engineChecks.js';
import { requireFit, WorkRefused } from '../../service/engines/workChecks.js';
import type { Stored } from '../verify/storedData.js';
import { ENGINE_MS } from './engineChecks.js';
import { type Check, type CheckName, type Found, ok, problem, warning } from './finding.js';
import { processorsOf, projectionsOf, type Running } from './runningService.js';

/** Undefined: nothing is stored yet. Rejects if an engine does not answer, which its own check reports. */
export type OpenStored = () => Promise<Stored | undefined>;

/** A check of stored data; the engine's own check reports an unavailable engine. */
export const storedCheck = (
  name: CheckName,
  stored: OpenStored,
  run: (stored: Stored) => Promise<readonly Found[]>,
): Check => ({
  name,
  withinMs: ENGINE_MS,
  async run() {
    let known: Stored | undefined;
    try {
      known = await stored();
    } catch (error) {
      return [
        warning(
          'not_looked_at',
          `This could not be checked: ${messageOf(error)}.`,
          'Fix the engine first, then run this again.',
        ),
      ];
    }
    return known === undefined ? [ok('nothing_yet', 'Nothing is stored yet.')] : run(known);
  },
});

interface Names {
  readonly log: string;
  readonly work: string;
  /** True if one of them is a server: documents then record their log. */
  readonly isServed: boolean;
}

export const belongingCheck = (stored: OpenStored, names: Names): Check =>
  storedCheck('belonging', stored, async ({ log, work }) => {
    const reads = log as Pick<EventStore, 'head' | 'readStream' | 'readAll' | 'exact'>;
    if (work === undefined)
      return (await reads.head()) === BEFORE_ALL
        ? [ok('nothing_yet', 'Nothing is stored yet.')]
        : [
            problem(
              'work_is_missing',
              `${names.log} has events, but ${names.work} is missing.`,
              "Restore the work that belongs to the log, or declare the backlog void: 'suuq processors settle'.",
            ),
          ];
    try {
      if (names.isServed) await requireSameLog({ store: reads, name: names.log }, { work, name: names.work });
      const state = await judgeWork(reads, work);
      if (!state.fits && 'unfinished' in state && state.unfinished)
        return [
          problem(
            'move_unfinished',
            `A move or settlement in ${names.work} was interrupted.`,
            "Repeat the command: 'suuq move' or 'suuq processors settle'.",
          ),
        ];
      requireFit(state, { name: names.log }, { name: names.work });
    } catch (error) {
      if (error instanceof WorkRefused)
        return [problem(error.code, error.message, 'Follow its instructions before the next start.')];
      if (error instanceof OtherLog)
        return [problem('other_log', error.message, 'Follow its instructions before the next start.')];
      throw error;
    }
    return [ok('belong_together', `${names.log} and ${names.work} belong together.`)];
  });

/** Events that a projection may be behind without a word: what a burst leads to. */
const BEHIND = 1_000;

export async function projectionsNow(
  running: Running,
  { log, views, work }: Stored,
): Promise<readonly ProjectionStatus[]> {
  if (running.state === 'running') return projectionsOf(running.card.socket);
  if (views === undefined) return [];
  const reported = work === undefined ? new Map<string, ProjectionStatus>() : await reportedNow(work, systemClock);
  const seen = await statusElsewhere(views, projections, await log.head(), () => undefined, SHARDS);
  return seen.map((one) => reported.get(one.name) ?? one);
}

const listed = (names: readonly string[]): string => names.join(', ');

export const projectionsCheck = (stored: OpenStored, running: Running): Check =>
  storedCheck('projections', stored, async (known) => {
    const all = await projectionsNow(running, known);
    const found: Found[] = all
      .filter(({ state }) => state === 'stopped')
      .map(({ name, poison }) =>
        problem(
          'projection_stopped',
          `The projection ${name} has stopped${poison === undefined ? '' : ` at the event ${poison.eventId} (${poison.type})`}.`,
          "See 'suuq projections status' for the reason and docs/operating/troubleshooting.md for the steps.",
        ),
      );
    const changed = all.filter(({ handlersChanged }) => handlersChanged).map(({ name }) => name);
    if (changed.length > 0)
      found.push(
        warning(
          'handlers_changed',
          `Different handlers of the same version built ${listed(changed)}.`,
          "Run 'suuq projections rebuild' to rebuild them.",
        ),
      );
    const differing = all.filter((one) => one.differing !== undefined).map(({ name }) => name);
    if (differing.length > 0)
      found.push(
        problem(
          'projection_differs',
          `Documents of ${listed(differing)} differ from the log.`,
          "Run 'suuq verify' to list them, then 'suuq projections rebuild'.",
        ),
      );
    const isStored = all.some(({ state }) => state !== 'elsewhere');
    const behind = all.filter(({ lag, state }) => state !== 'stopped' && lag > BEHIND);
    const most = Math.max(0, ...behind.map(({ lag }) => lag));
    const far = `${listed(behind.map(({ name }) => name))} ${behind.length === 1 ? 'is' : 'are'} behind the log, by ${most.toLocaleString('en')} at most`;
    if (behind.length > 0 && isStored)
      found.push(
        warning(
          'projections_behind',
          `${far}.`,
          "Run 'suuq projections status' to see whether they catch up, and check disk and CPU of the instances that run them.",
        ),
      );
    if (found.length > 0) return found;
    if (behind.length > 0) return [ok('projections_rest', `No instance runs them. ${far}; the next start catches up.`)];
    return [ok('projections_right', `${all.length} projections, none behind and none stopped.`)];
  });

/** Tasks that are overdue for longer need attention; shorter waits for a slow receiver are normal, in ms. */
const LATE_MS = 60_000;

const effects = (count: number): string => `${count.toLocaleString('en')} effect${count === 1 ? '' : 's'}`;
const since = (ms: number): string => new Date(ms).toISOString();

export const processorsCheck = (stored: OpenStored, running: Running, now: () => number): Check =>
  storedCheck('processors', stored, async ({ log, work }) => {
    const all: readonly ProcessorAtRest[] =
      running.state === 'running'
        ? await processorsOf(running.card.socket)
        : work === undefined
          ? []
          : await processorsAtRest(log, work as DocumentStore);
    const found: Found[] = all
      .filter(({ state }) => state === 'stopped')
      .map(({ name, stop }) =>
        problem(
          'processor_stopped',
          `The processor ${name} has stopped${stop === undefined ? '' : ` at the event ${stop.eventId} (${stop.type})`}.`,
          "See 'suuq processors status' for the reason and docs/operating/troubleshooting.md for the steps.",
        ),
      );
    const late = all.filter(({ firstDueAt = Number.POSITIVE_INFINITY }) => now() - firstDueAt > LATE_MS);
    for (const { name, owed, firstDueAt } of late)
      found.push(
        warning(
          'effects_late',
          `The processor ${name} has ${effects(owed)} pending, the oldest due since ${since(firstDueAt!)}.`,
          running.state === 'running'
            ? 'Check its failures in the log and the metric suuq_processor_task_seconds. The service that it calls may be unavailable.'
            : "They are performed when a service runs: 'suuq start'.",
        ),
      );
    const pending = all.reduce((sum, one) => sum + one.owed, 0);
    return found.length > 0
      ? found
      : [ok('processors_right', `${all.length} processors, none stopped; ${effects(pending)} pending, none late.`)];
  });
