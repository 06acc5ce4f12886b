/** Erases personal data in pending tasks about customers. */
import { pagesOf } from '../../engine/collections.js';
import type { DocumentStore, NewDocument, StoredDocument } from '../../engine/ports/documents.js';
import { workIn } from '../../engine/processors/tasks/workPlaces.js';
import { NOBODYS } from '../channel/sendingTask.js';
import { speaksOf } from './traces.js';

/** Values that identify a customer in the JSON of a task. */
export interface Traces {
  /** Phones, with and without the `+`, user ids, ids of conversations. */
  readonly values: Set<string>;
  /** Ids of orders. */
  readonly orders: Set<string>;
}

interface PendingTask {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

type Erase = (task: PendingTask) => PendingTask | undefined;
const gone: Erase = () => undefined;

/**
 * Erasures by processor whose tasks contain personal data. Other tasks contain only ids. Undefined: the task is removed. A waiting message
 * stays until the outbox records in its conversation that it was not sent. A webhook is rendered again when it is due.
 */
const ERASED_BY: Readonly<Record<string, Erase>> = {
  outbox: (task) => ({ ...task, payload: { ...task.payload, ...NOBODYS } }),
  webhooks(task) {
    const { body, ...payload } = task.payload;
    return body === undefined ? task : { ...task, payload };
  },
  orderIntake: gone,
  orderMessages: gone,
  media(task) {
    const { content: _, ...payload } = task.payload;
    return { ...task, payload };
  },
  routing: (task) => (task.kind === 'merge' ? undefined : task),
};

/** Erases the data in all stored tasks. A task in progress checks by itself whether its customer was erased. */
export async function eraseTasks(work: DocumentStore, traces: Traces): Promise<void> {
  const mentions = speaksOf([...traces.values, ...traces.orders]);
  for (const { processor, collection } of workIn(await work.list())) {
    const erase = ERASED_BY[processor];
    if (erase === undefined) continue;
    for await (const page of pagesOf(work, collection))
      for (const task of page.filter(({ json }) => mentions(json))) await eraseTask(work, collection, task, erase);
  }
}

async function eraseTask(work: DocumentStore, collection: string, task: StoredDocument, erase: Erase): Promise<void> {
  const { id, keys, revision } = task;
  const erased = erase(task.body as PendingTask);
  if (erased === task.body) return;
  if (erased === undefined) return work.write({ [collection]: { remove: [{ id, revision }] } });
  // The version is unchanged, so that a performance in progress can complete the task.
  const next: NewDocument = { id, keys, revision, body: erased };
  await work.replace(collection, revision, next);
}
