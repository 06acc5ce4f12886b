import { defined } from '../../domain/defined.js';
import { LONGEST_PAUSE_MS } from '../backOff.js';
import { messageOf } from '../messageOf.js';
import type { Clock } from '../ports/clock.js';
import { Fenced } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import type { ViewBeingBuilt } from '../projections/documentReads.js';
import { isStoreFailure } from '../storeFailures.js';
import type { ProcessorStatus } from './processor.js';
import type { PendingTask } from './tasks/taskDocuments.js';

/** Minimum time between two log lines about the same trouble, in ms. */
const LOGGED_MS = 1000;

/** Maximum duration of a call until it fails, in ms. A failed retry is noted by then. */
const CALL_MS = 15_000;

/** Logs errors that a processor retries, and shows them in its status. */
export interface Troubles {
  /**
   * Notes an error that the processor retries in `againInMs`. A retry that does not fail by then counts as successful,
   * even if nothing calls `answered`: the log may have no new event, and the work database no due task.
   */
  trouble(error: unknown, againInMs?: number): void;
  /** Notes that a task threw an error. */
  failed(task: PendingTask, error: unknown): void;
  /** Notes that the processor waits for a read model that is being built. Logged once per read model. */
  waitsFor(missing: ViewBeingBuilt): void;
  /** Notes that the stores respond: an event was handled, a task performed or an outcome written. */
  answered(): void;
  status(): Pick<ProcessorStatus, 'lastTrouble' | 'waitingSince'>;
}

export function createTroubles(processor: string, log: Log, clock: Pick<Clock, 'now' | 'steady'>): Troubles {
  const waitedFor = new Set<string>();
  let lastTrouble: string | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  /** `until`: by the steady clock. */
  let waiting: { readonly since: number; until: number } | undefined;

  function wait(againInMs: number): void {
    const now = clock.steady.now();
    const until = now + againInMs + CALL_MS;
    if (waiting === undefined || waiting.until < now) waiting = { since: clock.now(), until };
    else waiting.until = Math.max(waiting.until, until);
  }
  const waitingSince = (): number | undefined =>
    waiting === undefined || waiting.until < clock.steady.now() ? undefined : waiting.since;

  return {
    trouble(error, againInMs = LONGEST_PAUSE_MS) {
      if (error instanceof Fenced) return;
      const before = lastTrouble;
      lastTrouble = messageOf(error);
      if (isStoreFailure(error)) wait(againInMs);
      // Many tasks, and all shards, may report the same trouble.
      const now = clock.steady.now();
      if (lastTrouble === before && now - loggedAt < LOGGED_MS) return;
      loggedAt = now;
      log.warn({ processor, error: lastTrouble }, 'processor failed, retrying');
    },
    failed(task, error) {
      lastTrouble = messageOf(error);
      const details = { processor, task: task.id, kind: task.kind, attempt: task.attempt };
      log.warn({ ...details, error: lastTrouble }, 'task failed, retrying');
    },
    waitsFor({ view, message }) {
      if (waitedFor.has(view)) return;
      waitedFor.add(view);
      lastTrouble = message;
      log.info({ processor, projection: view }, 'processor waits for a read model build');
    },
    answered() {
      waiting = undefined;
    },
    status: () => defined({ lastTrouble, waitingSince: waitingSince() }),
  };
}
