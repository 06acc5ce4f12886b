/** Entry of a thread that builds read models: it reads the log, and writes the assigned models to the file. */
import { parentPort, workerData } from 'node:worker_threads';
import { steadyClock } from '../../../engine/ports/clock.js';
import { Filler } from '../../../engine/projections/filling/filler.js';
import type { ToFiller } from '../../../engine/projections/filling/messages.js';
import { WriteGate } from '../../../engine/projections/filling/writeGate.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { type EventReads, upcastingReads } from '../../../engine/upcasting.js';
import { openEmbeddedEventLog } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { openEventStoreDb } from '../../engines/engines.js';
import { openedBy } from '../privacy/vaults.js';
import type { FillingData } from './fillingThreads.js';
import { loadEvolvedEvents } from './loadEvolvedEvents.js';
import { threadLog } from './threadLog.js';

const port = parentPort!;
const data = workerData as FillingData;
const log = threadLog((line) => port.postMessage(line));

function openLog({ events }: FillingData): Promise<EventReads> {
  if ('url' in events) return openEventStoreDb(events.url, events.maxAppendSize, log);
  return Promise.resolve(openEmbeddedEventLog(events.folder));
}

const { projections } = (await import(data.projections)) as { projections: readonly AnyProjection[] };
const eventStore = upcastingReads(
  await openedBy(await openLog(data), data.vault),
  await loadEvolvedEvents(data.evolved),
);
const views = openEmbeddedReadModels(data.file, { name: 'views.db', cacheKb: 65_536 });
const gate = new WriteGate(data.gate);
const filler = new Filler({
  eventStore,
  readModels: { ...views, write: (...given) => gate.next(data.number, () => views.write(...given)) },
  projections,
  clock: steadyClock,
  log,
  hasLive: () => gate.hasLive,
  post: (message) => port.postMessage(message),
});

async function stop(): Promise<void> {
  await filler.stop();
  await eventStore.close();
  await views.close();
  port.close();
}

port.on('message', (message: ToFiller) => {
  if ('stop' in message) void stop();
  else filler.hear(message);
});
