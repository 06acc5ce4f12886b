import { defined } from '../../../domain/defined.js';
import type { CollectionDefinition, NewDocument, StoredDocument, WriteBatch } from '../../ports/documents.js';
import type { LogPlace, RecordedEvent } from '../../ports/eventStore.js';
import { placeOf, type TracePlace } from '../../ports/tracing.js';
import { partitionedCollection, tasksCollection } from './workPlaces.js';

export { checkpointName, processorOf, tasksCollection } from './workPlaces.js';

import type { NewTask, Outcome, Task } from '../processor.js';

/** A task in the runtime: with its shard if the work is partitioned, and its trace. */
export interface PendingTask extends Task {
  /** Version of the stored task, from 1. It grows with each performance, including those that count as no attempt. */
  readonly revision: number;
  /** Consecutive errors, including those of unavailable stores. Determines the back-off. */
  readonly failures: number;
  /** Time at which it was last rescheduled, ms since 1970. Absent if it never was. */
  readonly since?: number;
  readonly shard?: number;
  readonly trace?: TracePlace;
}

/** A due task, which is opened only when it is taken into memory. */
export interface Due {
  readonly id: string;
  readonly lane: string;
  readonly shard?: number;
  readonly revision: number;
  open(): PendingTask;
}

/** A task of an event, with the place before the event. Reading from that place notes the task again. */
export interface Noted {
  readonly task: PendingTask;
  readonly before: LogPlace;
}

/** Result of performing a task. */
export interface Performed {
  readonly task: PendingTask;
  readonly outcome: Outcome;
  /** Consecutive errors, including this one; 0 after an outcome. */
  readonly failures: number;
  /** Set if a store was unavailable. The performance then counts as no attempt. */
  readonly uncounted?: true;
  /** Trace of this performance, for tasks that follow from it. */
  readonly trace?: TracePlace;
}

/** The stored part that no query uses. */
interface TaskBody {
  readonly kind: string;
  readonly payload: unknown;
  readonly createdAt: number;
  readonly failures?: number;
  readonly since?: number;
  /** Absent if every performance was an attempt. It then equals the revision. */
  readonly attempt?: number;
  readonly trace?: TracePlace;
}

/**
 * Every document is a pending task; a finished one is removed with its outcome. Two indexes are enough: all tasks by
 * due time, and the tasks of one lane by due time.
 */
export const tasksDefinition = (processor: string): CollectionDefinition => ({
  name: tasksCollection(processor),
  keys: { lane: 'text', dueAt: 'number' },
  indexes: [{ keys: ['dueAt'] }, { keys: ['lane', 'dueAt'] }],
});

/** Definition for partitioned work: tasks are ordered by due time within a shard. */
export const partitionedDefinition = (processor: string, count: number): CollectionDefinition => ({
  name: partitionedCollection(processor, count),
  keys: { shard: 'number', lane: 'text', dueAt: 'number' },
  indexes: [{ keys: ['shard', 'dueAt'] }, { keys: ['lane', 'dueAt'] }],
});

/** See `Processor.stored`. */
export type StoredPart = (payload: never) => unknown;
const allOf: StoredPart = (payload) => payload;

/** Creates the document of a task. A write of an earlier version never replaces a later one. */
export const taskDocument = (task: PendingTask, stored: StoredPart = allOf): NewDocument => ({
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

export function taskOf(document: StoredDocument): PendingTask {
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

/** Returns a task for the lanes, which open it only when there is room. */
export const storedDue = (document: StoredDocument): Due => ({
  id: document.id,
  lane: document.keys.lane as string,
  ...shardIn(document),
  revision: document.revision,
  open: () => taskOf(document),
});

/** Shard and trace of a new task. */
interface Origin {
  readonly shard?: number | undefined;
  /** Trace of the cause. */
  readonly trace?: TracePlace | undefined;
}

/** Returns the origin for tasks of an event. */
export const originOf = ({ meta }: RecordedEvent, shard?: number): Origin => ({ shard, trace: placeOf(meta) });

/** `due`: due time for a task without one of its own; now when absent. */
export function newTask(task: NewTask, now: number, due = now, { shard, trace }: Origin = {}): PendingTask {
  // Members are listed one by one, since there are many tasks: adding to a spread would take as long as all of this.
  const { id, kind, lane, dueAt = due, payload } = task;
  const pending: PendingTask = { id, kind, lane, payload, dueAt, attempt: 1, revision: 1, createdAt: now, failures: 0 };
  return shard === undefined && trace === undefined ? pending : { ...pending, ...defined({ shard, trace }) };
}

/**
 * Returns the tasks that an outcome leads to: follow-up tasks in the same shard first, then the task itself if it is
 * repeated. In this order an interrupted write never stores the performance without the tasks that follow from it.
 */
export function followUpTasks(performed: Performed, now: number): PendingTask[] {
  const { task, outcome, failures, uncounted = false, trace = task.trace } = performed;
  const next = (outcome.next ?? []).map((one) => newTask(one, now, now, { shard: task.shard, trace }));
  if (!('again' in outcome)) return next;
  const { at, payload = task.payload } = outcome.again;
  const attempt = uncounted ? task.attempt : task.attempt + 1;
  return [...next, { ...task, dueAt: at, payload, attempt, revision: task.revision + 1, failures, since: now }];
}

interface Batch {
  /** Keyed by id: only the newest of several versions of a document is written. */
  readonly put: Map<string, NewDocument>;
  readonly remove: { id: string; revision: number }[];
}

/** Batches of one write by collection, while they are gathered. */
export class Gathered {
  readonly #tasks: string;
  readonly #stored: StoredPart | undefined;
  readonly #batches = new Map<string, Batch>();

  /** `tasks`: the processor's own collection. */
  constructor(tasks: string, stored?: StoredPart) {
    this.#tasks = tasks;
    this.#stored = stored;
  }

  addTasks(tasks: readonly PendingTask[]): void {
    for (const task of tasks) this.#put(this.#tasks, taskDocument(task, this.#stored));
  }

  done({ id, revision }: PendingTask): void {
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
