import { defined } from '../../../domain/defined.js';
import type { CollectionDefinition, NewDocument, StoredDocument, WriteBatch } from '../../ports/documents.js';
import type { LogPlace, RecordedEvent } from '../../ports/eventStore.js';
import { placeOf, type TracePlace } from '../../ports/tracing.js';
import { partedCollection, tasksCollection } from './workPlaces.js';

export { checkpointName, processorOf, tasksCollection } from './workPlaces.js';

import type { NewTask, Outcome, Task } from '../processor.js';

/** A task as the runtime holds it: with its shard where the work is parted, and what led to it. */
export interface OwedTask extends Task {
  /** Version of the stored task, from 1. It grows with each performance, also with one that counts as no attempt. */
  readonly revision: number;
  /** Throws in a row, those of a store that did not answer included: what the back-off goes by. */
  readonly failures: number;
  /** When it was put off last, ms since 1970; absent until it is. */
  readonly since?: number;
  readonly shard?: number;
  readonly trace?: TracePlace;
}

/** A task that is due, opened only when it is taken into memory. */
export interface Due {
  readonly id: string;
  readonly lane: string;
  readonly shard?: number;
  readonly revision: number;
  open(): OwedTask;
}

/** A task of an event, with the place that was noted before the event: going on from there notes it again. */
export interface Noted {
  readonly task: OwedTask;
  readonly before: LogPlace;
}

/** What came of a task that was performed. */
export interface Performed {
  readonly task: OwedTask;
  readonly outcome: Outcome;
  /** Throws in a row, this one included; 0 after an outcome. */
  readonly failures: number;
  /** A store did not answer, which is no attempt. */
  readonly uncounted?: true;
  /** Of this performance, for what follows from it. */
  readonly trace?: TracePlace;
}

/** The stored part that no query looks into. */
interface TaskBody {
  readonly kind: string;
  readonly payload: unknown;
  readonly createdAt: number;
  readonly failures?: number;
  readonly since?: number;
  /** Absent where every performance was an attempt: then it is the revision. */
  readonly attempt?: number;
  readonly trace?: TracePlace;
}

/**
 * Every document is an owed task: a finished one is removed with its outcome. Two indexed orders are enough:
 * all tasks by time (what falls due next), and one lane's by time (what that lane does next).
 */
export const tasksDefinition = (processor: string): CollectionDefinition => ({
  name: tasksCollection(processor),
  keys: { lane: 'text', dueAt: 'number' },
  indexes: [{ keys: ['dueAt'] }, { keys: ['lane', 'dueAt'] }],
});

/** The same where a processor's work is parted: by time within a shard. */
export const partedDefinition = (processor: string, count: number): CollectionDefinition => ({
  name: partedCollection(processor, count),
  keys: { shard: 'number', lane: 'text', dueAt: 'number' },
  indexes: [{ keys: ['shard', 'dueAt'] }, { keys: ['lane', 'dueAt'] }],
});

/** See `Processor.stored`. */
export type StoredPart = (payload: never) => unknown;
const allOf: StoredPart = (payload) => payload;

/** A write of an earlier version never undoes a later one. */
export const taskDocument = (task: OwedTask, stored: StoredPart = allOf): NewDocument => ({
  id: task.id,
  keys: { lane: task.lane, dueAt: task.dueAt, ...defined({ shard: task.shard }) },
  revision: task.revision,
  body: {
    kind: task.kind,
    payload: stored(task.payload as never),
    createdAt: task.createdAt,
    ...(task.failures > 0 ? { failures: task.failures } : {}),
    ...(task.since !== undefined && { since: task.since }),
    ...(task.attempt !== task.revision && { attempt: task.attempt }),
    ...(task.trace !== undefined && { trace: task.trace }),
  } satisfies TaskBody,
});

const shardIn = ({ keys }: StoredDocument): { readonly shard?: number } =>
  typeof keys.shard === 'number' ? { shard: keys.shard } : {};

export function taskOf(document: StoredDocument): OwedTask {
  const body = document.body as TaskBody;
  return {
    id: document.id,
    kind: body.kind,
    lane: document.keys.lane as string,
    dueAt: document.keys.dueAt as number,
    payload: body.payload,
    attempt: body.attempt ?? document.revision,
    revision: document.revision,
    createdAt: body.createdAt,
    failures: body.failures ?? 0,
    ...(body.since !== undefined && { since: body.since }),
    ...(body.trace !== undefined && { trace: body.trace }),
    ...shardIn(document),
  };
}

/** For the lanes: opened only when there is room. */
export const storedDue = (document: StoredDocument): Due => ({
  id: document.id,
  lane: document.keys.lane as string,
  ...shardIn(document),
  revision: document.revision,
  open: () => taskOf(document),
});

/** Where a new task belongs. */
interface Origin {
  readonly shard?: number | undefined;
  /** What led to it. */
  readonly trace?: TracePlace | undefined;
}

/** Of a task that an event leads to. */
export const originOf = ({ meta }: RecordedEvent, shard?: number): Origin => ({ shard, trace: placeOf(meta) });

/** `due`: when it is due where it does not say; now when absent. */
export function newTask(task: NewTask, now: number, due = now, { shard, trace }: Origin = {}): OwedTask {
  // Member by member, as there are many: those that are added behind a spread take as long as all of this.
  const { id, kind, lane, dueAt = due, payload } = task;
  const owed: OwedTask = { id, kind, lane, payload, dueAt, attempt: 1, revision: 1, createdAt: now, failures: 0 };
  return shard === undefined && trace === undefined ? owed : { ...owed, ...defined({ shard, trace }) };
}

/**
 * The tasks that an outcome leads to: those that follow from it, which stay in its shard, and then the same one again. Where an engine is interrupted in
 * the middle of a write, what says that the task was performed must not stand without what follows from it.
 */
export function owedBy(performed: Performed, now: number): OwedTask[] {
  const { task, outcome, failures, uncounted = false, trace = task.trace } = performed;
  const next = (outcome.next ?? []).map((one) => newTask(one, now, now, { shard: task.shard, trace }));
  if (!('again' in outcome)) return next;
  const { at, payload = task.payload } = outcome.again;
  const attempt = uncounted ? task.attempt : task.attempt + 1;
  return [...next, { ...task, dueAt: at, payload, attempt, revision: task.revision + 1, failures, since: now }];
}

interface Batch {
  /** By id: of several versions of one document the newest alone is written. */
  readonly put: Map<string, NewDocument>;
  readonly remove: { id: string; revision: number }[];
}

/** One write, as it gathers: batches by collection. */
export class Gathered {
  readonly #tasks: string;
  readonly #stored: StoredPart | undefined;
  readonly #batches = new Map<string, Batch>();

  /** `tasks`: the processor's own collection. */
  constructor(tasks: string, stored?: StoredPart) {
    this.#tasks = tasks;
    this.#stored = stored;
  }

  owe(tasks: readonly OwedTask[]): void {
    for (const task of tasks) this.#put(this.#tasks, taskDocument(task, this.#stored));
  }

  done({ id, revision }: OwedTask): void {
    this.#of(this.#tasks).remove.push({ id, revision });
  }

  also({ also = {} }: Outcome): void {
    for (const [name, { put = [], remove = [] }] of Object.entries(also)) {
      for (const document of put) this.#put(name, document);
      if (remove.length > 0) this.#of(name).remove.push(...remove);
    }
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0;
  }

  batches(): Record<string, WriteBatch> {
    const batches: Record<string, WriteBatch> = {};
    for (const [name, { put, remove }] of this.#batches) batches[name] = { put: [...put.values()], remove };
    return batches;
  }

  #put(name: string, document: NewDocument): void {
    const { put } = this.#of(name);
    const before = put.get(document.id);
    if (before === undefined || before.revision < document.revision) put.set(document.id, document);
  }

  #of(name: string): Batch {
    let batch = this.#batches.get(name);
    if (batch === undefined) {
      batch = { put: new Map(), remove: [] };
      this.#batches.set(name, batch);
    }
    return batch;
  }
}
