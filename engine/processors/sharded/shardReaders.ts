/**
 * Who reads the log for which shards of a processor: one reader for all that stand at one place, one for those that come up to
 * it, and one for each that stands at an event which cannot be understood yet. So a shard never waits for another.
 */
import type { EventStore } from '../../ports/eventStore.js';
import { type Follower, followLog } from '../follower.js';
import type { AnyProcessor, ProcessorContext, ProcessorStatus } from '../processor.js';
import type { Sharding } from '../shards.js';
import type { Troubles } from '../troubles.js';
import type { ProcessorRuntimeParts } from '../worker.js';
import type { WorkedShard } from './shard.js';
import { createSharedReader, type SharedReader } from './sharedReader.js';

export interface ShardReaders {
  /** Begins to read for shards that have been opened. */
  read(shards: readonly WorkedShard[]): void;
  /** Ends reading for it; resolves when nothing of it is being noted any more. */
  remove(shard: WorkedShard): Promise<void>;
  /** Tells each shard how far it has been read. */
  passed(): void;
  /** The event that a shard stands at, if any. */
  failureOf(shard: WorkedShard): ProcessorStatus['failure'];
  stop(): Promise<void>;
}

interface Parts
  extends Pick<ProcessorRuntimeParts, 'work' | 'clock' | 'log' | 'metrics'>,
    Pick<Troubles, 'trouble' | 'waitsFor' | 'answered'> {
  readonly eventStore: EventStore;
  readonly processor: AnyProcessor;
  readonly sharding: Sharding;
  readonly nextDue: () => number;
  contextOf(signal: AbortSignal, isHere: (key: string) => boolean): ProcessorContext;
}

type Reader = SharedReader<WorkedShard>;

export function createShardReaders(parts: Parts): ShardReaders {
  const { trouble } = parts;
  /** The first is the one that the others come up to. */
  let readers: Reader[] = [];
  const alone = new Map<WorkedShard, Follower>();
  const ending = new Set<Promise<void>>();

  function end(work: { stop(): Promise<void> } | undefined): void {
    if (work === undefined) return;
    const ended = work.stop().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  function endEmpty(): void {
    for (const one of readers) if (one.shards.size === 0) end(one);
    readers = readers.filter((one) => one.shards.size > 0);
  }

  /** Takes shards into the first reader, if they have come up to it. */
  function joinFirst(shards: readonly WorkedShard[], position: number): boolean {
    const [first] = readers;
    if (first === undefined || position < first.reached()) return false;
    first.adopt(shards);
    return true;
  }

  function read(shards: readonly WorkedShard[]): void {
    const places = shards.map(({ ledger }) => ledger.noted());
    const from = places.reduce((a, b) => (b.position < a.position ? b : a));
    const reader: Reader = createSharedReader<WorkedShard>(
      {
        ...parts,
        from,
        stumbled(shard, error) {
          trouble(error);
          followAlone(shard);
        },
        taken() {
          if (readers[0] === reader || !readers.includes(reader)) return;
          const own = [...reader.shards.values()];
          if (own.length > 0 && reader.place().position >= readers[0]!.reached()) {
            for (const one of own) reader.release(one);
            joinFirst(own, reader.place().position);
          }
          endEmpty();
        },
      },
      shards,
    );
    readers.push(reader);
  }

  function followAlone(shard: WorkedShard): void {
    const follower = followLog({
      ...parts,
      context: shard.context,
      ledger: shard.ledger,
      place: shard.place,
      skipped: shard.skipped,
      settledUpTo: shard.settledUpTo,
      fence: shard.fence,
      fenced: shard.fenced,
      part: {
        shard: shard.shard,
        sharding: parts.sharding,
        taken() {
          if (alone.get(shard) !== follower) return;
          if (readers.length === 0) read([shard]);
          else if (!joinFirst([shard], shard.ledger.noted().position)) return;
          alone.delete(shard);
          end(follower);
        },
      },
    });
    alone.set(shard, follower);
    endEmpty();
  }

  return {
    read,
    async remove(shard) {
      const follower = alone.get(shard);
      alone.delete(shard);
      for (const one of readers) if (one.shards.get(shard.shard) === shard) one.release(shard);
      endEmpty();
      await follower?.stop();
    },
    passed() {
      for (const one of readers) for (const shard of one.shards.values()) shard.ledger.passed(one.place());
    },
    failureOf: (shard) => alone.get(shard)?.failure(),
    async stop() {
      for (const one of readers) end(one);
      readers = [];
      await Promise.allSettled(ending);
    },
  };
}
