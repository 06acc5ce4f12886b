import type { NewDocument, WriteBatch } from '../ports/documents.js';
import type { Lane } from './lanes.js';
import type { Outcome } from './processor.js';
import { newTask, type OwedTask, taskDocument } from './taskDocuments.js';

/** A task that was performed, with what came of it. */
export interface Finished {
  readonly lane: Lane;
  readonly task: OwedTask;
  readonly outcome: Outcome;
  /** Throws in a row, this one included; 0 after an outcome. */
  readonly failures: number;
}

/** The tasks that an outcome leads to: the same one again, and those that follow from it. */
export function owedBy({ task, outcome, failures }: Finished, now: number): OwedTask[] {
  const next = (outcome.next ?? []).map((task) => newTask(task, now));
  if (!('again' in outcome)) return next;
  const { at, payload = task.payload } = outcome.again;
  return [{ ...task, dueAt: at, payload, attempt: task.attempt + 1, failures }, ...next];
}

/** Batches by collection, as they gather. */
export class Gathered {
  readonly #tasks: string;
  readonly #batches = new Map<string, { put: NewDocument[]; remove: { id: string; revision: number }[] }>();

  /** `tasks`: the processor's own collection. */
  constructor(tasks: string) {
    this.#tasks = tasks;
  }

  owe(tasks: readonly OwedTask[]): void {
    if (tasks.length > 0) this.#of(this.#tasks).put.push(...tasks.map(taskDocument));
  }

  done({ id, attempt }: OwedTask): void {
    this.#of(this.#tasks).remove.push({ id, revision: attempt });
  }

  also({ also = {} }: Outcome): void {
    for (const [name, { put = [], remove = [] }] of Object.entries(also)) {
      this.#of(name).put.push(...put);
      this.#of(name).remove.push(...remove);
    }
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0;
  }

  batches(): Record<string, WriteBatch> {
    return Object.fromEntries(this.#batches);
  }

  #of(name: string) {
    let batch = this.#batches.get(name);
    if (batch === undefined) {
      batch = { put: [], remove: [] };
      this.#batches.set(name, batch);
    }
    return batch;
  }
}
