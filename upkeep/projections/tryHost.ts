/** The main thread's side of a trial: gives the thread its batches, and ends it when it does not come back. */
import { fileURLToPath } from 'node:url';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { refuse } from '../../domain/decider.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { watchMemory } from '../memoryWatch.js';
import type { Use } from './forbidden.js';
import { type EventPlace, placeOf, type TrialResult } from './trial.js';
import type { FromTryThread, Loaded, ToTryThread, TryThreadData } from './tryThread.js';

/** Longest time for one event, and for loading the file, in ms. */
const EVENT_MS = 5000;
const LOAD_MS = 10_000;
const LOOK_MS = 100;
/** Growth of the process that counts as progress: a busy machine must reach the memory limit before the time limit. */
const GROWTH_BYTES = 64 * 1024 * 1024;
/** Memory limit of the projection's data. */
const MEMORY_MB = 512;
/** Memory limit of the process meanwhile: buffers are outside the heap of the thread. */
const PROCESS_MB = 2048;

/** Why a trial ended before the history did. */
export interface Ended {
  readonly why: Use | 'endless' | 'memory' | 'exited' | 'poison' | 'time' | 'unstable';
  readonly what: string;
  readonly event?: EventPlace;
}

export interface TryHost {
  readonly loaded: Loaded;
  fold(events: readonly RecordedEvent[]): Promise<{ readonly poisonCount: number } | Ended>;
  /** Undefined: the thread was ended, and what it knew is gone. */
  result(): Promise<TrialResult | undefined>;
  /** Forbidden access after a handler's return; known by the end of the next `fold` or of `result`. */
  late(): Ended | undefined;
  /** Why the thread is gone, or must not go on. */
  over(): Ended | undefined;
  close(): Promise<void>;
}

const SAY: Readonly<Record<Use, string>> = {
  clock: 'the clock: use meta.at of the event as the time',
  randomness: 'randomness: derive ids from those of the event',
  timers: 'a timer: a projection must not wait',
  network: 'the network: a projection may only use its events',
  files: 'files: a projection may only use its events',
  process: 'the process: a projection may only use its events',
};

/** Next message of the thread; `Ended` if there is none. */
type Heard = FromTryThread | Ended;

const TOO_MUCH: Ended = {
  why: 'memory',
  what: `It needs more than ${MEMORY_MB} MB, or ${PROCESS_MB} MB with its buffers. Limit the events with --store, --from or --to.`,
};
const STUCK: Ended = { why: 'endless', what: `Loading it takes longer than ${LOAD_MS / 1000} s.` };

/** A thread that tries a projection. It is ended when it uses too much memory or time. */
class TrialThread {
  readonly #worker: Worker;
  /** Number of events of the batch that the thread has begun. */
  readonly #at: Int32Array;
  readonly #unwatch: () => void;
  #over: Ended | undefined;
  #late: Ended | undefined;
  #heard: (one: Heard) => void = () => undefined;
  #poisonCount = 0;

  constructor(about: Omit<TryThreadData, 'progress'>) {
    const progress = new SharedArrayBuffer(4);
    this.#at = new Int32Array(progress);
    this.#worker = new Worker(new URL('./tryThread.js', import.meta.url), {
      workerData: { ...about, progress } satisfies TryThreadData,
      // So that the thread can set its time zone.
      env: SHARE_ENV,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      // What the projection prints is nobody's result.
      stdout: true,
      stderr: true,
    });
    this.#worker.on('message', (message: FromTryThread) => this.#take(message));
    this.#worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH : { why: 'exited', what: error.message }),
    );
    this.#worker.on('exit', () => this.#end({ why: 'exited', what: 'It ended its thread.' }));
    this.#unwatch = watchMemory(PROCESS_MB, () => {
      void this.#worker.terminate();
      this.#end(TOO_MUCH);
    });
  }

  /** Waits until the file is loaded. Refuses `projection_unreadable`. */
  async load(file: string | URL): Promise<Loaded> {
    const first = await this.#next(LOAD_MS, () => STUCK);
    if ('loaded' in first) return first.loaded;
    await this.close();
    const why = 'unusable' in first ? first.unusable : 'what' in first ? first.what : 'it gave no reason';
    return refuse('projection_unreadable', `${fileURLToPath(file)} cannot be tried: ${why}`);
  }

  async fold(events: readonly RecordedEvent[]): Promise<{ readonly poisonCount: number } | Ended> {
    if (events.length === 0 && this.#over === undefined) return { poisonCount: this.#poisonCount };
    const answer = this.#next(EVENT_MS, () => {
      const event = events[Math.max(0, Atomics.load(this.#at, 0) - 1)]!;
      const what = `A handler of ${event.type} takes longer than ${EVENT_MS / 1000} s.`;
      return { why: 'endless', what, event: placeOf(event) };
    });
    if (this.#over === undefined) this.#post({ events });
    const one = await answer;
    const started = this.#at[0]!;
    if ('why' in one)
      return one.event === undefined && started > 0 ? { ...one, event: placeOf(events[started - 1]!) } : one;
    if ('forbidden' in one) {
      const { use, what, at: place } = one.forbidden;
      const event = events[place]!;
      const reason = `A handler of ${event.type} uses ${what}, which is ${SAY[use]}.`;
      this.#over = { why: use, what: reason, event: placeOf(event) };
      return this.#over;
    }
    if ('folded' in one) this.#poisonCount = one.poisonCount;
    return this.#late ?? { poisonCount: this.#poisonCount };
  }

  async result(): Promise<TrialResult | undefined> {
    if (this.#over !== undefined && !(this.#over.why in SAY)) return undefined;
    this.#over = undefined;
    const answer = this.#next(LOAD_MS, () => STUCK);
    this.#post({ finish: true });
    const one = await answer;
    return 'result' in one ? (JSON.parse(one.result) as TrialResult) : undefined;
  }

  late(): Ended | undefined {
    return this.#late;
  }

  over(): Ended | undefined {
    return this.#over;
  }

  async close(): Promise<void> {
    this.#unwatch();
    await this.#worker.terminate();
  }

  #post(message: ToTryThread): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromTryThread): void {
    if (!('late' in message)) {
      this.#heard(message);
      return;
    }
    const { use, what } = message.late;
    this.#late ??= { why: use, what: `A handler uses ${what} after it has returned, which is ${SAY[use]}.` };
  }

  /** The first reason counts. */
  #end(why: Ended): void {
    this.#over ??= why;
    this.#heard(this.#over);
  }

  /** Waits for what comes next; ends the thread where nothing moves for so long. */
  #next(withinMs: number, endless: () => Ended): Promise<Heard> {
    if (this.#over !== undefined) return Promise.resolve(this.#over);
    return new Promise((resolve) => {
      let since = performance.now();
      let last = Atomics.load(this.#at, 0);
      let peak = process.memoryUsage.rss();
      const read = setInterval(() => {
        const now = Atomics.load(this.#at, 0);
        const bytes = process.memoryUsage.rss();
        if (now !== last || bytes > peak + GROWTH_BYTES) {
          since = performance.now();
          peak = Math.max(peak, bytes);
        }
        last = now;
        if (performance.now() - since < withinMs) return;
        this.#over = endless();
        void this.#worker.terminate();
        this.#heard(this.#over);
      }, LOOK_MS);
      this.#heard = (one) => {
        clearInterval(read);
        resolve(one);
      };
    });
  }
}

/** Loads the file in a thread of its own. Refuses `projection_unreadable`. */
export async function tryHost(about: Omit<TryThreadData, 'progress'>): Promise<TryHost> {
  const thread = new TrialThread(about);
  return {
    loaded: await thread.load(about.file),
    fold: (events) => thread.fold(events),
    result: () => thread.result(),
    late: () => thread.late(),
    over: () => thread.over(),
    close: () => thread.close(),
  };
}
