import { backOff, pause } from '../backOff.js';
import type { Clock } from '../ports/clock.js';
import type { Documents } from '../ports/documents.js';
import type { Tracing } from '../ports/tracing.js';
import { ViewBeingBuilt } from '../projections/documentReads.js';
import { isStoreFailure } from '../storeFailures.js';
import type { AnyProcessor, Outcome, ProcessorContext } from './processor.js';
import type { Frontier } from './tasks/frontier.js';
import type { Lane, Lanes } from './tasks/lanes.js';
import { type PendingTask, taskOf } from './tasks/taskDocuments.js';
import { type Came, inTrace } from './tasks/taskTrace.js';
import type { Finished } from './tasks/writeBehind.js';
import type { Troubles } from './troubles.js';

const CONCURRENCY = 64;
/** Pause after a failed read, before the lane's next turn, in ms. */
const TROUBLE_MS = 1000;
/** Delay of a task that needs a read model that is being built, in ms. */
const VIEW_MS = 1000;

/** Maximum number of tasks of a processor in flight. */
export const concurrencyOf = ({ concurrency = CONCURRENCY }: AnyProcessor): number => concurrency;

/** The shard that tasks are performed for, and that receives their outcomes. */
export interface Performing {
  readonly context: ProcessorContext;
  /** True while effects may be begun. */
  mayAct(): boolean;
  /** Receives the outcome of a task. */
  finish(finished: Finished): void;
}

export interface PerformerParts extends Pick<Troubles, 'trouble' | 'failed' | 'waitsFor' | 'answered'> {
  readonly processor: AnyProcessor;
  /** Collection of the tasks. */
  readonly collection: string;
  readonly work: Documents;
  readonly clock: Clock;
  readonly lanes: Lanes;
  /** Traces each performance as a span. Absent if tracing is off. */
  readonly tracing?: Tracing | undefined;
  /** Returns the shard of a task; undefined if this instance no longer works on it. */
  of(shard: number | undefined): Performing | undefined;
  /** True while more outcomes are accepted. */
  room(): boolean;
  frontier(shard: number | undefined): Pick<Frontier, 'expect' | 'readUpTo'> | undefined;
  /** Called when a reader that was blocked may continue. */
  resume(): void;
  performed(task: PendingTask, result: 'done' | 'again' | 'failed', ms: number): void;
}

/** Time until `mayAct` is checked again, in ms. */
const ASK_AGAIN_MS = 200;

/** Performs tasks of the lanes whose turn it is: `concurrency` at once, and one per lane. */
export class Performer {
  readonly #parts: PerformerParts;
  readonly #concurrency: number;
  #running = 0;
  readonly #runningOf = new Map<number | undefined, number>();
  #isPolling = false;
  #whenIdle: { readonly shard: number | undefined; resolve(): void }[] = [];

  constructor(parts: PerformerParts) {
    this.#parts = parts;
    this.#concurrency = concurrencyOf(parts.processor);
  }

  /** Starts as many tasks as possible. */
  pump(): void {
    const { lanes } = this.#parts;
    const left: Lane[] = [];
    while (this.#running < this.#concurrency && this.#parts.room()) {
      const lane = lanes.take();
      if (lane === undefined) break;
      const by = this.#parts.of(lane.shard);
      if (this.#mayBegin(by)) void this.#turn(lane, by);
      else left.push(lane);
    }
    // Lanes whose shard may not act now get their turn later.
    for (const lane of left) lanes.release(lane);
    this.#parts.resume();
    const idle = this.#whenIdle.filter(({ shard }) => this.#isIdle(shard));
    this.#whenIdle = this.#whenIdle.filter((one) => !idle.includes(one));
    for (const { resolve } of idle) resolve();
  }

  /** Takes in a stored task that is due now, or a timer. */
  admit(task: PendingTask): void {
    const { clock, lanes, frontier } = this.#parts;
    const due = { ...task, open: () => task };
    if (task.dueAt > clock.now() || !lanes.offer(due, undefined)) frontier(task.shard)?.expect(task.dueAt);
  }

  inFlight(): number {
    return this.#running;
  }

  /** Resolves when nothing is in flight, in one shard if given. */
  async idle(shard?: number): Promise<void> {
    if (this.#isIdle(shard)) return;
    await new Promise<void>((resolve) => this.#whenIdle.push({ shard, resolve }));
  }

  #isIdle(shard: number | undefined): boolean {
    return shard === undefined ? this.#running === 0 : (this.#runningOf.get(shard) ?? 0) === 0;
  }

  /** True if tasks may begin for this shard now. */
  #mayBegin(by: Performing | undefined): by is Performing {
    if (by === undefined || by.context.signal.aborted) return false;
    if (by.mayAct()) return true;
    this.#pollAgain();
    return false;
  }

  /** Checks `mayAct` again later: no event is published when a lease is renewed. */
  #pollAgain(): void {
    const { steady } = this.#parts.clock;
    if (this.#isPolling) return;
    this.#isPolling = true;
    steady.at(steady.now() + ASK_AGAIN_MS, () => {
      this.#isPolling = false;
      this.pump();
    });
  }

  async #turn(lane: Lane, by: Performing): Promise<void> {
    this.#count(lane.shard, 1);
    const task = lane.window.shift();
    if (task !== undefined) await this.#perform(lane, task, by);
    else if (lane.more) await this.#read(lane, by);
    this.#count(lane.shard, -1);
    this.#parts.lanes.release(lane);
    this.pump();
  }

  #count(shard: number | undefined, by: 1 | -1): void {
    this.#running += by;
    this.#runningOf.set(shard, (this.#runningOf.get(shard) ?? 0) + by);
  }

  async #perform(lane: Lane, task: PendingTask, by: Performing): Promise<void> {
    const { tracing, processor, lanes } = this.#parts;
    const result = await (tracing === undefined
      ? this.#outcomeOf(task, by)
      : inTrace(tracing, processor.name, task, () => this.#outcomeOf(task, by)));
    if (result === undefined) lanes.settled(lane, task);
    else by.finish({ lane, task, ...result });
  }

  /** Returns undefined if the task was ended early, because the shard has ended. */
  async #outcomeOf(task: PendingTask, { context }: Performing): Promise<Came | undefined> {
    const { processor, answered, performed } = this.#parts;
    const startedAt = performance.now();
    try {
      const perform = processor.perform[task.kind];
      if (perform === undefined) throw new Error(`processor ${processor.name} has no task kind ${task.kind}`);
      const outcome = await perform(task as never, context);
      answered();
      performed(task, 'done' in outcome ? 'done' : 'again', performance.now() - startedAt);
      return { outcome, failures: 0 };
    } catch (error) {
      if (context.signal.aborted) return undefined;
      const retry = this.#retryAfter(error, task);
      performed(task, retry.uncounted ? 'again' : 'failed', performance.now() - startedAt);
      return retry;
    }
  }

  /** Returns when to retry a task that threw. Failures that are not the task's own do not count as its attempts. */
  #retryAfter(error: unknown, task: PendingTask): Came {
    const { clock, waitsFor, trouble, failed } = this.#parts;
    if (error instanceof ViewBeingBuilt) {
      waitsFor(error);
      return { outcome: { again: { at: clock.now() + VIEW_MS } }, failures: task.failures, uncounted: true };
    }
    const failures = task.failures + 1;
    const outcome: Outcome = { again: { at: clock.now() + backOff(failures) } };
    if (isStoreFailure(error)) {
      trouble(error);
      return { outcome, failures, uncounted: true };
    }
    failed(task, error);
    return { outcome, failures };
  }

  /** Reads the lane's next tasks, oldest due first. If a task is offered to the lane meanwhile, it reads again. */
  async #read(lane: Lane, { context }: Performing): Promise<void> {
    const { clock, lanes, collection, work } = this.#parts;
    const limit = lanes.room() + lane.inMemory;
    const page = lanes.openPage(lane.shard, lane);
    try {
      // The clock may have been set back since the frontier passed a task, and nobody would read that task again.
      const dueAt = { lte: Math.max(clock.now(), this.#parts.frontier(lane.shard)?.readUpTo() ?? 0) };
      const where = { lane: lane.name, dueAt };
      const rows = await work.find(collection, { where, sort: ['dueAt'], limit });
      lanes.fill(lane, rows.map(taskOf), page, rows.length < limit);
    } catch (error) {
      this.#parts.trouble(error, TROUBLE_MS);
      await pause(clock.steady, TROUBLE_MS, context.signal);
    } finally {
      page.close();
    }
  }
}
