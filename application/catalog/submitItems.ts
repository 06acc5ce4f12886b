import { randomUUID } from 'node:crypto';
import { batchSubmitted, busyItems, catalogRefused } from '../../domain/catalog/catalogSync.js';
import { defined } from '../../domain/defined.js';
import { backOff } from '../../engine/backOff.js';
import type { NewTask, Outcome } from '../../engine/processors/processor.js';
import { type ItemProblem, ProviderError } from '../ports/catalogProvider.js';
import {
  GROUP,
  type Group,
  type ItemRow,
  isRemoval,
  nextGroup,
  type Requests,
  requestsOf,
  syncedItem,
} from './itemRequests.js';
import { PUSH_VIEWS, type Push } from './pushContext.js';
import { checkTask, type PushPayload, pricedAgain, type Source } from './pushTasks.js';
import { refuseProblems, refuseRows } from './refusedItems.js';
import { afterRefused, afterTaken, fromTheStart, isScheduled, refusedAgain } from './refusedPushes.js';

/** Maximum batches of one store that are open at the provider. */
const MOST_OPEN = 8;
/** Maximum answers without a handle before the items count as refused. */
const MOST_EMPTY = 3;
const WAIT_FOR_BATCH_MS = 1000;
/** Time in ms after which removals are retried that the provider refused for a reason that needs a person. */
const REMOVALS_AGAIN_MS = 600_000;

/** Pause after a round of pushes, in ms: the provider counts calls, and stores with many changes soon have more. */
const REST_MS = 3_000;
const LONG_REST_MS = 15_000;
/** Number of items in a round that triggers the long pause. */
const MANY_ITEMS = 200;

/** Number of changes that indicates an upload. The round then waits until the changes pause, or for the maximum time. */
const UPLOAD_CHANGES = 500;
const QUIET_MS = 1_000;
const UPLOAD_MS = 20_000;

const DONE: Outcome = { done: true };

/** Pushes the next group of a store's items in their current state. Makes one provider call. The same task continues with the rest. */
export async function submitItems(push: Push, payload: PushPayload): Promise<Outcome> {
  const { clock, workspaceId, task } = push;
  const store = push.memory.of(workspaceId);
  const { retry, restUntil, connected } = store;
  if (
    retry !== undefined &&
    retry.taskId !== task.id &&
    retry.at > clock.steady.now() &&
    payload.source.items === 'owed'
  )
    return DONE;
  if (isScheduled(push, payload)) return DONE;
  if (payload.source.items === 'owed' && payload.round === undefined) {
    const wait = Math.max(restUntil - clock.steady.now(), uploadWait(push));
    if (wait > 0) return later(push, payload, wait);
  }
  await push.caughtUp(PUSH_VIEWS);
  const number = await push.number();
  if (number === undefined) {
    // A number that was connected meanwhile may be later in the log than the read position.
    store.numberless = store.connected === connected;
    return DONE;
  }
  const { busy, open } = await push.querySync((sync) => ({ busy: busyItems(sync), open: [...sync.open.keys()] }));
  // Changes since are pushed when a batch has finished.
  if (open.length >= MOST_OPEN)
    return withChecks(
      push,
      open,
      payload.source.items === 'owed' ? DONE : { again: { at: clock.now() + WAIT_FOR_BATCH_MS } },
    );
  const { most = GROUP, updatesOnly = false } = payload;
  const group = await nextGroup(push, payload.source, busy, { most, updatesOnly });
  if (group.rows.length === 0) return withChecks(push, open, afterAll(push, payload));
  return withChecks(push, open, await submitGroup(push, payload, group, number.catalogId));
}

/** Returns the ms until the next check for the end of an upload. 0: the round may start. */
function uploadWait({ clock, memory, workspaceId }: Push): number {
  const store = memory.of(workspaceId);
  const now = clock.steady.now();
  store.uploadUntil ??= now + UPLOAD_MS;
  const uploading = store.changes >= UPLOAD_CHANGES && now - store.changedAt < QUIET_MS && now < store.uploadUntil;
  if (uploading) return QUIET_MS;
  store.changes = 0;
  store.uploadUntil = undefined;
  return 0;
}

/**
 * Adds check tasks for batches without one: a stop between recording a batch and storing its check must not leave it unchecked. Call it
 * last: if the outcome is lost in an error, a batch that is marked as checked is never checked, and its items are never pushed again.
 */
function withChecks({ memory, workspaceId, clock }: Push, open: readonly string[], outcome: Outcome): Outcome {
  const { checked } = memory.of(workspaceId);
  const unchecked = open.filter((handle) => !checked.has(handle));
  for (const handle of unchecked) checked.add(handle);
  const next = unchecked.map((handle): NewTask => checkTask(workspaceId, handle, clock.now()));
  return { ...outcome, next: [...next, ...(outcome.next ?? [])] };
}

function afterAll(push: Push, payload: PushPayload): Outcome {
  const { workspaceId, source, updatesOnly } = payload;
  if (updatesOnly) return { again: { at: push.clock.now() + REMOVALS_AGAIN_MS, payload: { workspaceId, source } } };
  return fromTheStart(push, payload);
}

async function submitGroup(push: Push, payload: PushPayload, group: Group, catalogId: string): Promise<Outcome> {
  const { requests, again } = await requestsOf(push, group.rows);
  try {
    const { handle, problems } = await push.provider.submit(catalogId, requests, push.signal);
    push.memory.of(push.workspaceId).retry = undefined;
    if (handle === undefined) return nothingAccepted(push, payload, group, problems);
    return accepted(push, payload, group, { catalogId, handle, problems, again });
  } catch (error) {
    if (!(error instanceof ProviderError) || push.signal.aborted) throw error;
    return notSubmitted(push, payload, group, error);
  }
}

interface Accepted {
  readonly catalogId: string;
  readonly handle: string;
  readonly problems: readonly ItemProblem[];
  readonly again: Requests['again'];
}

async function accepted(push: Push, payload: PushPayload, group: Group, answer: Accepted): Promise<Outcome> {
  const { workspaceId, clock } = push;
  const { handle, problems, catalogId, again } = answer;
  await refuseProblems(push, group.rows, problems);
  const refused = new Set(problems.map(({ retailerId }) => retailerId));
  const items = group.rows.filter((row) => !isRemoval(row) && !refused.has(row.body.retailerId)).map(syncedItem);
  const removals = group.rows.filter(isRemoval).map(syncedItem);
  await push.record(batchSubmitted(catalogId, handle, items, removals), handle, 'submitted');
  const store = push.memory.of(workspaceId);
  const round = (payload.round ?? 0) + group.rows.length;
  if (group.rest === undefined) store.restUntil = clock.steady.now() + (round < MANY_ITEMS ? REST_MS : LONG_REST_MS);
  store.checked.add(handle);
  const check = checkTask(workspaceId, handle, clock.now(), payload.lost);
  return {
    ...goOn(push, { ...payload, round }, group.rest),
    next: [check, ...pricedAgain(workspaceId, handle, again), ...afterTaken(push, handle)],
  };
}

/** Continues with the rest at once, after tasks that are already due in this lane. */
function goOn({ clock }: Push, { workspaceId, updatesOnly, round }: PushPayload, rest: Source | undefined): Outcome {
  if (rest === undefined && updatesOnly !== true) return DONE;
  const payload: PushPayload = {
    workspaceId,
    source: rest ?? { items: 'owed' },
    ...(updatesOnly && { updatesOnly }),
    ...defined({ round }),
  };
  return { again: { at: clock.now(), payload } };
}

/** Handles an answer that accepts nothing: items with problems have failed, others are retried a few times. */
async function nothingAccepted(
  push: Push,
  payload: PushPayload,
  group: Group,
  problems: readonly ItemProblem[],
): Promise<Outcome> {
  await refuseProblems(push, group.rows, problems);
  const empty = problems.length > 0 ? 0 : (payload.empty ?? 0) + 1;
  if (empty < MOST_EMPTY) {
    const wait = empty === 0 ? 0 : backOff(empty);
    return later(push, { ...payload, empty }, wait);
  }
  return callRefused(push, payload, group, (items) =>
    refuseRows(push, items, () => 'The catalog provider accepted nothing.', { call: true }),
  );
}

/** Records that the items failed with their call, and continues. Items that failed before are not recorded for each attempt. */
async function callRefused(
  push: Push,
  payload: PushPayload,
  group: Group,
  note: (items: readonly ItemRow[]) => Promise<unknown>,
): Promise<Outcome> {
  const isAgain = payload.source.items === 'refused';
  await note(isAgain ? [] : group.rows.filter((row) => !isRemoval(row)));
  if (isAgain) return refusedAgain(push, payload, group);
  return { ...goOn(push, withoutRemovals(payload, group), group.rest), next: afterRefused(push) };
}

const withoutRemovals = (payload: PushPayload, { rows }: Group): PushPayload =>
  rows.some(isRemoval) ? { ...payload, updatesOnly: true } : payload;

/** Repeats the task after `wait` ms. Pushes for changes until then are left to this task. */
function later({ memory, workspaceId, task, clock }: Push, payload: PushPayload, wait: number): Outcome {
  if (payload.source.items === 'owed')
    memory.of(workspaceId).retry = { taskId: task.id, at: clock.steady.now() + wait };
  return { again: { at: clock.now() + wait, payload } };
}

async function notSubmitted(push: Push, payload: PushPayload, group: Group, error: ProviderError): Promise<Outcome> {
  if (error.retry) {
    const failures = (payload.failures ?? 0) + 1;
    return later(push, { ...payload, failures }, error.retryAfterMs ?? backOff(failures));
  }
  const { rows } = group;
  if (error.code === 'batch_too_large' && rows.length > 1)
    return { again: { at: push.clock.now(), payload: { ...payload, most: Math.ceil(rows.length / 2) } } };
  if (error.code === 'batch_too_large') {
    await refuseRows(push, rows, () => error.message);
    return goOn(push, withoutRemovals(payload, group), group.rest);
  }
  return callRefused(push, payload, group, (items) =>
    push.record(catalogRefused(error.code, error.message, items.map(syncedItem)), 'failed', randomUUID()),
  );
}
