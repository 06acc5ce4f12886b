/**
 * node eventStoreDbLoad.js URL CATEGORY: appends, reads and subscribes through EventStoreDB's adapter until its parent
 * sends stop, and reports the number of acknowledged appends. Exits with 1 if a rejection or an exception has reached
 * the process.
 */
import { randomUUID } from 'node:crypto';
import { BEFORE_ALL, StoreUnavailable, streamName } from '../../../engine/ports/eventStore.js';
import { openEventStoreDb } from '../../../infrastructure/eventstoredb/eventStoreDb.js';
import { meta } from '../../contracts/eventStoreKit.js';

const [url, category] = process.argv.slice(2) as [string, string];
const WRITERS = 40;
let stray = false;
const report = (kind: string) => (error: unknown) => {
  stray = true;
  process.stderr.write(`${kind}: ${error instanceof Error ? error.stack : String(error)}\n`);
};
process.on('unhandledRejection', report('unhandled rejection'));
process.on('uncaughtException', report('uncaught exception'));

const store = await openEventStoreDb(url, { timeoutMs: 800 });
const filter = { categories: [category] };
const subscription = store.subscribe(BEFORE_ALL, filter, { batch: () => {} });
let going = true;
let acknowledged = 0;
process.on('message', () => {
  going = false;
});

const orUnavailable = (error: unknown): void => {
  if (!(error instanceof StoreUnavailable)) throw error;
};

async function write(stream: string): Promise<void> {
  // Large enough that appends wait for back-pressure when the connection breaks.
  const data = { text: 'x'.repeat(40_000) };
  while (going) {
    await store
      .append(stream, 'any', [{ id: randomUUID(), type: 'Loaded', data, meta }])
      .then(() => process.send!(++acknowledged))
      .catch(orUnavailable);
    await store.readStream(stream, { direction: 'backwards', limit: 3 }).catch(orUnavailable);
  }
}

async function read(): Promise<void> {
  while (going) await store.readAll(BEFORE_ALL, { filter, limit: 50 }).catch(orUnavailable);
}

await Promise.all([read(), ...Array.from({ length: WRITERS }, (_, i) => write(streamName(category, String(i))))]);
await store.close();
await subscription.ended;
process.exitCode = stray ? 1 : 0;
process.disconnect!();
