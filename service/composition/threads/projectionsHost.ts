/** The main thread's side of the projections: starts their thread, passes questions on, and starts it again when it dies. */

import { Worker } from 'node:worker_threads';
import { type SteadyClock, steadyClock } from '../../../engine/ports/clock.js';
import { StoreRefused, StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { type Log, silentLog } from '../../../engine/ports/log.js';
import { ProgressBoard } from '../../../engine/projections/progressBoard.js';
import type { Positions, ProjectionHost } from '../../../engine/projections/runtime.js';
import type { ProjectionStatus } from '../../../engine/projections/status.js';
import type { ViewChanges } from '../../../engine/projections/viewChanges.js';
import { nameThread } from '../../../infrastructure/threads.js';
import type { ViewsPlace } from '../../engines/engines.js';
import { evolvedEvents } from '../events.js';
import type { EventSource, FromThread, ThreadData, ToThread } from './projectionsThread.js';

/** How far queries are: an own board, or one that also hears of other instances. */
type Progress = Pick<ProgressBoard, 'waitFor' | 'moved' | 'setStopped' | 'close'>;

export interface ProjectionsThreadOptions {
  /** Source of the log, called at each start of the thread, since a port is lost with its thread. */
  events(): EventSource;
  readonly views: ViewsPlace;
  /** Set if other instances share the read models: this instance's name, and the receiver of their progress. */
  readonly shared?: { readonly instance: string; readonly progress: Progress };
  /** Receiver of the written changes, if no other process writes the read models. */
  readonly changes?: ViewChanges;
  readonly log?: Log;
  readonly clock?: SteadyClock;
  /** URL of the module that exports `projections`; the service's own when absent. */
  readonly projections?: string;
  /** URL of the module that exports `evolvedEvents`; the service's own when absent. */
  readonly evolved?: string;
  /** As in the thread's data. */
  readonly vault?: ThreadData['vault'];
  readonly graceMs?: number;
  /** As in the thread's data. */
  readonly filling?: ThreadData['filling'];
  /** As in the runtime's options. */
  readonly unattended?: boolean;
}

export interface ProjectionsThread extends ProjectionHost {
  /** True if the thread runs now. */
  running(): boolean;
  /** Id of the running thread's worker; for tests that end it. */
  readonly worker: Worker;
}

const ownEvolved = (): string | undefined =>
  evolvedEvents.size > 0 ? new URL('../events.js', import.meta.url).href : undefined;

type Question = { readonly request: 'status' | 'stop' } | { readonly rebuild: string; readonly restart: boolean };
interface PendingRequest {
  resolve(answer: ProjectionStatus[] | undefined): void;
  reject(error: Error): void;
}

/** Folding makes much short-lived garbage: with more room, less of it is looked at. */
const YOUNG_MB = 96;
const ANSWER_MS = 10_000;
/** Longest end of the thread, which writes what it has folded: the next start folds that again while an engine is unavailable. */
const STOP_MS = 8_000;
const FIRST_RESTART_MS = 100;
const LONGEST_RESTART_MS = 30_000;

/** Errors from a thread only retain the name of their class. */
const OF_ENGINES = [StoreRefused, StoreUnavailable];

/** Why the thread ended, as what an engine answered where that is the reason. */
function endedBy(cause: Error | undefined): Error {
  const kind = OF_ENGINES.find(({ name }) => name === cause?.name) ?? Error;
  return new kind(`the projections thread ended: ${cause?.message ?? 'no reason given'}`, { cause });
}

const gone = (): Error => new Error('the projections are restarting');

class ThreadHost implements ProjectionsThread {
  worker!: Worker;
  readonly passed?: ProjectionHost['passed'];
  readonly #options: ProjectionsThreadOptions;
  readonly #progress: Progress;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #log: Log;
  readonly #clock: SteadyClock;
  /** Start of a thread that waits for the location of the log. */
  #prepared: Promise<void> | undefined;
  /** Those that the thread has named last. */
  #named: readonly string[] = [];
  #seq = 0;
  #running = false;
  #stopping = false;
  #restartMs = FIRST_RESTART_MS;
  #cancelRestart: (() => void) | undefined;

  constructor(options: ProjectionsThreadOptions) {
    this.#options = options;
    const board = new ProgressBoard();
    this.#progress = options.shared?.progress ?? board;
    if (options.shared === undefined) this.passed = (names, position) => board.passed(names, position);
    this.#log = options.log ?? silentLog;
    this.#clock = options.clock ?? steadyClock;
  }

  /** Has a thread load what it needs, which `launch` then sets to work. */
  prepare(): void {
    this.#prepared ??= this.#thread();
  }

  /** Starts the thread; rejects when it ends before it follows the log. */
  launch(): Promise<void> {
    const started = this.#prepared ?? this.#thread();
    this.#prepared = undefined;
    const begin = this.#options.events();
    this.worker.postMessage({ begin } satisfies ToThread, 'notices' in begin ? [begin.notices] : []);
    return started;
  }

  /** Resolves when it follows the log. */
  #thread(): Promise<void> {
    const { views, shared, vault, graceMs, filling, unattended = false } = this.#options;
    const projections = this.#options.projections ?? new URL('../../../projections/index.js', import.meta.url).href;
    const instance = shared?.instance;
    const evolved = this.#options.evolved ?? ownEvolved();
    const workerData: ThreadData = { views, instance, projections, evolved, vault, graceMs, filling, unattended };
    const worker = new Worker(new URL('./projectionsThread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    nameThread(worker, 'read models');
    this.worker = worker;
    const started = new Promise<void>((resolve, reject) => {
      let cause: Error | undefined;
      worker.on('error', (error) => {
        cause = error;
      });
      worker.on('exit', () => {
        const error = endedBy(cause);
        reject(error);
        this.#ended(error);
      });
      worker.on('message', (message: FromThread) => {
        if ('started' in message) {
          this.#running = true;
          this.#restartMs = FIRST_RESTART_MS;
          resolve();
        } else this.#heard(message);
      });
    });
    // The end of a prepared thread is reported when it is started.
    started.catch(() => {});
    return started;
  }

  running(): boolean {
    return this.#running;
  }

  get changes(): ViewChanges | undefined {
    return this.#options.changes;
  }

  waitFor(names: readonly string[], position: number, timeoutMs: number): Promise<boolean> {
    return this.#progress.waitFor(names, position, timeoutMs);
  }

  async status(): Promise<ProjectionStatus[]> {
    return (await this.#request({ request: 'status' }))!;
  }

  async rebuild(name: string, restart = false): Promise<void> {
    await this.#request({ rebuild: name, restart });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRestart?.();
    this.#progress.close();
    if (!this.#running) return void (await this.worker.terminate());
    const exit = new Promise((resolve) => this.worker.once('exit', resolve));
    const late = setTimeout(() => void this.worker.terminate(), STOP_MS);
    try {
      await this.#request({ request: 'stop' });
      await exit;
    } catch (error) {
      this.#log.warn({ err: error }, 'projections thread did not stop, terminating');
      await this.worker.terminate();
    } finally {
      clearTimeout(late);
    }
  }

  #request(question: Question): Promise<ProjectionStatus[] | undefined> {
    if (!this.#running) return Promise.reject(gone());
    const seq = ++this.#seq;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => settle(() => reject(new Error('the projections thread did not respond in time'))),
        ANSWER_MS,
      );
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        this.#pending.delete(seq);
        end();
      };
      this.#pending.set(seq, {
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (error) => settle(() => reject(error)),
      });
      this.worker.postMessage({ ...question, seq } satisfies ToThread);
    });
  }

  #heard(message: Exclude<FromThread, { started: true }>): void {
    if ('changed' in message) {
      this.#options.changes?.heard(message.changed);
      this.#progress.moved(this.#positionsIn(message));
    } else if ('stopped' in message) this.#progress.setStopped(message.stopped);
    else if ('log' in message) this.#log[message.log](message.fields, message.message);
    else if ('failed' in message) this.#pending.get(message.seq)?.reject(new Error(message.failed));
    else this.#pending.get(message.seq)?.resolve(message.answer);
  }

  #positionsIn(message: Extract<FromThread, { changed: unknown }>): Positions {
    if ('together' in message) return Object.fromEntries(this.#named.map((name) => [name, message.together]));
    const names = Object.keys(message.positions);
    if (names.length > 0) this.#named = names;
    return message.positions;
  }

  #ended(error: Error): void {
    const wasRunning = this.#running;
    this.#running = false;
    for (const call of [...this.#pending.values()]) call.reject(gone());
    if (this.#stopping) return;
    if (!wasRunning && this.#cancelRestart === undefined) return;
    this.#log.error({ err: error, restartMs: this.#restartMs }, 'projections thread ended, restarting');
    const again = (): void => void this.launch().catch(() => {});
    this.#cancelRestart = this.#clock.at(this.#clock.now() + this.#restartMs, again);
    this.#restartMs = Math.min(LONGEST_RESTART_MS, this.#restartMs * 2);
  }
}

/**
 * Runs the projections in a thread of their own. Resolves when they follow the log, or take part in sharing it out; rejects when the
 * thread ends before, with StoreUnavailable where an engine is away: then all of it may be tried again. When
 * the thread dies, waits answer false at their timeout, questions are refused, and it is started again with growing
 * pauses (100 ms to 30 s); nothing is lost, since no checkpoint is ahead of its documents.
 */
export const startProjectionsThread = (options: ProjectionsThreadOptions): Promise<ProjectionsThread> =>
  prepareProjectionsThread(options).begin();

/** A thread that loads what it needs while its engines are opened, which takes it as long as them. */
export interface PreparedThread {
  /** As startProjectionsThread. */
  begin(): Promise<ProjectionsThread>;
  /** For one that has not begun. */
  stop(): Promise<void>;
}

export function prepareProjectionsThread(options: ProjectionsThreadOptions): PreparedThread {
  const host = new ThreadHost(options);
  host.prepare();
  return {
    async begin() {
      await host.launch();
      return host;
    },
    stop: () => host.stop(),
  };
}
