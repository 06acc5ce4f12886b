/** An event that a projection or a processor cannot take in is passed over, on the operator's word and with the reason. */
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { distance, measureOf } from '../../engine/ports/eventStore.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import {
  type ProcessorRetried,
  processorSkips,
  projectionSkips,
  retryProcessor,
  skipProcessorEvent as skipForProcessor,
  skipProjectionEvent as skipForProjection,
} from '../../engine/skipping/skippedEvents.js';
import type { AdminContext, AdminReads, AdminWork } from './context.js';

/** Longest wait for a projection to come to where it stops, or to go on, in ms. */
const WITHIN_MS = 5000;
const LOOK_MS = 50;

/** Event to skip, and the reason. */
export interface Skip {
  readonly name: string;
  /** The event's id. */
  readonly event: string;
  readonly reason: string;
}

function found<T extends { readonly name: string }>(all: readonly T[], kind: string, name: string): T {
  const names = all.map((one) => one.name).sort();
  const one = all.find((each) => each.name === name);
  return one ?? refuse('not_found', `There is no ${kind} ${name}. Available: ${names.join(', ')}.`);
}

const hasMore = ({ poison, state, lag }: ProjectionStatus): boolean =>
  poison === undefined && (state === 'catching_up' || state === 'rebuilding' || (state === 'live' && lag > 0));

/** Status of the projection once `holds` is true, or after 5 s. */
async function statusOnce(
  projections: AdminContext['projections'],
  name: string,
  holds: (status: ProjectionStatus) => boolean,
): Promise<ProjectionStatus> {
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const status = found(await projections.status(), 'projection', name);
    if (holds(status) || performance.now() > end) return status;
    await pause(LOOK_MS);
  }
}

/**
 * `{name, event, reason}` → `{name, version, event, changed, goesOn}`: this version of the projection skips the event it stopped at, on
 * every instance and in every rebuild. `goesOn`: it has passed the event within 5 s; otherwise it will, as soon as an instance runs it.
 * Refuses `not_stopped`, and `other_event` with the actual event.
 */
export async function skipProjectionEvent(work: AdminWork, { name, event: eventId, reason }: Skip) {
  // On a resting folder it has just begun, and comes to the event in a moment.
  const { version, poison } = await statusOnce(work.projections, name, (status) => !hasMore(status));
  const stopped =
    poison?.eventId === undefined
      ? undefined
      : { eventId: poison.eventId, type: poison.type!, stream: poison.stream!, position: poison.position };
  const decision = skipForProjection({ name, version, eventId, reason, stopped });
  const { events } = await work.commands().decide(projectionSkips, name, decision);
  const left = (status: ProjectionStatus): boolean => status.poison?.eventId !== eventId;
  const goesOn = left(await statusOnce(work.projections, name, left));
  return { name, version, event: eventId, changed: events.length > 0, goesOn };
}

/**
 * → `{processors: [{name, state, position, head, lag, unit?, owed, skipped, stop?, owner?, effectsPerSecond?}]}`, by name: all that
 * have ever begun. `owner`: the instances that run it, where several may; `effectsPerSecond`: what they perform in all, absent
 * where none runs it.
 */
export async function processorsStatus({ processors, eventLog, installation }: AdminReads) {
  const measure = measureOf(eventLog);
  const [all, running] = await Promise.all([processors(), installation.processors()]);
  const status = all.map((one) => ({
    ...one,
    ...running.get(one.name),
    lag: distance(measure, one.position, one.head),
    ...(measure.unit === 'bytes' && { unit: 'bytes' as const }),
  }));
  return { processors: status };
}

/**
 * `{name, event, reason}` → `{name, event, changed}`: the processor skips the event it stopped at, on every instance; it continues within a
 * second where it runs, and otherwise at the next start. Refuses as for projections.
 */
export async function skipProcessorEvent(work: AdminWork, { name, event: eventId, reason }: Skip) {
  const { stop: stopped } = found(await work.processors(), 'processor', name);
  const decision = skipForProcessor({ name, eventId, reason, stopped });
  const { events } = await work.commands().decide(processorSkips, name, decision);
  return { name, event: eventId, changed: events.length > 0 };
}

/** Most tasks that are shown of a processor. */
const MOST_SHOWN = 100;

/** `{name}` → `{tasks: [{id, kind, lane, attempt, failures, dueAt, createdAt}]}`: the 100 that are due first, timers among them. */
export async function processorTasks({ processors, tasks }: AdminReads, { name }: { readonly name: string }) {
  found(await processors(), 'processor', name);
  const waiting = await tasks.waiting(name, MOST_SHOWN);
  return {
    tasks: waiting.map(({ dueAt, createdAt, ...rest }) => ({
      ...rest,
      dueAt: new Date(dueAt).toISOString(),
      createdAt: new Date(createdAt).toISOString(),
    })),
  };
}

/** Work to retry now. */
export interface Retry {
  readonly name: string;
  /** One task, also a timer whose time has not come. */
  readonly task: string | undefined;
  /** Without a task: only those that were noted since, in ms since 1970. */
  readonly since: number | undefined;
}

/**
 * `{name, task?, since?}` → `{name, tasks, event?}`: tasks of a processor that wait for a retry are due now, on every instance, and an
 * event at which it stopped is retried within a second. `tasks`: number of tasks; `event`: the event at which it had stopped. Refuses
 * `not_waiting` if there is neither.
 */
export async function retryProcessorWork(work: AdminWork, { name, task, since }: Retry) {
  const { stop } = found(await work.processors(), 'processor', name);
  const now = Date.now();
  const tasks = await work.tasks.bringForward({ processor: name, task, since, now });
  const eventId = task === undefined ? stop?.eventId : undefined;
  if (tasks === 0 && eventId === undefined)
    refuse(
      'not_waiting',
      task === undefined
        ? `${name} has no failed task that waits for a retry${since === undefined ? '' : ' since that time'}, and is not stopped at an event.`
        : `The task ${task} of ${name} is not waiting: it is done, in progress or unknown.`,
    );
  const data: ProcessorRetried['data'] = {
    ...{ name, tasks, dueAt: new Date(now).toISOString() },
    ...defined({ eventId, task, since: since === undefined ? undefined : new Date(since).toISOString() }),
  };
  await work.commands().decide(processorSkips, name, retryProcessor(data));
  return { name, tasks, ...defined({ event: eventId }) };
}
