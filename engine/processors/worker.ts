import { setMaxListeners } from 'node:events';
import { defined } from '../../domain/defined.js';
import type { CommandHandler } from '../commandHandler/commands.js';
import type { Leases } from '../ownership/leases.js';
import type { Clock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { Tracing } from '../ports/tracing.js';
import { RateMeter } from '../projections/rateMeter.js';
import type { Reads } from '../projections/reads.js';
import { type Beginning, beginningOf } from './beginning.js';
import { contextOf, ONE_SHARD } from './context.js';
import { type Follower, followLog } from './follower.js';
import { concurrencyOf, createPerformer } from './performer.js';
import type { AnyProcessor, ProcessorMetrics, ProcessorStatus } from './processor.js';
import { skippedNow } from './stops.js';
import { dueTimes } from './tasks/dueTimes.js';
import { createFrontier } from './tasks/frontier.js';
import { createLanes } from './tasks/lanes.js';
import { createLedger, type Ledger } from './tasks/ledger.js';
import { tasksDefinition } from './tasks/taskDocuments.js';
import { tasksCollection, wholeOf } from './tasks/workPlaces.js';
import type { Finished } from './tasks/writeBehind.js';
import { createTroubles } from './troubles.js';

/** Memory of one processor: 2,000 tasks, at most 32 of a lane; some 200 bytes for each lane that has something due. */
export const LIMITS = { window: 32, tasks: 2000, lanes: 50_000 };
export const STOP_MS = 5000;

export interface ProcessorRuntimeParts {
  readonly eventStore: EventStore;
  /** Where tasks and checkpoints are kept: collection `tasks_{processor}`, checkpoint `processor_{processor}`. */
  readonly work: DocumentStore;
  readonly processors: readonly AnyProcessor[];
  /**
   * Leases of instances that share `work`. An instance works on the shards of every processor whose lease `shard:{number}` it owns.
   * Absent where one instance does all the work.
   */
  readonly leases?: Pick<Leases, 'hold'>;
  /** Number of shards. It never changes once the work is partitioned. Default: 64. */
  readonly shards?: number;
  readonly commands: CommandHandler;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: ProcessorMetrics;
  /** Performances are spans of what led to them; absent where no traces are written. */
  readonly tracing?: Tracing | undefined;
  /** Does a step of the start again while an engine is away; absent: once. */
  patient?<T>(step: () => Promise<T>): Promise<T>;
  /** Resolves when there is what processors read, or the signal is aborted: until then nothing is noted or performed. */
  readonly ready?: (signal: AbortSignal) => Promise<void>;
}

export interface ProcessorRuntime {
  /** Opens the task collections, goes on with what is owed, and follows the log; with leases, once each is owned. */
  start(): Promise<void>;
  /** Aborts the signal, waits up to 5 s for what is in flight, writes the outcomes. Tasks without one are performed again. */
  stop(): Promise<void>;
  /** Of those that run here. */
  status(): readonly ProcessorStatus[];
}

/** Workers of one process, before they follow what an operator has tried again. */
export interface Workers extends ProcessorRuntime {
  /** Stored tasks of a processor have become due since `from` (ms since 1970) that it did not know of. */
  lookAgain(processor: string, from: number): void;
}

export interface Worker {
  start(): Promise<void>;
  stop(): Promise<void>;
  lookAgain(from: number): void;
  status(): ProcessorStatus;
}

/** Resolves with the promise or after `ms` of real time, whichever is first. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

/** One processor at work on an instance that does all of its work: notes tasks from its subscription, performs what is due. */
export function createWorker(processor: AnyProcessor, parts: ProcessorRuntimeParts): Worker {
  const { work, clock, log, eventStore } = parts;
  const fence = undefined;
  const collection = tasksCollection(processor.name);
  const aborting = new AbortController();
  // One listener for each effect in flight, of which there may be many.
  setMaxListeners(0, aborting.signal);
  const isPending = async (id: string): Promise<boolean> =>
    (ledger?.owes(id) ?? false) || lanes.has({ id }) || (await work.get(collection, id)) !== undefined;
  const context = contextOf(processor, parts, aborting.signal, ONE_SHARD, isPending);
  let state: 'running' | 'stopped' = 'stopped';
  const effects = new RateMeter(clock.steady);
  let ledger: Ledger | undefined;
  let follower: Follower | undefined;

  const troubles = createTroubles(processor.name, log, clock);
  const { trouble } = troubles;
  const fenced = (): void => aborting.abort();
  const lanes = createLanes({ ...LIMITS, turns: concurrencyOf(processor) });
  const frontier = createFrontier({ work, collection, clock, lanes, found: () => performer.pump(), trouble });
  const performed = {
    context,
    ledger: { finish: (finished: Finished) => ledger?.finish(finished) },
    mayAct: () => true,
  };
  const performer = createPerformer({
    processor,
    collection,
    work,
    clock,
    lanes,
    tracing: parts.tracing,
    of: () => performed,
    room: () => !aborting.signal.aborted && (ledger?.room() ?? false),
    frontier: () => frontier,
    resume: () => frontier.resume(),
    performed(task, result, ms) {
      effects.add(1, 0);
      parts.metrics?.performed(processor.name, task.kind, result, ms);
    },
    ...troubles,
  });

  function openLedger({ from, stored }: Beginning): Ledger {
    return createLedger({
      place: wholeOf(processor.name),
      work,
      clock,
      lanes,
      storedPart: processor.stored,
      from,
      stored,
      writeUpTo: BEFORE_ALL,
      fence,
      signal: aborting.signal,
      fenced,
      ...troubles,
      admit: (tasks) => tasks.forEach(performer.admit),
      pump: () => performer.pump(),
    });
  }

  return {
    async start() {
      await work.open(tasksDefinition(processor.name));
      const beginning = await beginningOf(processor, parts, fence);
      const skipped = await skippedNow(eventStore, processor.name);
      // All that an engine may be away for is done: until here nothing has begun, and it can be done again.
      const noted = openLedger(beginning);
      ledger = noted;
      const { settledUpTo } = beginning;
      const about = {
        ...parts,
        processor,
        context,
        ledger: noted,
        place: wholeOf(processor.name),
        nextDue: dueTimes(clock),
        skipped,
        settledUpTo,
        fence,
      };
      state = 'running';
      const begin = (): void => {
        if (aborting.signal.aborted) return;
        frontier.look();
        frontier.follow(false);
        follower = followLog({ ...about, fenced, ...troubles });
      };
      if (parts.ready === undefined) begin();
      else void parts.ready(aborting.signal).then(begin, trouble);
    },
    async stop() {
      aborting.abort();
      ledger?.stop();
      await within(STOP_MS, Promise.all([follower?.stop(), frontier.stop(), performer.idle()]));
      await within(STOP_MS, ledger?.save() ?? Promise.resolve());
      state = 'stopped';
    },
    lookAgain(from) {
      if (!aborting.signal.aborted && follower !== undefined) frontier.lookFrom(from);
    },
    status: () => ({
      name: processor.name,
      state: state === 'running' && follower?.failure() !== undefined ? 'failed' : state,
      position: ledger?.reached() ?? BEFORE_ALL,
      inFlight: performer.inFlight(),
      effectsPerSecond: effects.perSecond().events,
      ...lanes.size(),
      ...defined({ nextDueAt: frontier.nextDueAt(), failure: follower?.failure() }),
      ...troubles.status(),
    }),
  };
}
