/** Threads that fill embedded read models, each with its own reader of the log and its own writer of the file. */
import { Worker } from 'node:worker_threads';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { Log } from '../../../engine/ports/log.js';
import type { Filling } from '../../../engine/projections/contract.js';
import type { FillerThread, FromFiller, ToFiller } from '../../../engine/projections/filling/messages.js';
import { gateMemory, WriteGate } from '../../../engine/projections/filling/writeGate.js';
import type { VaultAccess } from '../privacy/vaults.js';
import type { LogLine } from './threadLog.js';

export type LogPlace = { readonly folder: string } | { readonly url: string; readonly maxAppendSize?: number };

/** Inputs of a build thread. */
export interface FillingPlace {
  /** The log: the folder of an embedded one, or a server. */
  readonly events: LogPlace;
  /** File of the read models. */
  readonly file: string;
  /** URLs of modules: see `ThreadData`. */
  readonly projections: string;
  readonly evolved: string | undefined;
  /** As in `ThreadData`. */
  readonly vault?: VaultAccess | undefined;
}

export interface FillingData extends FillingPlace {
  readonly number: number;
  readonly gate: SharedArrayBuffer;
}

export interface FillingThreads extends Filling {
  /** The same store; what changes it goes before what the threads write. */
  first(store: DocumentStore): DocumentStore;
}

interface FillingOptions {
  readonly threads: number;
  readonly from: number;
  readonly log: Log;
}

/** As in the thread of the projections. */
const YOUNG_MB = 96;
const STOP_MS = 5000;

export function fillingThreads(place: FillingPlace, { threads, from, log }: FillingOptions): FillingThreads {
  const memory = gateMemory();
  const gate = new WriteGate(memory);
  const start = (number: number, on: { heard(message: FromFiller): void; ended(): void }): FillerThread => {
    const worker = new Worker(new URL('./fillingThread.js', import.meta.url), {
      workerData: { ...place, number, gate: memory } satisfies FillingData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (message: FromFiller | LogLine) => {
      if ('log' in message) log[message.log](message.fields, message.message);
      else on.heard(message);
    });
    worker.on('error', (error) => log.error({ err: error }, 'projection build thread failed'));
    const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    void exit.then(() => {
      gate.release(number);
      on.ended();
    });
    return {
      post: (message: ToFiller) => worker.postMessage(message),
      async stop() {
        worker.postMessage({ stop: true } satisfies ToFiller);
        const late = setTimeout(() => void worker.terminate(), STOP_MS);
        await exit;
        clearTimeout(late);
      },
    };
  };
  return {
    threads: { most: threads, start },
    from,
    hasLive: (live) => {
      gate.hasLive = live;
    },
    first: (store) => ({
      ...store,
      write: (...given) => gate.first(() => store.write(...given)),
      insert: (...given) => gate.first(() => store.insert(...given)),
      replace: (...given) => gate.first(() => store.replace(...given)),
      open: (...given) => gate.first(() => store.open(...given)),
      buildIndexes: (name) => gate.first(() => store.buildIndexes(name)),
      drop: (name) => gate.first(() => store.drop(name)),
      dropCheckpoint: (name) => gate.first(() => store.dropCheckpoint(name)),
      setAlias: (...given) => gate.first(() => store.setAlias(...given)),
      dropAlias: (...given) => gate.first(() => store.dropAlias(...given)),
    }),
  };
}
