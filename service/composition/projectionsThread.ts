/** Entry of the thread that keeps the read models: the log's reader, their writer, and the runtime. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { EvolvedEvents } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { createLeases, type Leases } from '../../engine/ownership/leases.js';
import { steadyClock } from '../../engine/ownership/steadyClock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { Log } from '../../engine/ports/log.js';
import { handlerFingerprints, type RecordedFingerprints } from '../../engine/projections/handlerFingerprints.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type Positions } from '../../engine/projections/runtime.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import type { Changed } from '../../engine/projections/viewChanges.js';
import { SHARDS } from '../../engine/shards.js';
import { type EventReads, upcastingReads } from '../../engine/upcasting.js';
import { openEmbeddedEventStoreReader } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { openEventStoreDb, openMongo, type ViewsPlace } from './engines.js';

/** The log: an embedded one that this process has open, or a server. */
export type EventSource =
  | { readonly folder: string; readonly notices: MessagePort }
  | { readonly url: string; readonly maxAppendSize?: number };

export interface ThreadData {
  readonly events: EventSource;
  readonly views: ViewsPlace;
  /** Name of this instance, where others share the read models: each projection then runs where its lease is held. */
  readonly instance: string | undefined;
  /** URL of a `ProjectionsModule`. */
  readonly projections: string;
  /** Module that exports `evolvedEvents`, where there are any: all events' schemas are 20 ms of a start. */
  readonly evolved: string | undefined;
  readonly graceMs: number | undefined;
  readonly unattended: boolean;
}

/** What the module of the projections exports. */
interface ProjectionsModule {
  readonly projections: readonly AnyProjection[];
  /** What `npm run fingerprints` has recorded of them. */
  readonly fingerprints?: RecordedFingerprints;
}

export type ToThread =
  | { readonly seq: number; readonly ask: 'status' | 'stop' }
  | { readonly seq: number; readonly rebuild: string };

export type LogLevel = Exclude<keyof Log, 'isLevelEnabled'>;

export type FromThread =
  | { readonly started: true }
  | { readonly positions: Positions; readonly changed: Changed }
  | { readonly stopped: readonly string[] }
  | { readonly log: LogLevel; readonly fields: object; readonly message: string }
  | { readonly seq: number; readonly answer: ProjectionStatus[] | undefined }
  | { readonly seq: number; readonly failed: string };

const port = parentPort!;
const data = workerData as ThreadData;
const say = (message: FromThread): void => port.postMessage(message);

/** Only what survives a message: an error's name and message, not its cause chain. */
const plain = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
const logger = (level: LogLevel) => (fields: object, message: string) =>
  say({ log: level, fields: plain(fields), message });

const log: Log = {
  debug: logger('debug'),
  info: logger('info'),
  warn: logger('warn'),
  error: logger('error'),
  isLevelEnabled: () => true,
};

function openLog({ events }: ThreadData): Promise<EventReads> {
  if ('url' in events) return openEventStoreDb(events.url, events.maxAppendSize, log);
  return Promise.resolve(openEmbeddedEventStoreReader(events.folder, events.notices));
}

function openWriter({ views }: ThreadData): Promise<DocumentStore> {
  if ('url' in views) return openMongo(views.url, 'views', log);
  return Promise.resolve(openEmbeddedReadModels(views.file, { name: 'views.db', cacheKb: 65_536 }));
}

/** The leases of this thread's projections, and what they are kept in. */
async function openLeases({
  views,
  instance,
}: ThreadData): Promise<{ leases: Leases; work: DocumentStore } | undefined> {
  if (instance === undefined || !('url' in views)) return undefined;
  const work = await openMongo(views.url, 'work', log);
  return { leases: createLeases({ work, clock: steadyClock, instance, log }), work };
}

const { projections, fingerprints } = (await import(data.projections)) as ProjectionsModule;
const noneEvolved: EvolvedEvents = new Map();
const { evolvedEvents } =
  data.evolved === undefined
    ? { evolvedEvents: noneEvolved }
    : ((await import(data.evolved)) as { evolvedEvents: EvolvedEvents });
const eventStore = upcastingReads(await openLog(data), evolvedEvents);
const readModels = await openWriter(data);
const owned = await openLeases(data);
const runtime = createProjectionRuntime({
  eventStore,
  readModels,
  projections,
  log,
  unattended: data.unattended,
  fingerprints: () => handlerFingerprints(data.projections, projections, fingerprints),
  ...defined({ graceMs: data.graceMs, leases: owned?.leases, shards: owned && SHARDS }),
});
runtime.onProgress((positions, changed) => say({ positions, changed }));
runtime.onStopped((stopped) => say({ stopped }));

async function end(): Promise<void> {
  await owned?.leases.stop();
  await owned?.work.close();
  await runtime.stop();
  await eventStore.close();
  await readModels.close();
}

async function answer(message: ToThread): Promise<ProjectionStatus[] | undefined> {
  if ('rebuild' in message) await runtime.rebuild(message.rebuild);
  else if (message.ask === 'status') return runtime.status();
  else await end();
  return undefined;
}

port.on('message', (message: ToThread) => {
  answer(message).then(
    (result) => {
      say({ seq: message.seq, answer: result });
      if ('ask' in message && message.ask === 'stop') port.close();
    },
    (error: Error) => say({ seq: message.seq, failed: error.message }),
  );
});

await runtime.start();
await owned?.leases.start();
say({ started: true });
