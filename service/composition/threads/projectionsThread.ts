/** Entry of the thread that keeps the read models: the log's reader, their writer, and the runtime. */

import { availableParallelism } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { defined } from '../../../domain/defined.js';
import { createLeases, type Leases } from '../../../engine/ownership/leases.js';
import { steadyClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { Position } from '../../../engine/ports/eventStore.js';
import { asPort } from '../../../engine/ports/storeErrors.js';
import { handlerFingerprints, type RecordedFingerprints } from '../../../engine/projections/handlerFingerprints.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { createProjectionRuntime, type Positions } from '../../../engine/projections/runtime.js';
import type { ProjectionStatus } from '../../../engine/projections/status.js';
import type { Changed } from '../../../engine/projections/viewChanges.js';
import { SHARDS } from '../../../engine/shards.js';
import { type EventReads, upcastingReads } from '../../../engine/upcasting.js';
import { openEmbeddedEventStoreReader } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { openEventStoreDb, openMongo, type ViewsPlace } from '../../engines/engines.js';
import { openedBy, type VaultAccess } from '../privacy/vaults.js';
import { type FillingThreads, fillingThreads } from './fillingThreads.js';
import { loadEvolvedEvents } from './loadEvolvedEvents.js';
import { type LogLine, threadLog } from './threadLog.js';

/** The log: an embedded one that this process has open, or a server. */
export type EventSource =
  | { readonly folder: string; readonly notices: MessagePort }
  | { readonly url: string; readonly maxAppendSize?: number };

export interface ThreadData {
  readonly views: ViewsPlace;
  /** Name of this instance, if others share the read models: each projection then runs on the owner of its lease. */
  readonly instance: string | undefined;
  /** URL of a `ProjectionsModule`. */
  readonly projections: string;
  /** Module that exports `evolvedEvents`, where there are any: all events' schemas are 20 ms of a start. */
  readonly evolved: string | undefined;
  /** Opens sealed values; absent: nothing is sealed. */
  readonly vault?: VaultAccess | undefined;
  readonly graceMs: number | undefined;
  /** How many threads fill, and from how many events on; by the machine's cores when absent. */
  readonly filling?: { readonly threads?: number; readonly from?: number } | undefined;
  readonly unattended: boolean;
}

/** Exports of the projections' module. */
interface ProjectionsModule {
  readonly projections: readonly AnyProjection[];
  /** Fingerprints recorded by `npm run fingerprints`. */
  readonly fingerprints?: RecordedFingerprints;
}

/** `begin` comes first, and may come when all is loaded. */
export type ToThread =
  | { readonly begin: EventSource }
  | { readonly seq: number; readonly request: 'status' | 'stop' }
  | { readonly seq: number; readonly rebuild: string; readonly restart: boolean };

export type FromThread =
  | { readonly started: true }
  | { readonly positions: Positions; readonly changed: Changed }
  /** All that the last message with `positions` named are here now. */
  | { readonly together: Position; readonly changed: Changed }
  | { readonly stopped: readonly string[] }
  | LogLine
  | { readonly seq: number; readonly answer: ProjectionStatus[] | undefined }
  | { readonly seq: number; readonly failed: string };

/** More do not pay: documents are written one after the other, which is a third of the work. */
const MOST_FILLERS = 4;
/** Events behind the head: some two seconds of filling, of which a thread's start takes a tenth. */
const FILL_FROM = 50_000;

type Question = Exclude<ToThread, { begin: EventSource }>;

const port = parentPort!;
const data = workerData as ThreadData;
const post = (message: FromThread): void => port.postMessage(message);

const log = threadLog(post);

function openLog(events: EventSource): Promise<EventReads> {
  if ('url' in events) return openEventStoreDb(events.url, events.maxAppendSize, log);
  return Promise.resolve(asPort(openEmbeddedEventStoreReader(events.folder, events.notices), 'events.db'));
}

function openWriter({ views }: ThreadData): Promise<DocumentStore> {
  if ('url' in views) return openMongo(views.url, 'views', log);
  return Promise.resolve(openEmbeddedReadModels(views.file, { name: 'views.db', cacheKb: 65_536 }));
}

/** The leases of this thread's projections, and their store. */
async function openLeases({
  views,
  instance,
}: ThreadData): Promise<{ leases: Leases; work: DocumentStore } | undefined> {
  if (instance === undefined || !('url' in views)) return undefined;
  const work = await openMongo(views.url, 'work', log);
  return { leases: createLeases({ work, clock: steadyClock, instance, log }), work };
}

/** Threads that fill what is far behind, where this process alone writes the read models and has more than one core. */
function fillersOf(
  { views, evolved, vault, projections, filling }: ThreadData,
  events: EventSource,
): FillingThreads | undefined {
  const { threads = Math.min(availableParallelism(), MOST_FILLERS), from = FILL_FROM } = filling ?? {};
  if (threads < 2 || !('file' in views)) return undefined;
  const place = 'url' in events ? events : { folder: events.folder };
  return fillingThreads({ events: place, file: views.file, evolved, vault, projections }, { threads, from, log });
}

const started = new Promise<EventSource>((resolve) =>
  port.once('message', ({ begin }: Extract<ToThread, { begin: EventSource }>) => resolve(begin)),
);
const { projections, fingerprints } = (await import(data.projections)) as ProjectionsModule;
const evolved = await loadEvolvedEvents(data.evolved);
const events = await started;
const eventStore = upcastingReads(await openedBy(await openLog(events), data.vault), evolved);
const fillers = fillersOf(data, events);
const opened = await openWriter(data);
const readModels = fillers === undefined ? opened : fillers.first(opened);
const owned = await openLeases(data);
const runtime = createProjectionRuntime({
  eventStore,
  readModels,
  projections,
  log,
  unattended: data.unattended,
  fingerprints: () => handlerFingerprints(data.projections, projections, fingerprints),
  ...defined({ fillers, graceMs: data.graceMs, leases: owned?.leases, shards: owned && SHARDS }),
});
runtime.onProgress(postProgress);
runtime.onStopped((stopped) => post({ stopped }));

/** Those that were named last. */
let named: readonly string[] = [];

/** Nearly always all projections reach the same position with a batch: then it is sent once, without a copy of their names. */
function postProgress(positions: Positions, changed: Changed): void {
  const names = Object.keys(positions);
  const together = positions[names[0] ?? ''];
  const isSame = names.length === named.length && names.every((name, i) => name === named[i]);
  if (isSame && together !== undefined && names.every((name) => positions[name] === together)) {
    post({ together, changed });
    return;
  }
  // What moves without any of them (`changed` alone) leaves those that were named.
  if (names.length > 0) named = names;
  post({ positions, changed });
}

async function end(): Promise<void> {
  await owned?.leases.stop();
  await owned?.work.close();
  await runtime.stop();
  await eventStore.close();
  await readModels.close();
}

async function answer(message: Question): Promise<ProjectionStatus[] | undefined> {
  if ('rebuild' in message) await runtime.rebuild(message.rebuild, message.restart);
  else if (message.request === 'status') return runtime.status();
  else await end();
  return undefined;
}

port.on('message', (message: Question) => {
  answer(message).then(
    (result) => {
      post({ seq: message.seq, answer: result });
      if ('request' in message && message.request === 'stop') port.close();
    },
    (error: Error) => post({ seq: message.seq, failed: error.message }),
  );
});

await runtime.start();
await owned?.leases.start();
post({ started: true });
