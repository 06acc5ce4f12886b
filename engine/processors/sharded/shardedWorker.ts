/** One processor on an instance that shares its work by shards: lanes and reading are common, what is stored is each shard's own. */
import { setMaxListeners } from 'node:events';
import { defined } from '../../../domain/defined.js';
import type { Lease } from '../../ownership/lease.js';
import { RateMeter } from '../../projections/rateMeter.js';
import { pause } from '../backOff.js';
import { contextOf } from '../context.js';
import { concurrencyOf, createPerformer } from '../performer.js';
import type { AnyProcessor, ProcessorStatus } from '../processor.js';
import { shardingOf } from '../shards.js';
import { dueTimes } from '../tasks/dueTimes.js';
import { createLanes } from '../tasks/lanes.js';
import { partedDefinition } from '../tasks/taskDocuments.js';
import { partedCollection } from '../tasks/workPlaces.js';
import { createTroubles } from '../troubles.js';
import { LIMITS, type ProcessorRuntimeParts, STOP_MS, within } from '../worker.js';
import { beginShards } from './beginShards.js';
import { isParted } from './parting.js';
import { openShard, type WorkedShard } from './shard.js';
import { createShardReaders } from './shardReaders.js';
import type { together } from './together.js';

export interface OwnedShard {
  readonly shard: number;
  readonly lease: Lease;
}

export interface ShardedWorker {
  /** This instance owns the shards, and has claimed their names: they are worked on as soon as they can be. */
  join(shards: readonly OwnedShard[]): void;
  /** `handover`: what is in flight is ended and everything written; `lost`: nothing is written any more. */
  leave(shard: number, how: 'handover' | 'lost'): Promise<void>;
  stop(): Promise<void>;
  /** See `Workers.lookAgain`. */
  lookAgain(from: number): void;
  /** Undefined while no shard of it has begun here. */
  status(): ProcessorStatus | undefined;
}

/** After the loss of a lease: what does not end by then goes on without a say. */
const ABANDON_MS = 1000;
/** Between two looks whether the work is parted, and two tries to begin with a shard. */
const AGAIN_MS = 1000;
/** A checkpoint that moved over events that led to nothing: how long it may stay unwritten. */
const IDLE_SAVE_MS = 10_000;

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

export function createShardedWorker(
  processor: AnyProcessor,
  parts: ProcessorRuntimeParts,
  count: number,
  written: ReturnType<typeof together>,
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
  const effects = new RateMeter(clock.steady);
  const troubles = createTroubles(name, log, clock);
  const { trouble } = troubles;

  const performer = createPerformer({
    processor,
    collection,
    work,
    clock,
    lanes,
    tracing: parts.tracing,
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
    performed(task, result, ms) {
      effects.add(1, 0);
      parts.metrics?.performed(name, task.kind, result, ms);
    },
    ...troubles,
  });

  const readers = createShardReaders({
    ...parts,
    processor,
    sharding,
    nextDue,
    contextOf: (signal, isHere) => contextOf(processor, parts, signal, { count, of: sharding.of, isHere }),
    ...troubles,
  });
  const opening = {
    ...parts,
    processor,
    sharding,
    written,
    lanes,
    performer,
    crowded: (one: WorkedShard) => crowded.add(one),
    blocked: (one: WorkedShard) => blocked.add(one),
    ...troubles,
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
        trouble(error, AGAIN_MS);
      }
      await pause(clock.steady, AGAIN_MS, stopping.signal);
    }
    await parts.ready?.(stopping.signal);
  }

  /** Resolves when they have begun. Tried until they have, or are another's. */
  async function begin(all: readonly WorkedShard[]): Promise<void> {
    parted ??= untilReady();
    await parted;
    for (let left = all; ; ) {
      left = left.filter(({ context }) => !context.signal.aborted);
      if (left.length === 0) return;
      try {
        const places = await beginShards(processor, parts, left);
        const able = left.filter((one) => !one.context.signal.aborted && places.has(one));
        for (const one of able) one.open(places.get(one)!);
        if (able.length > 0) readers.read(able);
        return;
      } catch (error) {
        trouble(error, AGAIN_MS);
        await pause(clock.steady, AGAIN_MS, stopping.signal);
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
    const over = Promise.all([followed, one.frontier.stop(), performer.idle(one.shard), one.begun]);
    await within(how === 'handover' ? STOP_MS : ABANDON_MS, over);
    if (how === 'handover') await within(STOP_MS, one.save());
    performer.pump();
  }

  /** What led to nothing moves the checkpoints now and then, all at once. */
  let cancelSave: (() => void) | undefined;
  function saveLater(): void {
    cancelSave = clock.steady.at(clock.steady.now() + IDLE_SAVE_MS, () => {
      readers.passed();
      for (const one of shards.values()) one.saveSoon();
      saveLater();
    });
  }

  return {
    join(owned) {
      if (cancelSave === undefined) saveLater();
      const all = owned.map(({ shard, lease }) => openShard(opening, shard, lease));
      const begun = begin(all);
      for (const one of all) {
        shards.set(one.shard, one);
        one.begun = Promise.race([begun, ended(one.context.signal)]);
      }
    },
    async leave(shard, how) {
      const one = shards.get(shard);
      if (one !== undefined) await end(one, how);
    },
    async stop() {
      stopping.abort();
      cancelSave?.();
      await Promise.all([...shards.values()].map((one) => end(one, 'handover')));
      await readers.stop();
    },
    lookAgain(from) {
      for (const { frontier, reached, context } of shards.values()) {
        // One that has not begun reads everything when it does.
        if (context.signal.aborted || reached() === undefined) continue;
        frontier.lookFrom(from);
      }
    },
    status() {
      readers.passed();
      const all = [...shards.values()];
      const positions = all.flatMap((one) => one.reached() ?? []);
      if (positions.length === 0) return undefined;
      const failure = all.map((one) => readers.failureOf(one)).find((found) => found !== undefined);
      const nextDueAt = Math.min(...all.map(({ frontier }) => frontier.nextDueAt() ?? Number.POSITIVE_INFINITY));
      return {
        name,
        state: failure === undefined ? (stopping.signal.aborted ? 'stopped' : 'running') : 'failed',
        position: Math.min(...positions),
        shards: all.length,
        inFlight: performer.inFlight(),
        effectsPerSecond: effects.perSecond().events,
        ...lanes.size(),
        ...defined({ nextDueAt: Number.isFinite(nextDueAt) ? nextDueAt : undefined, failure }),
        ...troubles.status(),
      };
    },
  };
}
