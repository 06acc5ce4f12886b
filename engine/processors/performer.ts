import type { Clock } from '../ports/clock.js';
import type { Documents } from '../ports/documents.js';
import { ViewBeingBuilt } from '../projections/documentReads.js';
import { backOff, pause } from './backOff.js';
import type { Frontier } from './frontier.js';
import type { Lane, Lanes } from './lanes.js';
import type { Ledger } from './ledger.js';
import type { AnyProcessor, Outcome, ProcessorContext } from './processor.js';
import { type OwedTask, taskOf, tasksCollection } from './taskDocuments.js';

const CONCURRENCY = 64;
/** After a failed read, before the lane's next turn. */
const TROUBLE_MS = 1000;
/** Until a task whose view is being built is performed again. */
const VIEW_MS = 1000;

/** Tasks of a processor in flight at once. */
export const concurrencyOf = ({ concurrency = CONCURRENCY }: AnyProcessor): number => concurrency;

export interface Performer {
  /** Starts what can be started. */
  pump(): void;
  /** A task that is stored: due now, or a timer. */
  admit(task: OwedTask): void;
  inFlight(): number;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

interface Parts {
  readonly processor: AnyProcessor;
  readonly context: ProcessorContext;
  readonly work: Documents;
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly ledger: Pick<Ledger, 'finish' | 'room'>;
  readonly frontier: Frontier;
  /** Whether effects may still be begun. */
  mayAct(): boolean;
  performed(task: OwedTask, result: 'done' | 'again' | 'failed', ms: number): void;
  failed(task: OwedTask, error: unknown): void;
  /** What the task reads is being built: it is performed again, and has not failed. */
  waitsFor(view: ViewBeingBuilt): void;
  trouble(error: unknown): void;
}

/** Until the right to act is asked for again. */
const ASK_AGAIN_MS = 200;

/** Performs the tasks whose lanes have their turn, `concurrency` at once, one of a lane at a time. */
export function createPerformer(parts: Parts): Performer {
  const { processor, context, work, clock, lanes, ledger, frontier } = parts;
  const collection = tasksCollection(processor.name);
  const concurrency = concurrencyOf(processor);
  let running = 0;
  let asking = false;
  let whenIdle: (() => void)[] = [];

  async function outcomeOf(task: OwedTask): Promise<{ outcome: Outcome; failures: number } | undefined> {
    const begun = performance.now();
    try {
      const perform = processor.perform[task.kind];
      if (perform === undefined) throw new Error(`processor ${processor.name} has no task kind ${task.kind}`);
      const outcome = await perform(task as never, context);
      parts.performed(task, 'done' in outcome ? 'done' : 'again', performance.now() - begun);
      return { outcome, failures: 0 };
    } catch (error) {
      if (context.signal.aborted) return undefined;
      if (error instanceof ViewBeingBuilt) {
        parts.performed(task, 'again', performance.now() - begun);
        parts.waitsFor(error);
        return { outcome: { again: { at: clock.now() + VIEW_MS } }, failures: task.failures };
      }
      parts.performed(task, 'failed', performance.now() - begun);
      parts.failed(task, error);
      const failures = task.failures + 1;
      return { outcome: { again: { at: clock.now() + backOff(failures) } }, failures };
    }
  }

  async function perform(lane: Lane, task: OwedTask): Promise<void> {
    const result = await outcomeOf(task);
    if (result === undefined) lanes.settled(lane, task);
    else ledger.finish({ lane, task, ...result });
  }

  /** Reads the lane's next tasks, oldest due first. What is offered to the lane meanwhile sets `more` again. */
  async function read(lane: Lane): Promise<void> {
    lane.more = false;
    const limit = lanes.room() + lane.held;
    try {
      const where = { lane: lane.name, dueAt: { lte: clock.now() } };
      const rows = await work.find(collection, { where, sort: ['dueAt'], limit });
      lanes.fill(lane, rows.map(taskOf), rows.length < limit);
    } catch (error) {
      parts.trouble(error);
      lane.more = true;
      await pause(clock, TROUBLE_MS, context.signal);
    }
  }

  async function turn(lane: Lane): Promise<void> {
    running++;
    const task = lane.window.shift();
    if (task !== undefined) await perform(lane, task);
    else if (lane.more) await read(lane);
    running--;
    lanes.release(lane);
    pump();
  }

  /** Where the right to act is only not renewed yet, nobody would say that it is again. */
  function mayBegin(): boolean {
    if (context.signal.aborted) return false;
    if (parts.mayAct()) return true;
    if (!asking)
      clock.at(clock.now() + ASK_AGAIN_MS, () => {
        asking = false;
        pump();
      });
    asking = true;
    return false;
  }

  function pump(): void {
    while (running < concurrency && ledger.room() && mayBegin()) {
      const lane = lanes.take();
      if (lane === undefined) break;
      void turn(lane);
    }
    frontier.resume();
    if (running === 0) for (const resolve of whenIdle.splice(0)) resolve();
  }

  return {
    pump,
    admit(task) {
      const due = { id: task.id, lane: task.lane, open: () => task };
      if (task.dueAt > clock.now() || !lanes.offer(due)) frontier.expect(task.dueAt);
    },
    inFlight: () => running,
    idle: () =>
      new Promise((resolve) => {
        whenIdle = [...whenIdle, resolve];
        if (running === 0) resolve();
      }),
  };
}
