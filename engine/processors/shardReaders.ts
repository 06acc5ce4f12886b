import { ViewBeingBuilt } from '../projections/documentReads.js';
import { LogReader, type LogReaderParts } from './logReader.js';
import type { ProcessorStatus } from './processor.js';
import type { Shard } from './shard.js';

/**
 * Readers of the log for the shards of a processor: one for all shards at the same place, one for each group of shards
 * that is catching up, and one for each shard that cannot continue yet. So a shard never waits for another.
 */
export class ShardReaders {
  readonly #parts: LogReaderParts;
  /** Called after each batch. */
  readonly #taken: () => void;
  /** The other readers catch up with the first. */
  #readers: LogReader[] = [];
  readonly #alone = new Map<Shard, LogReader>();
  readonly #ending = new Set<Promise<void>>();

  constructor(parts: LogReaderParts, taken: () => void) {
    this.#parts = parts;
    this.#taken = taken;
  }

  /** Begins to read for shards that have been opened. */
  read(shards: readonly Shard[]): void {
    const owner = {
      stumbled: (shard: Shard, error: unknown) => {
        // The shard's own reader reports the missing read model.
        if (!(error instanceof ViewBeingBuilt)) this.#parts.trouble(error);
        this.#readAlone(shard);
      },
      taken: () => {
        this.#join(reader);
        this.#taken();
      },
    };
    const reader = new LogReader(this.#parts, owner, shards, 'together');
    this.#readers.push(reader);
  }

  /** Stops reading for a shard. Resolves when no more of its events are being noted. */
  async remove(shard: Shard): Promise<void> {
    const alone = this.#alone.get(shard);
    this.#alone.delete(shard);
    for (const one of this.#readers) if (one.shards.get(shard.shard) === shard) one.release(shard);
    this.#endEmpty();
    await alone?.stop();
  }

  /** Updates the position of each shard to its reader's. */
  passed(): void {
    for (const one of [...this.#readers, ...this.#alone.values()])
      for (const shard of one.shards.values()) shard.ledger.passed(one.place);
  }

  /** Returns the event at which a shard stopped, if any. */
  failureOf(shard: Shard): ProcessorStatus['failure'] {
    return this.#alone.get(shard)?.failure;
  }

  async stop(): Promise<void> {
    for (const one of this.#readers) this.#end(one);
    this.#readers = [];
    await Promise.allSettled(this.#ending);
  }

  /** Moves the shards of a reader to the first reader if they have caught up with it. */
  #join(reader: LogReader): void {
    const [first] = this.#readers;
    if (first === undefined || first === reader || !this.#readers.includes(reader)) return;
    const shards = [...reader.shards.values()];
    if (shards.length > 0 && reader.place.position >= first.reached) {
      for (const one of shards) reader.release(one);
      first.adopt(shards);
    }
    this.#endEmpty();
  }

  #readAlone(shard: Shard): void {
    const owner = {
      stumbled: () => undefined,
      taken: () => {
        if (this.#alone.get(shard) === reader) this.#leaveAlone(reader, shard);
        this.#taken();
      },
    };
    const reader = new LogReader(this.#parts, owner, [shard], 'alone');
    this.#alone.set(shard, reader);
    this.#endEmpty();
  }

  /** Moves a shard back to the shared reader if it has caught up. */
  #leaveAlone(reader: LogReader, shard: Shard): void {
    const [first] = this.#readers;
    if (first !== undefined && reader.place.position < first.reached) return;
    reader.release(shard);
    if (first === undefined) this.read([shard]);
    else first.adopt([shard]);
    this.#alone.delete(shard);
    this.#end(reader);
  }

  #end(reader: LogReader): void {
    const ended = reader.stop().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #endEmpty(): void {
    for (const one of this.#readers) if (one.shards.size === 0) this.#end(one);
    this.#readers = this.#readers.filter((one) => one.shards.size > 0);
  }
}
