/** One processor on an instance that shares its work by shards: lanes and reading are common, what is stored is each shard's own. */
import { setMaxListeners } from 'node:events';
import { defined } from '../../domain/defined.js';
import { messageOf } from '../messageOf.js';
import type { Lease } from '../ownership/lease.js';
import { Fenced } from '../ports/documents.js';
import { BEFORE_ALL } from '../ports/eventStore.js';
import type { ViewBeingBuilt } from '../projections/documentReads.js';
import { pause } from './backOff.js';
import { contextOf } from './context.js';
import { dueTimes } from './dueTimes.js';
import { inOne } from './inOne.js';
import { createLanes } from './lanes.js';
import { isParted } from './parting.js';
import { concurrencyOf, createPerformer } from './performer.js';
import type { AnyProcessor, ProcessorStatus } from './processor.js';
import { openShard, type WorkedShard } from './shard.js';
import { createShardReaders } from './shardReaders.js';
import { shardingOf } from './shards.js';
import { skippedNow } from './stops.js';
import { partedDefinition } from './taskDocuments.js';
import { together } from './together.js';
import { LIMITS, type ProcessorRuntimeParts, STOP_MS, within } from './worker.js';
import { readOrigin } from './workOrigin.js';
import { partedCollection } from './workPlaces.js';

export interface ShardedWorker {
  /** This instance owns the shard: it is worked on as soon as it can be. */
  join(shard: number, lease: Lease): void;
  /** `handover`: what is in flight is ended and everything written; `lost`: nothing is written any more. */
  leave(shard: number, how: 'handover' | 'lost'): Promise<void>;
  stop(): Promise<void>;
  status(): ProcessorStatus;
}

/** After the loss of a lease: what does not end by then goes on without a say. */
const ABANDON_MS = 1000;
/** Between two looks whether the work is parted, and two tries to begin with a shard. */
const AGAIN_MS = 1000;
/** A checkpoint that moved over events that led to nothing: how long it may stay unwritten. */
const IDLE_SAVE_MS = 10_000;

export function createShardedWorker(
  processor: AnyProcessor,
  parts: ProcessorRuntimeParts,
  count: number,
): ShardedWorker {
  const { work, clock, log } = parts;
  const { name } = processor;
  const sharding = shardingOf(processor.spread, count);
  const collection = partedCollection(name, count);
  const lanes = createLanes({ ...LIMITS, turns: concurrencyOf(processor) });
  const shards = new Map<number, WorkedShard>();
  /** Shards whose outcomes wait for their write, and whose tasks for room. */
  const crowded = new Set<WorkedShard>();
  const blocked = new Set<WorkedShard>();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const nextDue = dueTimes(clock);
  let lastTrouble: string | undefined;

  const trouble = (error: unknown): void => {
    if (error instanceof Fenced) return;
    lastTrouble = messageOf(error);
    log.warn({ processor: name, error: messageOf(error) }, 'a processor has trouble and tries again');
  };
  const waitedFor = new Set<string>();
  const waitsFor = ({ view, message }: ViewBeingBuilt): void => {
    if (waitedFor.has(view)) return;
    waitedFor.add(view);
    lastTrouble = message;
    log.info({ processor: name, projection: view }, 'a processor waits for a read model that is being built');
  };

  const performer = createPerformer({
    processor,
    collection,
    work,
    clock,
    lanes,
    of: (shard) => shards.get(shard!),
    room() {
      for (const one of crowded) if (one.ledger.room()) crowded.delete(one);
      return crowded.size === 0;
    },
    frontier: (shard) => shards.get(shard!)?.frontier,
    resume() {
      if (lanes.full()) return;
      for (const one of blocked) {
        blocked.delete(one);
        one.frontier.resume();
      }
    },
    performed: (task, result, ms) => parts.metrics?.performed(name, task.kind, result, ms),
    failed(task, error) {
      lastTrouble = messageOf(error);
      const details = { processor: name, task: task.id, kind: task.kind, attempt: task.attempt };
      log.warn({ ...details, error: messageOf(error) }, 'a task failed and will be performed again');
    },
    waitsFor,
    trouble,
  });

  const readers = createShardReaders({
    ...parts,
    processor,
    sharding,
    nextDue,
    contextOf: (signal, isHere) => contextOf(processor, parts, signal, { count, of: sharding.of, isHere }),
    waitsFor,
    trouble,
  });
  const opening = {
    ...parts,
    processor,
    sharding,
    head: inOne(() => parts.eventStore.head()),
    skipped: inOne(() => skippedNow(parts.eventStore, name)),
    origin: inOne(() => readOrigin(work)),
    written: together(work),
    lanes,
    performer,
    crowded: (one: WorkedShard) => crowded.add(one),
    blocked: (one: WorkedShard) => blocked.add(one),
    trouble,
  };

  let parted: Promise<void> | undefined;
  /** Resolves when the work is parted, and the views stand that the processor reads. */
  async function untilReady(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (await isParted(work, processor, sharding)) {
          await work.open(partedDefinition(name, count));
          break;
        }
      } catch (error) {
        trouble(error);
      }
      await pause(clock, AGAIN_MS, stopping.signal);
    }
    await parts.ready?.(stopping.signal);
  }

  /** Tried until it has begun, or the shard is another's. */
  async function begin(one: WorkedShard): Promise<void> {
    parted ??= untilReady();
    const { signal } = one.context;
    await Promise.race([parted, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    while (!signal.aborted) {
      try {
        await one.open();
        readers.add(one);
        return;
      } catch (error) {
        if (error instanceof Fenced) return one.fenced();
        trouble(error);
        await pause(clock, AGAIN_MS, signal);
      }
    }
  }

  async function end(one: WorkedShard, how: 'handover' | 'lost'): Promise<void> {
    shards.delete(one.shard);
    crowded.delete(one);
    blocked.delete(one);
    lanes.drop(one.shard);
    one.abort();
    const followed = readers.remove(one);
    const ended = Promise.all([followed, one.frontier.stop(), performer.idle(one.shard), one.begun]);
    await within(how === 'handover' ? STOP_MS : ABANDON_MS, ended);
    if (how === 'handover') await within(STOP_MS, one.save());
    performer.pump();
  }

  /** What led to nothing moves the checkpoints now and then, all at once. */
  let cancelSave: () => void = () => undefined;
  function saveLater(): void {
    cancelSave = clock.at(clock.now() + IDLE_SAVE_MS, () => {
      readers.passed();
      for (const one of shards.values()) one.saveSoon();
      saveLater();
    });
  }
  saveLater();

  return {
    join(shard, lease) {
      const one = openShard(opening, shard, lease);
      shards.set(shard, one);
      one.begun = begin(one);
    },
    async leave(shard, how) {
      const one = shards.get(shard);
      if (one !== undefined) await end(one, how);
    },
    async stop() {
      stopping.abort();
      cancelSave();
      await Promise.all([...shards.values()].map((one) => end(one, 'handover')));
      await readers.stop();
    },
    status() {
      readers.passed();
      const all = [...shards.values()];
      const failure = all.map((one) => readers.failureOf(one)).find((found) => found !== undefined);
      const nextDueAt = Math.min(...all.map(({ frontier }) => frontier.nextDueAt() ?? Number.POSITIVE_INFINITY));
      return {
        name,
        state: failure === undefined ? (stopping.signal.aborted ? 'stopped' : 'running') : 'failed',
        position: all.length === 0 ? BEFORE_ALL : Math.min(...all.map((one) => one.settled())),
        shards: all.length,
        inFlight: performer.inFlight(),
        ...lanes.size(),
        ...defined({ nextDueAt: Number.isFinite(nextDueAt) ? nextDueAt : undefined, failure, lastTrouble }),
      };
    },
  };
}
