import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { nameThread } from '../threads.js';

export interface Checkpointer {
  /** Resolves when its connections are closed; bounded. */
  stop(): Promise<void>;
}

/** Message of the thread after a log could not be moved. */
export interface Trouble {
  readonly trouble: string;
}

const PATIENCE_MS = 5000;
/** How often it is looked whether the thread has something to do yet. */
const FIRST_LOOK_MS = 1000;
/** A log smaller than this is left alone: moving little is as dear as moving much. */
export const WORTH_BYTES = 4 * 1024 * 1024;

export interface LogState {
  readonly size: number;
  /** Time of the last write, in ms since 1970. */
  readonly changedMs: number;
}

/**
 * Returns the state of a file's write-ahead log without opening any file: closing a file of an open database drops the locks of the
 * whole process on it. Throws the system's error, except for a missing log.
 */
export function logState(file: string): LogState {
  const found = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return { size: found?.size ?? 0, changedMs: found?.mtimeMs ?? 0 };
}

/** The thread reports files that cannot be examined. */
function isWorthIt(file: string): boolean {
  try {
    return logState(file).size >= WORTH_BYTES;
  } catch {
    return true;
  }
}

/**
 * Moves committed pages from the write-ahead logs of these files into the files, in its own thread: moving needs flushes that a committing
 * thread would otherwise wait for. Without it, or when it fails, the committing threads move the pages themselves, only later and with a
 * pause. The thread starts with the first log that is worth it, so that a start does not wait for it. A file may be created later. `failed`
 * receives each failure; temporary ones, such as a full disk, are retried every two seconds.
 */
export function startCheckpointer(files: readonly string[], failed: (error: Error) => void): Checkpointer {
  let running: Checkpointer | undefined;
  const timer = setInterval(() => {
    if (!files.some(isWorthIt)) return;
    clearInterval(timer);
    running = startThread(files, failed);
  }, FIRST_LOOK_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
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
