/**
 * Items that failed because the provider refused their whole call, such as for a missing permission or an expired token. The problem is
 * fixed at the provider, so no change of the items triggers a push. They are sent again when a later call is accepted, and every hour.
 */
import type { NewTask, Outcome } from '../../engine/processors/processor.js';
import type { Group } from './itemRequests.js';
import type { Push } from './pushContext.js';
import { type PushPayload, pushTask, type Source } from './pushTasks.js';

const HOUR_MS = 3_600_000;
/** Maximum hourly attempts: a month. Afterwards an accepted call, or a new number, still triggers them. */
const MOST_HOURS = 720;
/** Pause after they were refused although another call was accepted: other items may be accepted while these never are. */
const REST_MS = 600_000;
/** Maximum consecutive refused calls before the rest is left to the hourly task, since the provider counts calls. */
const MOST_REFUSALS = 3;

const ALL: Source = { items: 'refused' };

/** Returns the tasks after a call that the provider accepted. `handle`: handle of its batch. */
export function afterTaken({ memory, workspaceId, clock }: Push, handle: string): NewTask[] {
  const store = memory.of(workspaceId);
  if (store.refused === false) return [];
  store.refused = false;
  const at = clock.now() + Math.max(0, (store.refusedUntil ?? 0) - clock.steady.now());
  return [pushTask(`refused/${workspaceId}/${handle}`, { workspaceId, source: ALL }, at)];
}

/** Returns the tasks after a call that the provider refused: the hourly task, one per store. */
export function afterRefused({ memory, workspaceId, clock, task }: Push): NewTask[] {
  const store = memory.of(workspaceId);
  store.refused = true;
  const now = clock.steady.now();
  const name = `hourly/${task.id}`;
  const hourly = pushTask(name, { workspaceId, source: ALL, hours: 0 }, clock.now() + HOUR_MS);
  if (store.hourly !== undefined && store.hourly.at > now && store.hourly.taskId !== hourly.id) return [];
  store.hourly = { taskId: hourly.id, at: now + HOUR_MS };
  return [hourly];
}

/** Returns true if another hourly task of the store is scheduled. */
export function isScheduled({ memory, workspaceId, clock, task }: Push, { hours }: PushPayload): boolean {
  if (hours === undefined) return false;
  const store = memory.of(workspaceId);
  if (store.hourly !== undefined && store.hourly.taskId !== task.id && store.hourly.at > clock.steady.now())
    return true;
  store.hourly = { taskId: task.id, at: clock.steady.now() };
  return false;
}

/** Restarts from the beginning when no items are left after the position of the last attempt. Earlier items are retried once an hour. */
export function fromTheStart(push: Push, payload: PushPayload): Outcome {
  const { source, hours } = payload;
  const isPart = source.items === 'refused' && source.after !== undefined;
  return hours !== undefined && isPart ? nextHour(push, { ...payload, source: ALL }) : { done: true };
}

/** Schedules the next items after the provider has refused a call again: at once for a few calls, then every hour. */
export function refusedAgain(push: Push, payload: PushPayload, { rest }: Group): Outcome {
  const { workspaceId, hours, refusals = 0 } = payload;
  if (hours !== undefined) return nextHour(push, { workspaceId, source: rest ?? ALL, hours });
  const next = afterRefused(push);
  push.memory.of(workspaceId).refusedUntil = push.clock.steady.now() + REST_MS;
  if (rest === undefined || refusals + 1 >= MOST_REFUSALS) return { done: true, next };
  return { again: { at: push.clock.now(), payload: { workspaceId, source: rest, refusals: refusals + 1 } }, next };
}

function nextHour({ memory, workspaceId, clock, task }: Push, payload: PushPayload): Outcome {
  const hours = (payload.hours ?? 0) + 1;
  const store = memory.of(workspaceId);
  store.refused = true;
  if (hours >= MOST_HOURS) return { done: true };
  store.hourly = { taskId: task.id, at: clock.steady.now() + HOUR_MS };
  return { again: { at: clock.now() + HOUR_MS, payload: { ...payload, hours } } };
}
