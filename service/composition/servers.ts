/** Shared engines. Their drivers are loaded only where one is used: most starts need none. */

import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';

/** Longest wait for one call of a server, in ms. */
const CALL_MS = 5000;
/** Of what EventStoreDB takes in one append, this much is for what goes around the data. */
const HEADROOM = 16_384;

const logged = (log: Log | undefined) => defined({ log });

/** Bytes of data in one append to a server that takes `maxAppendSize` bytes. */
export const mostBytesOf = (maxAppendSize: number): number => Math.max(HEADROOM, maxAppendSize - HEADROOM);

/** One for each thread; `maxAppendSize`: bytes that the server takes. Rejects with StoreUnavailable when it is away. */
export async function openEventStoreDb(url: string, maxAppendSize: number, log?: Log): Promise<EventStore> {
  const adapter = await import('../../infrastructure/eventstoredb/eventStoreDb.js');
  return adapter.openEventStoreDb(url, { mostBytes: mostBytesOf(maxAppendSize), timeoutMs: CALL_MS, ...logged(log) });
}

/** Rejects with StoreUnavailable when the server is away. */
export async function openMongo(url: string, prefix: 'views' | 'work', log?: Log): Promise<DocumentStore> {
  const adapter = await import('../../infrastructure/mongodb/mongoReadModels.js');
  return adapter.openMongoReadModels(url, { prefix, timeoutMs: CALL_MS, ...logged(log) });
}
