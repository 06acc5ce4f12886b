/** A made history into an event store, some appends on their way at a time, and into a folder that can be served. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { checkpointName, tasksDefinition } from '../../engine/processors/tasks/taskDocuments.js';
import { noteOrigin } from '../../engine/processors/tasks/workOrigin.js';
import { processorNames } from '../../harness/load/processorNames.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { Year, type YearPlan } from './year.js';

/** Appends on their way: while one half is being written the other is made. */
const HALF = 2_000;
const PROGRESS_MS = 1000;

export interface Made {
  readonly events: number;
  /** Ids of the stores, the busiest first. */
  readonly workspaceIds: readonly string[];
  /** Time of the newest event. */
  readonly until: string;
}

export interface Making {
  /** Called once a second. */
  readonly report?: (year: Year) => void;
  /** Ends the making between two commands; what was made stays. */
  readonly signal?: AbortSignal;
}

/** Throws what an append throws, and the signal's reason. */
async function writeYear(
  store: Pick<EventStore, 'append'>,
  plan: YearPlan,
  { report, signal }: Making = {},
): Promise<Made> {
  let made: Promise<unknown>[] = [];
  let before: Promise<unknown> = Promise.resolve();
  const year = new Year(plan, ({ stream, expected, events }) => {
    made.push(store.append(stream, expected, events));
  });
  const half = async (): Promise<void> => {
    const all = Promise.all(made);
    // Looked at with the next half, or at the end.
    all.catch(() => undefined);
    made = [];
    await before;
    before = all;
  };
  for (let reported = performance.now(); !year.isOver; ) {
    year.step();
    if (made.length < HALF) continue;
    await half();
    signal?.throwIfAborted();
    if (performance.now() - reported < PROGRESS_MS) continue;
    reported = performance.now();
    report?.(year);
  }
  await half();
  await before;
  const { written, now } = year.ledger;
  return {
    events: written,
    workspaceIds: year.shops.map(({ workspaceId }) => workspaceId),
    until: new Date(now).toISOString(),
  };
}

/**
 * Records the effects of all events as done: processors start after these events, as in a service that has always run. `suuq move`
 * carries the progress of processors that have a collection of tasks.
 */
export async function noteDone(folder: string, position: number): Promise<void> {
  const work = openEmbeddedReadModels(join(folder, 'work.db'));
  for (const name of processorNames) await work.open(tasksDefinition(name));
  await work.write({}, ...processorNames.map((name) => ({ name: checkpointName(name), position })));
  await noteOrigin(work, { kind: 'begun' });
  await work.close();
}

/** Makes an installation's folder. It must be empty or not there. */
export async function makeFolder(folder: string, plan: YearPlan, making: Making = {}): Promise<Made> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: name a folder that is, or that is not there.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  loadMasterKeys(folder);
  const store = await openEmbeddedEventStore(folder);
  try {
    const made = await writeYear(store, plan, making);
    await noteDone(folder, await store.head());
    return made;
  } finally {
    await store.close();
  }
}
