import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../../engine/ports/eventStore.js';

/** Which log the documents of a store were made from: its first event, and where that stands. */
interface Mark {
  readonly event: string;
  readonly position: number;
}

const logMark: CollectionDefinition = { name: 'logMark', keys: {}, indexes: [] };
const ID = 'log';

/** Documents and log do not belong together. To go on would skip events, or do effects again. */
export class OtherLog extends Error {
  override readonly name = 'OtherLog';
}

/**
 * Documents know how far they have read by positions, which mean nothing in another log. So the first start on shared
 * engines notes which log it is, and a later one with another refuses to go on. Rejects with OtherLog.
 */
export async function checkLog(
  { store, name }: { readonly store: EventStore; readonly name: string },
  documents: { readonly work: DocumentStore; readonly name: string },
): Promise<void> {
  const { work } = documents;
  await work.open(logMark);
  const [first] = (await store.readAll(BEFORE_ALL, { limit: 1 })).events;
  const mark: Mark | undefined = first && { event: first.id, position: first.position };
  const noted = mark !== undefined && (await work.insert(logMark.name, { id: ID, keys: {}, body: mark, revision: 1 }));
  if (noted) return;
  const known = (await work.get<Mark>(logMark.name, ID))?.body;
  if (known === undefined || (known.event === mark?.event && known.position === mark.position)) return;
  throw new OtherLog(
    `The documents in ${documents.name} were made from another event log than ${name} holds. Name the log that belongs to them, or begin with an empty database (or data folder); 'suuq move' carries an embedded log and what belongs to it over.`,
  );
}
