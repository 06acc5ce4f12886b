/** Threads that render pages of lists: started when list requests are frequent enough, and restarted when one dies. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { MadePage, PageMakers, PageMaking, PageTask } from '../../../api/http/pageMakers.js';
import type { SteadyClock } from '../../../engine/ports/clock.js';
import type { Log } from '../../../engine/ports/log.js';
import { nameThread } from '../../../infrastructure/threads.js';
import type { ViewsPlace } from '../../engines/engines.js';
import type { Settings } from '../../settings/settings.js';

export interface PageThreadData {
  /** File of the read models. */
  readonly file: string;
  /** Source of the signing key of cursors. */
  readonly masterKeys: readonly Uint8Array[];
}

export type ToPageThread =
  | { readonly tasks: readonly { readonly seq: number; readonly task: PageTask }[] }
  | { readonly stop: true };

/** Bytes are handed on as they are. */
export type FromPageThread =
  | { readonly started: true }
  | { readonly answers: readonly { readonly seq: number; readonly made: PageMaking }[] };

export interface PageThreadsOptions extends PageThreadData {
  /** How many; one at least. */
  readonly threads: number;
  /** Pages of one second from which on they begin; 0: at once. */
  readonly from: number;
  /** The threads' module; their own when absent. */
  readonly entry?: URL;
  readonly clock: SteadyClock;
  readonly log: Log;
}

/** Maximum queue of a thread, about 10 ms of work: beyond it, the calling thread renders the page. */
const MOST_WAITING = 32;
/** Longest time for a page, in ms: a slower thread is stuck. It is not terminated, since that would end the process. */
const MADE_WITHIN_MS = 5000;
const LOOK_MS = 1000;
const STOP_MS = 5000;
const FIRST_RESTART_MS = 100;
const LONGEST_RESTART_MS = 30_000;
/** Pages are texts and their bytes: short-lived, and large. */
const YOUNG_MB = 24;

interface Waiting {
  readonly since: number;
  readonly resolve: (made: PageMaking) => void;
}

/** One thread, for as long as it lives. */
class PageThread {
  readonly worker: Worker;
  readonly ended: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #unsent: { seq: number; task: PageTask }[] = [];
  #seq = 0;
  #isReady = false;

  constructor(data: PageThreadsOptions, on: { ready(): void; failed(error: Error): void }) {
    const workerData: PageThreadData = { file: data.file, masterKeys: data.masterKeys };
    const worker = new Worker(data.entry ?? new URL('./pageThread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    nameThread(worker, 'pages');
    this.worker = worker;
    worker.on('message', (message: FromPageThread) => {
      this.#isReady = true;
      if ('started' in message) on.ready();
      else for (const { seq, made } of message.answers) this.#made(seq, made);
    });
    worker.on('error', on.failed);
    this.ended = new Promise((resolve) =>
      worker.once('exit', () => {
        this.giveUp();
        resolve();
      }),
    );
  }

  /** How many pages it has to make; more than any when it takes none. */
  get waiting(): number {
    return this.#isReady ? this.#waiting.size : Number.POSITIVE_INFINITY;
  }

  make(task: PageTask, now: number): Promise<PageMaking> {
    const seq = ++this.#seq;
    // All of one turn of the event loop go together.
    if (this.#unsent.length === 0) setImmediate(() => this.#send());
    this.#unsent.push({ seq, task });
    return new Promise((resolve) => this.#waiting.set(seq, { since: now, resolve }));
  }

  isLate(now: number): boolean {
    const [oldest] = this.#waiting.values();
    return oldest !== undefined && now - oldest.since > MADE_WITHIN_MS;
  }

  /** Returns its queue to the caller; it gets no further work until it answers. */
  giveUp(): void {
    this.#isReady = false;
    for (const { resolve } of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  async stop(): Promise<void> {
    this.worker.postMessage({ stop: true } satisfies ToPageThread);
    const late = setTimeout(() => void this.worker.terminate(), STOP_MS);
    await this.ended;
    clearTimeout(late);
  }

  #send(): void {
    const tasks = this.#unsent;
    this.#unsent = [];
    this.worker.postMessage({ tasks } satisfies ToPageThread);
  }

  #made(seq: number, made: PageMaking): void {
    const waiting = this.#waiting.get(seq);
    this.#waiting.delete(seq);
    waiting?.resolve(typeof made === 'object' ? shown(made) : made);
  }
}

/** A Buffer comes out of a message as the plain array that it is. */
const shown = ({ bytes, etag, projections }: MadePage): MadePage => ({
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  etag,
  projections,
});

export class PageThreads implements PageMakers {
  readonly #options: PageThreadsOptions;
  readonly #threads = new Set<PageThread>();
  readonly #restarts = new Set<() => void>();
  #cancelCheck: (() => void) | undefined;
  #restartMs = FIRST_RESTART_MS;
  #phase: 'resting' | 'running' | 'stopped' = 'resting';
  #second = 0;
  #requests = 0;

  constructor(options: PageThreadsOptions) {
    this.#options = options;
    if (options.from === 0) this.#begin();
  }

  /** The running threads' workers; for tests that end them. */
  get workers(): readonly Worker[] {
    return [...this.#threads].map(({ worker }) => worker);
  }

  make(task: PageTask): Promise<PageMaking> | undefined {
    if (this.#phase !== 'running') {
      this.#count();
      return undefined;
    }
    let free: PageThread | undefined;
    for (const thread of this.#threads) if (thread.waiting < (free?.waiting ?? MOST_WAITING)) free = thread;
    return free?.make(task, this.#options.clock.now());
  }

  async stop(): Promise<void> {
    this.#phase = 'stopped';
    this.#cancelCheck?.();
    for (const cancel of this.#restarts) cancel();
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  #count(): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) this.#requests = 0;
    this.#second = second;
    this.#requests += 1;
    if (this.#phase === 'resting' && this.#requests >= this.#options.from) this.#begin();
  }

  #begin(): void {
    this.#phase = 'running';
    for (let i = 0; i < this.#options.threads; i += 1) this.#start();
    this.#check();
  }

  #start(): void {
    const { log } = this.#options;
    let cause: Error | undefined;
    const thread = new PageThread(this.#options, {
      ready: () => {
        this.#restartMs = FIRST_RESTART_MS;
      },
      failed: (error) => {
        cause = error;
      },
    });
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
      if (this.#phase === 'stopped') return;
      log.error({ err: cause, restartMs: this.#restartMs }, 'page thread ended, restarting');
      this.#startLater();
    });
  }

  #startLater(): void {
    const { clock } = this.#options;
    const cancel = clock.at(clock.now() + this.#restartMs, () => {
      this.#restarts.delete(cancel);
      this.#start();
    });
    this.#restarts.add(cancel);
    this.#restartMs = Math.min(LONGEST_RESTART_MS, this.#restartMs * 2);
  }

  /** Checks for stuck threads once a second. */
  #check(): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    for (const thread of this.#threads)
      if (thread.isLate(now)) {
        log.warn({ ms: MADE_WITHIN_MS }, 'page thread stuck, skipping it until it answers');
        thread.giveUp();
      }
    this.#cancelCheck = clock.at(now + LOOK_MS, () => this.#check());
  }
}

/** Requests per second below which further threads would waste memory. */
const FROM = 100;
/** More find nothing to do: reading a request and sending its page takes the main thread some half of what making it takes. */
const MOST_THREADS = 3;

/**
 * Default: a thread per further core, or the setting. Undefined: one thread does all, the views are on a server, or one command runs alone.
 */
export function pageThreads({
  settings: { threads },
  place,
  unattended,
  ...own
}: Pick<PageThreadsOptions, 'masterKeys' | 'clock' | 'log'> & {
  readonly settings: Pick<Settings, 'threads'>;
  readonly place: ViewsPlace;
  readonly unattended: boolean;
}): PageThreads | undefined {
  const extra = threads === undefined ? Math.min(availableParallelism() - 1, MOST_THREADS) : threads - 1;
  if (unattended || extra < 1 || !('file' in place)) return undefined;
  return new PageThreads({ ...own, file: place.file, threads: extra, from: threads === undefined ? FROM : 0 });
}
