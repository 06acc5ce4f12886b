import { setMaxListeners } from 'node:events';
import type { Lease } from '../ownership/lease.js';
import { BEFORE_ALL, type LogPlace, type Position } from '../ports/eventStore.js';
import type { CombinedWrites } from './combinedWrites.js';
import { contextOf } from './context.js';
import type { ProcessorRuntimeParts } from './contract.js';
import type { Performer, Performing } from './performer.js';
import type { AnyProcessor, ProcessorContext } from './processor.js';
import type { Sharding } from './shards.js';
import { Frontier, type FrontierParts } from './tasks/frontier.js';
import type { Lanes } from './tasks/lanes.js';
import { Ledger, type LedgerParts } from './tasks/ledger.js';
import type { PendingTask } from './tasks/taskDocuments.js';
import type { WorkPlace } from './tasks/workPlaces.js';
import type { Finished } from './tasks/writeBehind.js';
import type { Troubles } from './troubles.js';

/** Start of a shard's work. */
export interface ShardStart {
  readonly from: LogPlace;
  /** The stored checkpoint. */
  readonly stored: Position;
  /** Events up to here have only tasks that the processor can derive again; other tasks are settled. */
  readonly settledUpTo: Position;
  readonly skipped: ReadonlySet<string>;
  /** Tasks of events up to here are written before they are performed. */
  readonly writeUpTo: Position;
  /** True if no task is stored. */
  readonly isEmpty: boolean;
}

export interface ShardParts extends ProcessorRuntimeParts, Pick<Troubles, 'trouble' | 'answered'> {
  readonly processor: AnyProcessor;
  readonly sharding: Sharding;
  /** Writes of several shards, combined into few calls. */
  readonly writes: CombinedWrites;
  readonly lanes: Lanes;
  readonly performer: Pick<Performer, 'admit' | 'pump'>;
  /** Called when too many outcomes of the shard wait to be written. */
  crowded(shard: Shard): void;
  /** Called when tasks of the shard wait for room in the lanes. */
  blocked(shard: Shard): void;
}

type ShardLanes = FrontierParts['lanes'] & LedgerParts['lanes'];

/** Returns the lanes for a shard. Once it has ended, it loads no tasks into memory: they may have another owner. */
const lanesUntil = (ended: AbortSignal, lanes: Lanes): ShardLanes => ({
  offer: (due, page) => !ended.aborted && lanes.offer(due, page),
  admit: (task) => !ended.aborted && lanes.admit(task),
  has: (task) => lanes.has(task),
  settled: (lane, task) => lanes.settled(lane, task),
  openPage: (shard, lane) => lanes.openPage(shard, lane),
  setBehind: (shard, isBehind) => lanes.setBehind(shard, isBehind),
  full: () => lanes.full(),
});

/**
 * One shard of a processor's work while this instance owns it: its ledger and frontier, under its own fence and
 * checkpoint. An instance that works alone has all of the work as one shard without a lease. Nothing begins before
 * `open` and `begin`.
 */
export class Shard implements Performing {
  readonly shard: number;
  readonly place: WorkPlace;
  readonly context: ProcessorContext;
  readonly frontier: Frontier;
  /** Ids of the events that are skipped. */
  readonly skipped = new Set<string>();
  /** Events up to here have only tasks that the processor can derive again; other tasks are settled. */
  settledUpTo: Position = BEFORE_ALL;
  /** Resolves when the shard has begun, or never will. */
  started: Promise<void> = Promise.resolve();
  readonly #parts: ShardParts;
  readonly #lease: Lease | undefined;
  readonly #lanes: ShardLanes;
  readonly #aborting = new AbortController();
  #ledger: Ledger | undefined;
  #hasStarted = false;

  constructor(parts: ShardParts, shard: number, place: WorkPlace, lease: Lease | undefined) {
    const { processor, sharding, work, clock, lanes, trouble } = parts;
    const { signal } = this.#aborting;
    // One listener for each effect in flight, of which there may be many.
    setMaxListeners(0, signal);
    this.#parts = parts;
    this.#lease = lease;
    this.shard = shard;
    this.place = place;
    this.#lanes = lanesUntil(signal, lanes);
    const isHere = (key: string): boolean => sharding.of(key) === shard;
    const shards = { count: sharding.count, of: sharding.of, isHere };
    this.context = contextOf(processor, parts, { signal, shards, isPending: (id) => this.#isPending(id) });
    this.frontier = new Frontier({
      ...{ work, collection: place.collection, shard: place.shard, clock, lanes: this.#lanes, trouble },
      found: () => parts.performer.pump(),
      blocked: () => parts.blocked(this),
    });
  }

  get fence(): number | undefined {
    return this.#lease?.fence;
  }

  /** True once another instance owns it, or it is handed over. */
  get isEnded(): boolean {
    return this.#aborting.signal.aborted;
  }

  /** Throws before `open`. */
  get ledger(): Ledger {
    if (this.#ledger === undefined)
      throw new Error(`shard ${this.shard} of ${this.#parts.processor.name} has not begun`);
    return this.#ledger;
  }

  /** Takes over the stored state of the shard. */
  open({ from, stored, settledUpTo, skipped, writeUpTo }: ShardStart): void {
    const { processor, writes, clock, performer, trouble, answered } = this.#parts;
    this.settledUpTo = settledUpTo;
    for (const id of skipped) this.skipped.add(id);
    const ledger = new Ledger({
      ...{ place: this.place, work: writes, clock, lanes: this.#lanes, storedPart: processor.stored },
      ...{ from, stored, writeUpTo, fence: this.fence, signal: this.#aborting.signal, trouble, answered },
      fenced: () => this.fenced(),
      admit: (tasks) => {
        for (const task of tasks) this.#admit(task);
      },
      pump: () => performer.pump(),
    });
    this.#ledger = ledger;
  }

  /** Starts performing due tasks. `isEmpty`: no task is stored. */
  begin(isEmpty: boolean): void {
    if (this.isEnded) return;
    this.#hasStarted = true;
    if (!isEmpty) this.frontier.poll();
    this.frontier.follow(isEmpty);
  }

  /**
   * Reads stored tasks that have become due since `from` (ms since 1970). A shard that has not begun reads all of them
   * later.
   */
  rescan(from: number): void {
    if (this.#hasStarted && !this.isEnded) this.frontier.pollFrom(from);
  }

  mayAct(): boolean {
    return this.#lease?.valid() ?? true;
  }

  finish(finished: Finished): void {
    this.ledger.finish(finished);
    if (!this.ledger.room()) this.#parts.crowded(this);
  }

  /** True while more outcomes are accepted. */
  hasRoom(): boolean {
    return this.#ledger?.room() ?? true;
  }

  /** Position up to which everything is done or written; undefined before `open`. */
  reached(): Position | undefined {
    return this.#ledger?.reached();
  }

  /** Writes all pending changes, with the checkpoint. */
  async save(): Promise<void> {
    await this.#ledger?.save();
  }

  /** Writes a checkpoint that has moved, a little later. */
  saveSoon(): void {
    this.#ledger?.saveSoon();
  }

  /** Ends the shard because there is a newer owner. */
  fenced(): void {
    this.#aborting.abort();
    this.#lease?.fenced();
  }

  abort(): void {
    this.#aborting.abort();
    this.#ledger?.stop();
  }

  /** Ends the retries of a write that fails: its outcomes are lost, and their tasks are performed again. */
  giveUp(): void {
    this.#ledger?.giveUp();
  }

  #admit(task: PendingTask): void {
    if (!this.isEnded) this.#parts.performer.admit(task);
  }

  async #isPending(id: string): Promise<boolean> {
    const { collection, shard } = this.place;
    if (this.#ledger?.hasUnstored(id) || this.#lanes.has({ id, ...(shard !== undefined && { shard }) })) return true;
    return (await this.#parts.work.get(collection, id)) !== undefined;
  }
}
