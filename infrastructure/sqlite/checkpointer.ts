import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { endianness } from 'node:os';
import { Worker } from 'node:worker_threads';
import { nameThread } from '../threads.js';

export interface Checkpointer {
  /** Resolves when its connections are closed; bounded. */
  stop(): Promise<void>;
}

/** What the thread says when a log could not be moved. */
export interface Trouble {
  readonly trouble: string;
}

const PATIENCE_MS = 5000;
/** How often it is looked whether the thread has something to do yet. */
const FIRST_LOOK_MS = 1000;
/** A log smaller than this is left alone: moving little is as dear as moving much. */
export const WORTH_BYTES = 4 * 1024 * 1024;

/** Of a file's write-ahead log, in bytes. Throws the system's error, but for one that is not there. */
export const logSize = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Where the log's index (the file beside it that connections share) holds the number of pages in the log, of those that are moved, and the size of a page. */
const PAGES_AT = 16;
const MOVED_AT = 96;
const PAGE_SIZE_AT = 14;
const LARGEST_PAGE = 65_536;
const isLittle = endianness() === 'LE';

/**
 * Bytes of a file's write-ahead log that are not in the file yet. The log's own size does not tell: it stays as long as it was when it
 * begins anew. Throws the system's error, but for one that is not there.
 */
export function unmoved(file: string): number {
  const size = logSize(file);
  if (size < WORTH_BYTES) return size;
  const index = new DataView(new ArrayBuffer(MOVED_AT + 4));
  const shared = openSync(`${file}-shm`, 'r');
  try {
    if (readSync(shared, index, { position: 0 }) < index.byteLength) return size;
  } finally {
    closeSync(shared);
  }
  const pageSize = index.getUint16(PAGE_SIZE_AT, isLittle);
  const [pages, moved] = [index.getUint32(PAGES_AT, isLittle), index.getUint32(MOVED_AT, isLittle)];
  // What is no power of two is 65,536, which two bytes do not hold.
  return Math.max(0, pages - moved) * (pageSize < 512 ? LARGEST_PAGE : pageSize);
}

/** What cannot be looked at is for the thread to tell of. */
function isWorthIt(file: string): boolean {
  try {
    return logSize(file) >= WORTH_BYTES;
  } catch {
    return true;
  }
}

/**
 * Moves what was committed from the write-ahead logs of these files into the files, in a thread of its own: moving
 * takes flushes that a committing thread would otherwise wait for. Without it, or when it fails, the committing threads do
 * it themselves, only later and with a pause. The thread begins with the first log that is worth it, so that a start does not wait for it. A
 * file may be made later. `failed`: told of each failure; what passes, such as a full disk, is tried again every two seconds.
 */
export function startCheckpointer(files: readonly string[], failed: (error: Error) => void): Checkpointer {
  let running: Checkpointer | undefined;
  const looking = setInterval(() => {
    if (!files.some(isWorthIt)) return;
    clearInterval(looking);
    running = startThread(files, failed);
  }, FIRST_LOOK_MS);
  looking.unref();
  return {
    async stop() {
      clearInterval(looking);
      await running?.stop();
    },
  };
}

function startThread(files: readonly string[], failed: (error: Error) => void): Checkpointer {
  const worker = new Worker(new URL('./checkpointerThread.js', import.meta.url), {
    workerData: { files },
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  nameThread(worker, 'checkpointer');
  worker.on('error', failed);
  worker.on('message', ({ trouble }: Trouble) => failed(new Error(trouble)));
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    async stop() {
      worker.postMessage('stop');
      const late = setTimeout(() => void worker.terminate(), PATIENCE_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
