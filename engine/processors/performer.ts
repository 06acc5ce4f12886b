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

export interface Performer {
  /** Starts as many tasks as possible. */
  pump(): void;
  /** Takes in a stored task that is due now, or a timer. */
  admit(task: PendingTask): void;
  inFlight(): number;
  /** Resolves when nothing is in flight, in one shard if given. */
  idle(shard?: number): Promise<void>;
}

/** The shard that tasks are performed for, and that receives their outcomes. */
export interface Performing {
  readonly context: ProcessorContext;
  /** True while effects may be begun. */
  mayAct(): boolean;
  /** Receives the outcome of a task. */
  finish(finished: Finished): void;
}

interface Parts extends Pick<Troubles, 'trouble' | 'failed' | 'waitsFor' | 'answered'> {
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
export function createPerformer(parts: Parts): Performer {
  const { processor, collection, work, clock, lanes } = parts;
  const concurrency = concurrencyOf(processor);
  let running = 0;
  let isPolling = false;
  const runningOf = new Map<number | undefined, number>();
  let whenIdle: { readonly shard: number | undefined; resolve(): void }[] = [];

  const count = (shard: number | undefined, by: 1 | -1): void => {
    running += by;
    runningOf.set(shard, (runningOf.get(shard) ?? 0) + by);
  };
  const isIdle = (shard: number | undefined): boolean =>
    shard === undefined ? running === 0 : (runningOf.get(shard) ?? 0) === 0;

  async function outcomeOf(task: PendingTask, { context }: Performing): Promise<Came | undefined> {
    const startedAt = performance.now();
    try {
      const perform = processor.perform[task.kind];
      if (perform === undefined) throw new Error(`processor ${processor.name} has no task kind ${task.kind}`);
      const outcome = await perform(task as never, context);
      parts.answered();
      parts.performed(task, 'done' in outcome ? 'done' : 'again', performance.now() - startedAt);
      return { outcome, failures: 0 };
    } catch (error) {
      if (context.signal.aborted) return undefined;
      if (error instanceof ViewBeingBuilt) {
        parts.performed(task, 'again', performance.now() - startedAt);
        parts.waitsFor(error);
        return { outcome: { again: { at: clock.now() + VIEW_MS } }, failures: task.failures, uncounted: true };
      }
      const failures = task.failures + 1;
      const outcome: Outcome = { again: { at: clock.now() + backOff(failures) } };
      if (isStoreFailure(error)) {
        parts.performed(task, 'again', performance.now() - startedAt);
        parts.trouble(error);
        return { outcome, failures, uncounted: true };
      }
      parts.performed(task, 'failed', performance.now() - startedAt);
      parts.failed(task, error);
      return { outcome, failures };
    }
  }

  async function perform(lane: Lane, task: PendingTask, by: Performing): Promise<void> {
    const { tracing } = parts;
    const result = await (tracing === undefined
      ? outcomeOf(task, by)
      : inTrace(tracing, processor.name, task, () => outcomeOf(task, by)));
    if (result === undefined) lanes.settled(lane, task);
    else by.finish({ lane, task, ...result });
  }

  /** Reads the lane's next tasks, oldest due first. If a task is offered to the lane meanwhile, it reads again. */
  async function read(lane: Lane, { context }: Performing): Promise<void> {
    const limit = lanes.room() + lane.inMemory;
    const page = lanes.openPage(lane.shard, lane);
    try {
      // The clock may have been set back since the frontier passed a task, and nobody would read that task again.
      const dueAt = { lte: Math.max(clock.now(), parts.frontier(lane.shard)?.readUpTo() ?? 0) };
      const where = { lane: lane.name, dueAt };
      const rows = await work.find(collection, { where, sort: ['dueAt'], limit });
      lanes.fill(lane, rows.map(taskOf), page, rows.length < limit);
    } catch (error) {
      parts.trouble(error, TROUBLE_MS);
      await pause(clock.steady, TROUBLE_MS, context.signal);
    } finally {
      page.close();
    }
  }

  async function turn(lane: Lane, by: Performing): Promise<void> {
    count(lane.shard, 1);
    const task = lane.window.shift();
    if (task !== undefined) await perform(lane, task, by);
    else if (lane.more) await read(lane, by);
    count(lane.shard, -1);
    lanes.release(lane);
    pump();
  }

  /** Checks `mayAct` again later: no event is published when a lease is renewed. */
  function pollAgain(): void {
    if (isPolling) return;
    isPolling = true;
    clock.steady.at(clock.steady.now() + ASK_AGAIN_MS, () => {
      isPolling = false;
      pump();
    });
  }

  /** True if tasks may begin for this shard now. */
  function mayBegin(by: Performing | undefined): by is Performing {
    if (by === undefined || by.context.signal.aborted) return false;
    if (by.mayAct()) return true;
    pollAgain();
    return false;
  }

  function pump(): void {
    const left: Lane[] = [];
    while (running < concurrency && parts.room()) {
      const lane = lanes.take();
      if (lane === undefined) break;
      const by = parts.of(lane.shard);
      if (mayBegin(by)) void turn(lane, by);
      else left.push(lane);
    }
    // Lanes whose shard may not act now get their turn later.
    for (const lane of left) lanes.release(lane);
    parts.resume();
    const idle = whenIdle.filter(({ shard }) => isIdle(shard));
    whenIdle = whenIdle.filter((one) => !idle.includes(one));
    for (const { resolve } of idle) resolve();
  }

  return {
    pump,
    admit(task) {
      const due = { ...task, open: () => task };
      if (task.dueAt > clock.now() || !lanes.offer(due, undefined)) parts.frontier(task.shard)?.expect(task.dueAt);
    },
    inFlight: () => running,
    idle: (shard) =>
      isIdle(shard)
        ? Promise.resolve()
        : new Promise((resolve) => {
            whenIdle = [...whenIdle, { shard, resolve }];
          }),
  };
}
