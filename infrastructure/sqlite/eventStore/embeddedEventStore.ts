/**
 * The embedded event store: one SQLite file, one thread that writes, any number that read. The thread that opens it
 * appends through a queue (concurrent appends share one durable commit) and reads on its own connection. Another thread
 * reads and follows it by a pair of functions:
 *
 *     // where the store was opened
 *     const notices = store.connectReader();
 *     new Worker(file, { workerData: { folder, notices }, transferList: [notices] });
 *     // in that worker
 *     const reader = openEmbeddedEventStoreReader(workerData.folder, workerData.notices);
 */
import { mkdir } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { BEFORE_ALL, type EventStore, type StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { onFile, storeError } from '../storeErrors.js';
import { asDamage } from './checksum.js';
import { checkHead } from './headCheck.js';
import { LogReader } from './logReader.js';
import { LogSubscription } from './logSubscription.js';
import { HeadWatch } from './notices.js';
import { openLogForReading } from './schema.js';
import { WriterClient } from './writerClient.js';

/** All of an event store but append. */
export type EventReader = Omit<EventStore, 'append'>;

export interface EmbeddedEventStore extends EventStore {
  /** A port to transfer to another thread of this process, for openEmbeddedEventStoreReader there. */
  connectReader(): MessagePort;
  /** A port to transfer to another thread of this process, which appends through it in an AppendQueue. */
  connectAppender(): MessagePort;
  /** Appends of this thread that wait for their commit. */
  waiting(): number;
  /** Resolves with the reason if the writer thread ends by itself: nothing is written until the store is reopened. */
  readonly failed: Promise<StoreUnavailable>;
}

export interface EmbeddedOptions {
  /** Bytes of data (JSON, UTF-8) in one append. EventStoreDB's own limit, less headroom, when absent. */
  readonly mostBytes?: number;
  /**
   * Writes on the calling thread, which blocks for each commit, instead of a writer thread: for callers that append little, for which
   * starting a thread (about 50 ms) costs more than the commits.
   */
  readonly writesHere?: boolean;
}

const EVENTSTOREDB_MOST_BYTES = 1_048_576;
const HEADROOM = 16_384;

/** An error of the driver as the port's. */
function rethrow(error: unknown): never {
  throw storeError(error, 'events.db');
}

function readerOf(reader: LogReader, heads: HeadWatch): EventReader & { stopAll(): Promise<void> } {
  const following = new Set<LogSubscription>();
  const readAll: LogReader['readAll'] = (after, options, head) => reader.readAll(after, options, head).catch(rethrow);
  const allLeftOut: LogReader['allLeftOut'] = (after, filter, head) => reader.allLeftOut(after, filter, head);
  return {
    readStream: (stream, options) => reader.readStream(stream, options).catch(rethrow),
    readAll: (after, options) => readAll(after, options),
    head: async () => onFile('events.db', () => reader.head()),
    exact: true,
    reportsRepeats: true,
    subscribe(after, filter, subscriber, options) {
      const subscription = new LogSubscription(
        { reader: { readAll, allLeftOut }, heads },
        after,
        filter,
        subscriber,
        options?.batch,
      );
      following.add(subscription);
      const forget = (): void => void following.delete(subscription);
      subscription.ended.then(forget, forget);
      return subscription;
    },
    async stopAll() {
      await Promise.all([...following].map((subscription) => subscription.stop()));
    },
    async close() {
      await this.stopAll();
      reader.close();
    },
  };
}

/**
 * Opens `folder`/events.db, creating both when missing. Rejects with LogDamaged when its newest events are not as they were
 * written, and with StoreUnavailable, and the reason, when it cannot be opened.
 */
export async function openEmbeddedEventStore(
  folder: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedEventStore> {
  await mkdir(folder, { recursive: true });
  checkHead(folder);
  const { mostBytes = EVENTSTOREDB_MOST_BYTES - HEADROOM, writesHere = false } = options;
  const writer = await WriterClient.start(folder, mostBytes, writesHere).catch((error) => {
    throw storeError(asDamage(error), 'events.db');
  });
  let reader: ReturnType<typeof readerOf>;
  try {
    const log = new LogReader(openLogForReading(folder));
    writer.onWritten((append) => log.written(append));
    reader = readerOf(log, writer.heads);
  } catch (error) {
    await writer.close();
    throw storeError(asDamage(error), 'events.db');
  }
  return {
    ...reader,
    append: (stream, expected, events) => writer.append(stream, expected, events),
    connectReader: () => writer.connectReader(),
    connectAppender: () => writer.connectAppender(),
    waiting: () => writer.waiting(),
    failed: writer.failed,
    async close() {
      // First those who follow: to them this is an end, not a failure.
      await reader.stopAll();
      await writer.close();
      await reader.close();
    },
  };
}

/** Reads, in another thread, a store that this process has open; new events are not announced. */
export function openEmbeddedEventLog(folder: string): EventReader {
  return readerOf(new LogReader(openLogForReading(folder)), new HeadWatch(BEFORE_ALL));
}

/** Reads and follows, in another thread, a store that this process has open; `notices` comes from its connectReader(). */
export function openEmbeddedEventStoreReader(folder: string, notices: MessagePort): EventReader {
  const heads = new HeadWatch(BEFORE_ALL);
  heads.listen(notices);
  const reader = readerOf(new LogReader(openLogForReading(folder)), heads);
  return {
    ...reader,
    async close() {
      await reader.close();
      notices.close();
    },
  };
}
