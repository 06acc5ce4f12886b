/** Tasks that wait for another attempt, or for their time, are brought forward on an operator's word, whichever instance works on them. */
import { defined } from '../../domain/defined.js';
import type { Clock } from '../ports/clock.js';
import { type DocumentStore, placeOf, type Query, type Scalar, type StoredDocument } from '../ports/documents.js';
import type { EventStore, Position, RecordedEvent, Subscription } from '../ports/eventStore.js';
import type { ProcessorRetried } from '../skipping/skippedEvents.js';
import { processorSkips } from '../skipping/skippedEvents.js';
import { pause } from './backOff.js';
import { taskDocument, taskOf } from './tasks/taskDocuments.js';
import { workIn } from './tasks/workPlaces.js';

const RESUBSCRIBE_MS = 1000;
const TYPE: ProcessorRetried['type'] = 'ProcessorRetried';

/**
 * Tells the workers of what was brought forward: they have read the log of their tasks beyond it. Only from now on, since who
 * starts reads all that is due.
 */
export function followRetries(
  { eventStore, clock }: { readonly eventStore: EventStore; readonly clock: Clock },
  lookAgain: (processor: string, from: number) => void,
): { start(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let position: Position | undefined;
  let subscription: Subscription | undefined;
  let following: Promise<void> | undefined;

  async function batch(events: readonly RecordedEvent[], through: Position): Promise<void> {
    for (const { data } of events) {
      const { name, dueAt } = data as ProcessorRetried['data'];
      lookAgain(name, Date.parse(dueAt));
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
        // Whoever reads the log for the processors themselves tells of a store that is away.
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
/** Tasks that are looked at, and brought forward at once: those that are due first. */
const MOST = 10_000;

/** A task as it waits. Without what it is performed with, which may be about a person. */
export interface WaitingTask {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  /** That comes next; 1: it has not been tried yet. */
  readonly attempt: number;
  /** Throws in a row. */
  readonly failures: number;
  /** ms since 1970. */
  readonly dueAt: number;
  readonly createdAt: number;
}

const collectionsOf = async (work: DocumentStore, processor: string) =>
  workIn(await work.list()).filter((one) => one.processor === processor);

/** The tasks that are due first, at most `most`. */
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
  /** The one that is meant; all that have been tried before, when absent. */
  readonly task?: string | undefined;
  /** Only those that were noted since, ms since 1970. */
  readonly since?: number | undefined;
  /** ms since 1970: when they are due from now on. */
  readonly now: number;
}

type Stored = readonly [collection: string, document: StoredDocument];

/** In the order of the time that they are due. */
async function* ordered(work: DocumentStore, collection: string, where: Query['where']): AsyncGenerator<Stored> {
  let after: readonly Scalar[] | undefined;
  for (let isFull = true; isFull; ) {
    const rows = await work.find(collection, { ...defined({ where, after }), sort: ['dueAt'], limit: PAGE });
    for (const row of rows) yield [collection, row];
    isFull = rows.length === PAGE;
    if (isFull) after = placeOf(['dueAt'], rows.at(-1)!);
  }
}

/** Tasks that are due after `now`, at most 10,000. */
async function* later(work: DocumentStore, processor: string, now: number): AsyncGenerator<Stored> {
  let count = 0;
  // The index goes by shard where the work is parted.
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
 * Makes tasks due now that wait for a later time; timers that have never been tried only by their id. Answers how many. A task
 * that is performed meanwhile is left alone: what stands in the store afterwards is what came of it.
 */
export async function bringForward(
  work: DocumentStore,
  { processor, task, since = Number.NEGATIVE_INFINITY, now }: BringForward,
): Promise<number> {
  let count = 0;
  const waiting = task === undefined ? later(work, processor, now) : theOne(work, processor, task);
  for await (const [collection, row] of waiting) {
    const owed = taskOf(row);
    const isMeant = owed.dueAt > now && (task !== undefined || (owed.revision > 1 && owed.createdAt >= since));
    // The version stays the one that it was.
    if (isMeant && (await work.replace(collection, row.revision, taskDocument({ ...owed, dueAt: now })))) count++;
  }
  return count;
}
