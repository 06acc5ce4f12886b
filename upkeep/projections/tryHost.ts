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

/** Loads the file in a thread of its own. Refuses `projection_unreadable`. */
export async function tryHost(about: Omit<TryThreadData, 'progress'>): Promise<TryHost> {
  const progress = new SharedArrayBuffer(4);
  const at = new Int32Array(progress);
  const worker = new Worker(new URL('./tryThread.js', import.meta.url), {
    workerData: { ...about, progress } satisfies TryThreadData,
    // So that the thread can set its time zone.
    env: SHARE_ENV,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // What the projection prints is nobody's result.
    stdout: true,
    stderr: true,
  });
  let over: Ended | undefined;
  let heard: (one: Heard) => void = () => undefined;
  let late: Ended | undefined;
  worker.on('message', (message: FromTryThread) => {
    if (!('late' in message)) return heard(message);
    const { use, what } = message.late;
    late ??= { why: use, what: `A handler uses ${what} after it has returned, which is ${SAY[use]}.` };
  });
  const tooMuch = (): Ended => ({
    why: 'memory',
    what: `It needs more than ${MEMORY_MB} MB, or ${PROCESS_MB} MB with its buffers. Limit the events with --store, --from or --to.`,
  });
  const unwatch = watchMemory(PROCESS_MB, () => {
    over ??= tooMuch();
    void worker.terminate();
    heard(over);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    over ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : { why: 'exited', what: error.message };
    heard(over);
  });
  worker.on('exit', () => {
    over ??= { why: 'exited', what: 'It ended its thread.' };
    heard(over);
  });

  /** Waits for what comes next; ends the thread where nothing moves for so long. */
  function next(withinMs: number, endless: () => Ended): Promise<Heard> {
    if (over !== undefined) return Promise.resolve(over);
    return new Promise((resolve) => {
      let since = performance.now();
      let last = Atomics.load(at, 0);
      let peak = process.memoryUsage.rss();
      const read = setInterval(() => {
        const now = Atomics.load(at, 0);
        const bytes = process.memoryUsage.rss();
        if (now !== last || bytes > peak + GROWTH_BYTES) {
          since = performance.now();
          peak = Math.max(peak, bytes);
        }
        last = now;
        if (performance.now() - since < withinMs) return;
        over = endless();
        void worker.terminate();
        heard(over);
      }, LOOK_MS);
      heard = (one) => {
        clearInterval(read);
        resolve(one);
      };
    });
  }
  let poisonCount = 0;
  const post = (message: ToTryThread): void => worker.postMessage(message);

  const stuck = (): Ended => ({ why: 'endless', what: `Loading it takes longer than ${LOAD_MS / 1000} s.` });
  const first = await next(LOAD_MS, stuck);
  if (!('loaded' in first)) {
    unwatch();
    await worker.terminate();
    const why = 'unusable' in first ? first.unusable : 'what' in first ? first.what : 'it gave no reason';
    return refuse('projection_unreadable', `${fileURLToPath(about.file)} cannot be tried: ${why}`);
  }
  return {
    loaded: first.loaded,
    async fold(events) {
      if (events.length === 0 && over === undefined) return { poisonCount };
      const answer = next(EVENT_MS, () => {
        const event = events[Math.max(0, Atomics.load(at, 0) - 1)]!;
        const what = `A handler of ${event.type} takes longer than ${EVENT_MS / 1000} s.`;
        return { why: 'endless', what, event: placeOf(event) };
      });
      if (over === undefined) post({ events });
      const one = await answer;
      if ('why' in one)
        return one.event === undefined && at[0]! > 0 ? { ...one, event: placeOf(events[at[0]! - 1]!) } : one;
      if ('forbidden' in one) {
        const { use, what, at: place } = one.forbidden;
        const event = events[place]!;
        over = {
          why: use,
          what: `A handler of ${event.type} uses ${what}, which is ${SAY[use]}.`,
          event: placeOf(event),
        };
        return over;
      }
      if ('folded' in one) poisonCount = one.poisonCount;
      return late ?? { poisonCount };
    },
    async result() {
      if (over !== undefined && !(over.why in SAY)) return undefined;
      over = undefined;
      const answer = next(LOAD_MS, stuck);
      post({ finish: true });
      const one = await answer;
      return 'result' in one ? (JSON.parse(one.result) as TrialResult) : undefined;
    },
    late: () => late,
    over: () => over,
    async close() {
      unwatch();
      await worker.terminate();
    },
  };
}
