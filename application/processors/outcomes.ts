import type { Clock } from '../ports/clock.js';
import { type Fence, Fenced, type NewDocument, type ReadModels, type WriteBatch } from '../ports/readModels.js';
import type { Lane } from './lanes.js';
import type { Outcome } from './processor.js';
import { newTask, type OwedTask, taskDocument } from './taskDocuments.js';

/** Outcomes that wait for their write; beyond, nothing more is performed until they are written. */
const MOST_WAITING = 500;
const TROUBLE_MS = 1000;

export interface Finished {
  readonly lane: Lane;
  readonly task: OwedTask;
  readonly outcome: Outcome;
  /** Throws in a row, this one included; 0 after an outcome. */
  readonly failures: number;
}

export interface Outcomes {
  add(finished: Finished): void;
  room(): boolean;
  /** Writes what waits; resolves when nothing does, or when a write failed after stopping. */
  flush(): Promise<void>;
  stop(): void;
}

interface Parts {
  readonly work: ReadModels;
  readonly collection: string;
  readonly clock: Clock;
  /** Goes with every write, where there may be other owners. */
  readonly fence: Fence | undefined;
  /** They are durable; `owed` are the tasks that they lead to. */
  written(finished: readonly Finished[], owed: readonly OwedTask[]): void;
  /** There is a newer owner: nothing was written. */
  fenced(): void;
  trouble(error: unknown): void;
}

interface Writing {
  readonly batches: Record<string, WriteBatch>;
  readonly owed: OwedTask[];
}

function owedBy({ task, outcome, failures }: Finished, now: number): OwedTask[] {
  const next = (outcome.next ?? []).map((task) => newTask(task, now));
  if (!('again' in outcome)) return next;
  const { at, payload = task.payload } = outcome.again;
  return [{ ...task, dueAt: at, payload, attempt: task.attempt + 1, failures }, ...next];
}

function toWrite(collection: string, finished: readonly Finished[], now: number): Writing {
  const batches = new Map<string, { put: NewDocument[]; remove: { id: string; revision: number }[] }>();
  const batch = (name: string) => {
    let found = batches.get(name);
    if (found === undefined) {
      found = { put: [], remove: [] };
      batches.set(name, found);
    }
    return found;
  };
  const owed: OwedTask[] = [];
  const tasks = batch(collection);
  for (const each of finished) {
    if ('done' in each.outcome) tasks.remove.push({ id: each.task.id, revision: each.task.attempt });
    owed.push(...owedBy(each, now));
    for (const [name, also] of Object.entries(each.outcome.also ?? {})) {
      batch(name).put.push(...(also.put ?? []));
      batch(name).remove.push(...(also.remove ?? []));
    }
  }
  tasks.put.push(...owed.map(taskDocument));
  return { batches: Object.fromEntries(batches), owed };
}

/** Writes outcomes together: all that came while the last write ran, or within one turn of the event loop. */
export function createOutcomes({ work, collection, clock, fence, written, fenced, trouble }: Parts): Outcomes {
  const fences = fence === undefined ? [] : [fence];
  let waiting: Finished[] = [];
  let writing: Promise<void> | undefined;
  let stopped = false;
  let wake: () => void = () => undefined;

  const retryLater = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.at(clock.now() + TROUBLE_MS, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });

  /** False: it could not be written, and this runtime is stopping or not the owner; the tasks will be performed again. */
  async function persist(batches: Record<string, WriteBatch>): Promise<boolean> {
    for (;;) {
      try {
        await work.write(batches, ...fences);
        return true;
      } catch (error) {
        if (error instanceof Fenced) {
          stopped = true;
          fenced();
          return false;
        }
        trouble(error);
        if (stopped) return false;
        await retryLater();
      }
    }
  }

  async function writeAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const finished = waiting;
      waiting = [];
      const { batches, owed } = toWrite(collection, finished, clock.now());
      if (!(await persist(batches))) {
        waiting = [];
        return;
      }
      written(finished, owed);
    }
  }

  function begin(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (waiting.length > 0) void begin();
    });
    return writing;
  }

  return {
    add(finished) {
      waiting.push(finished);
      void begin();
    },
    room: () => waiting.length < MOST_WAITING,
    async flush() {
      while (writing !== undefined) await writing;
    },
    stop() {
      stopped = true;
      wake();
    },
  };
}
