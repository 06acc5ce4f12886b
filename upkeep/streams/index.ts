/** Streams of an installation, next to the service that writes it: `import { openStreams } from 'suuq/streams'`. */
import { MessageChannel } from 'node:worker_threads';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import { type EventReads, upcastingReads } from '../../engine/upcasting.js';
import { openEmbeddedEventStoreReader } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { projections } from '../../projections/index.js';
import { evolvedEvents } from '../../service/composition/events.js';
import { accessOf, openedBy } from '../../service/composition/privacy/vaults.js';
import { openEventStoreDb } from '../../service/engines/engines.js';
import { quietLog } from '../../service/log.js';
import type { Env } from '../../service/settings/environment.js';
import { placeOf } from '../projections/storedHistory.js';
import { openStored, type Stored } from '../verify/storedData.js';
import { writerOf } from '../verify/verify.js';
import { type StreamParts, type Streams, streamsOf } from './streams.js';

export type { RecordedEvent } from '../../engine/ports/eventStore.js';
export type { EventsAsked } from './eventPages.js';
export { Pulled } from './pulledPages.js';
export type { DocumentChange, Lag, OrderChange, Streams } from './streams.js';

export interface StreamOptions {
  /** The data folder; SUUQ_DATA when absent. */
  readonly data?: string;
  /** Settings, such as EVENTSTORE_URL. Default: the process's environment. */
  readonly env?: Env;
}

export interface OpenStreams extends Streams {
  /** Current end of the log: `after` it there are only new events. */
  head(): Promise<Position>;
  /** True if the log can be read from a position: there is an event. */
  isPlace(position: Position): Promise<boolean>;
  close(): Promise<void>;
}

/** Polling interval of the embedded log, in ms: the writing process sends no notices to other processes. */
const LOOK_MS = 100;

/** The embedded log, followed from outside the process that writes it. */
function followEmbedded(folder: string): EventReads {
  const { port1, port2 } = new MessageChannel();
  const log = openEmbeddedEventStoreReader(folder, port1);
  let reported: Position = BEFORE_ALL;
  const timer = setInterval(() => {
    void log.head().then((head) => {
      if (head > reported) port2.postMessage(head);
      reported = head;
    }, close);
  }, LOOK_MS);
  // Those who follow keep the process alive, as a subscription to a server does.
  function close(): void {
    clearInterval(timer);
    port2.close();
  }
  return {
    ...log,
    async close() {
      await log.close();
      close();
    },
  };
}

/** Opens the engines for reading alone. Refuses `no_installation`; rejects with StoreUnavailable. */
export async function openStreams({ data, env = process.env }: StreamOptions = {}): Promise<OpenStreams> {
  const { settings, folder } = placeOf({ ...env, ...defined({ SUUQ_DATA: data }) });
  const { eventStoreUrl, maxAppendSize } = settings;
  const access = accessOf(settings, folder);
  const server =
    eventStoreUrl === undefined ? undefined : await openEventStoreDb(eventStoreUrl, maxAppendSize, quietLog());
  const raw = server ?? followEmbedded(folder);
  // The embedded log is read on from any number.
  const isPlace = server?.isPlace ?? (async () => true);
  const log = upcastingReads(await openedBy(raw, access), evolvedEvents);
  let opening: Promise<Stored> | undefined;
  let retained: Promise<() => Promise<ReadonlyMap<string, Position>>> | undefined;
  const stored = (): Promise<Stored> => (opening ??= openStored(settings, folder, quietLog()));
  const views = async () =>
    (await stored()).views ?? refuse('not_built', 'No read model has been built yet: start the service first.');
  const written = async (): Promise<ReadonlyMap<string, Position>> => {
    const store = await views();
    const places = projections.map(
      async ({ name }) => [name, await store.checkpoint(await store.resolve(name))] as const,
    );
    return new Map(await Promise.all(places));
  };
  const closing = new AbortController();
  const parts: StreamParts = {
    log,
    closing: closing.signal,
    projections,
    views: { getMany: async (...requested) => (await views()).getMany(...requested) },
    async places() {
      await views();
      retained ??= stored().then(async (all) => (await writerOf(settings, folder, all)) ?? written);
      return (await retained)();
    },
  };
  return {
    ...streamsOf(parts),
    head: () => log.head(),
    isPlace,
    async close() {
      closing.abort();
      await log.close();
      await (await opening)?.close();
    },
  };
}
