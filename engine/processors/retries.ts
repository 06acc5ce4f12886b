/** Retries requested by an operator: tasks that wait become due now, whichever instance works on them. */
import { defined } from '../../domain/defined.js';
import { pause } from '../backOff.js';
import type { Clock } from '../ports/clock.js';
import { type DocumentStore, placeOf, type Query, type Scalar, type StoredDocument } from '../ports/documents.js';
import type { EventStore, Position, RecordedEvent, Subscription } from '../ports/eventStore.js';
import type { ProcessorRetried } from '../skipping/skippedEvents.js';
import { processorSkips } from '../skipping/skippedEvents.js';
import { taskDocument, taskOf } from './tasks/taskDocuments.js';
import { workIn } from './tasks/workPlaces.js';

const RESUBSCRIBE_MS = 1000;
const TYPE: ProcessorRetried['type'] = 'ProcessorRetried';

/**
 * Notifies workers of tasks that were brought forward, since they have already read past the new due time. Follows the
 * log from now on: a worker that starts reads all due tasks anyway.
 */
export function followRetries(
  { eventStore, clock }: { readonly eventStore: EventStore; readonly clock: Clock },
  rescan: (processor: string, from: number) => void,
): { start(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let position: Position | undefined;
  let subscription: Subscription | undefined;
  let following: Promise<void> | undefined;

  async function batch(events: readonly RecordedEvent[], through: Position): Promise<void> {
    for (const { data } of events) {
      const { name, dueAt } = data as ProcessorRetried['data'];
      rescan(name, Date.parse(dueAt));
    }
    position = through;
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        position ??= await eventStore.head();
        if (signal.aborted) return;
        subscription = eventStore.subscribe(position, { categories: [processorSkips.name], types: [TYPE] }, { batch });
        await subscription.ended;
        return;
      } catch {
        // Log readers of the processors report that the store is unavailable.
        await pause(clock.steady, RESUBSCRIBE_MS, signal);
      }
    }
  }

  return {
    start() {
      following ??= follow();
    },
    async stop() {
      stopping.abort();
      await subscription?.stop();
      await following;
    },
  };
}

const PAGE = 500;
/** Maximum number of tasks that are scanned and brought forward at once, earliest due first. */
const MOST = 10_000;

/** A waiting task. Its payload is left out, since it may contain personal data. */
export interface WaitingTask {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  /** Number of the next attempt; 1 if it has not been tried yet. */
  readonly attempt: number;
  /** Consecutive errors. */
  readonly failures: number;
  /** ms since 1970. */
  readonly dueAt: number;
  readonly createdAt: number;
}

const collectionsOf = async (work: DocumentStore, processor: string) =>
  workIn(await work.list()).filter((one) => one.processor === processor);

/** Returns the tasks that are due first, at most `most`. */
export async function waitingTasks(work: DocumentStore, processor: string, most: number): Promise<WaitingTask[]> {
  const found: WaitingTask[] = [];
  for (const { collection, places } of await collectionsOf(work, processor))
    for (const { shard } of places) {
      const where = shard === undefined ? {} : { where: { shard } };
      for (const row of await work.find(collection, { ...where, sort: ['dueAt'], limit: most })) {
        const { id, kind, lane, attempt, failures, dueAt, createdAt } = taskOf(row);
        found.push({ id, kind, lane, attempt, failures, dueAt, createdAt });
      }
    }
  return found.sort((a, b) => a.dueAt - b.dueAt).slice(0, most);
}

export interface BringForward {
  readonly processor: string;
  /** Id of the task. Absent: all tasks that were tried before. */
  readonly task?: string | undefined;
  /** Only tasks noted since this time, in ms since 1970. */
  readonly since?: number | undefined;
  /** New due time, in ms since 1970. */
  readonly now: number;
}

type Stored = readonly [collection: string, document: StoredDocument];

/** Yields stored tasks in the order of their due time. */
async function* ordered(work: DocumentStore, collection: string, where: Query['where']): AsyncGenerator<Stored> {
  let after: readonly Scalar[] | undefined;
  for (let isFull = true; isFull; ) {
    const rows = await work.find(collection, { ...defined({ where, after }), sort: ['dueAt'], limit: PAGE });
    for (const row of rows) yield [collection, row];
    isFull = rows.length === PAGE;
    if (isFull) after = placeOf(['dueAt'], rows.at(-1)!);
  }
}

/** Yields tasks that are due after `now`, at most 10,000. */
async function* later(work: DocumentStore, processor: string, now: number): AsyncGenerator<Stored> {
  let count = 0;
  // The index begins with the shard if the work is partitioned.
  for (const { collection, places } of await collectionsOf(work, processor))
    for (const { shard } of places)
      for await (const one of ordered(work, collection, { ...defined({ shard }), dueAt: { gt: now } })) {
        if (count === MOST) return;
        count++;
        yield one;
      }
}

async function* theOne(work: DocumentStore, processor: string, id: string): AsyncGenerator<Stored> {
  for (const { collection } of await collectionsOf(work, processor)) {
    const found = await work.get(collection, id);
    if (found !== undefined) yield [collection, found];
  }
}

/**
 * Makes waiting tasks due now. Timers that were never tried are included only by their id. Returns how many tasks
 * changed. A task that is performed meanwhile is not affected: its outcome is stored.
 */
export async function bringForward(
  work: DocumentStore,
  { processor, task, since = Number.NEGATIVE_INFINITY, now }: BringForward,
): Promise<number> {
  let count = 0;
  const waiting = task === undefined ? later(work, processor, now) : theOne(work, processor, task);
  for await (const [collection, row] of waiting) {
    const pending = taskOf(row);
    const isSelected =
      pending.dueAt > now && (task !== undefined || (pending.revision > 1 && pending.createdAt >= since));
    // The revision stays the same, so the outcome of a running attempt replaces this change.
    if (isSelected && (await work.replace(collection, row.revision, taskDocument({ ...pending, dueAt: now })))) count++;
  }
  return count;
}
