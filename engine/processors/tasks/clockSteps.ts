/**
 * Brings forward tasks that were postponed while the wall clock was ahead. Their due times are wall clock times, so
 * once the clock is set back they would wait for as long as it was ahead.
 */
import { defined } from '../../../domain/defined.js';
import { LONGEST_PAUSE_MS } from '../../backOff.js';
import { type Clock, SET_BACK_MS } from '../../ports/clock.js';
import type { DocumentStore } from '../../ports/documents.js';
import { type PendingTask, taskDocument, taskOf } from './taskDocuments.js';

const PAGE = 500;
/** Distance between two due times that preserves their order, in ms. */
const APART_MS = 2 ** -12;
/**
 * Time from the first check after a clock change to the second, in ms. The second finds tasks that were being written.
 */
const AGAIN_MS = 30_000;

interface Parts {
  readonly work: Pick<DocumentStore, 'find' | 'replace'>;
  readonly collection: string;
  /** Shard whose tasks are checked. Absent: all tasks. */
  readonly shard?: number | undefined;
  readonly clock: Clock;
  /** True if no task is stored at the start. The first check is then skipped. */
  readonly isEmpty: boolean;
  /** Called when tasks were made due now. */
  brought(from: number): void;
  trouble(error: unknown, againInMs: number): void;
}

/**
 * True if a clock that was ahead postponed the task: it waits for a retry, or was due at once. Timers are not affected.
 */
export function isPutOff(
  { since, createdAt, revision, dueAt }: Pick<PendingTask, 'since' | 'createdAt' | 'revision' | 'dueAt'>,
  now: number,
): boolean {
  if (since !== undefined) return since > now + SET_BACK_MS;
  return revision === 1 && createdAt > now + SET_BACK_MS && dueAt <= createdAt + LONGEST_PAUSE_MS;
}

/** Checks at the start, and whenever the clock is set back. The returned function ends it. */
export function followClockSteps({ work, collection, shard, clock, isEmpty, brought, trouble }: Parts): () => void {
  let cancel: () => void = () => undefined;
  let isStopped = false;

  /** Makes tasks due now, with the same revision and in the same order per lane. Returns how many changed. */
  async function bringAll(tasks: readonly PendingTask[], now: number): Promise<number> {
    let count = 0;
    for (const task of tasks) {
      const next = taskDocument({ ...task, dueAt: now + count * APART_MS, since: now });
      if (await work.replace(collection, task.revision, next)) count++;
    }
    if (count > 0 && !isStopped) brought(now);
    return count;
  }

  async function bringForward(): Promise<void> {
    for (let isMore = true; isMore && !isStopped; ) {
      const now = clock.now();
      const where = { ...defined({ shard }), dueAt: { gt: now + LONGEST_PAUSE_MS } };
      const rows = await work.find(collection, { where, sort: ['dueAt'], limit: PAGE });
      const count = await bringAll(
        rows.map(taskOf).filter((task) => isPutOff(task, now)),
        now,
      );
      isMore = count > 0 && rows.length === PAGE;
    }
  }

  /** `checks`: remaining checks, including this one. */
  function check(checks: number, inMs: number): void {
    if (isStopped) return;
    cancel();
    cancel = clock.steady.at(clock.steady.now() + inMs, () => {
      bringForward().then(
        () => checks > 1 && check(checks - 1, AGAIN_MS),
        (error: unknown) => {
          trouble(error, AGAIN_MS);
          check(checks, AGAIN_MS);
        },
      );
    });
  }

  const unfollow = clock.onSetBack(() => check(2, 0));
  if (!isEmpty) check(1, 0);
  return () => {
    isStopped = true;
    unfollow();
    cancel();
  };
}
