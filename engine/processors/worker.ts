import { setMaxListeners } from 'node:events';
import { defined } from '../../domain/defined.js';
import { pause } from '../backOff.js';
import type { Lease } from '../ownership/lease.js';
import { RateMeter } from '../projections/rateMeter.js';
import type { CombinedWrites } from './combinedWrites.js';
import { contextOf } from './context.js';
import type { ProcessorRuntimeParts } from './contract.js';
import { isPartitioned } from './partitioning.js';
import { concurrencyOf, Performer } from './performer.js';
import type { AnyProcessor, ProcessorStatus } from './processor.js';
import { Shard, type ShardParts } from './shard.js';
import { ShardReaders } from './shardReaders.js';
import { shardStarts, writeFirstCheckpoint } from './shardStarts.js';
import { type Sharding, shardingOf } from './shards.js';
import { dueTimes } from './tasks/dueTimes.js';
import { Lanes } from './tasks/lanes.js';
import { partitionedDefinition, tasksDefinition } from './tasks/taskDocuments.js';
import { partOf, wholeOf } from './tasks/workPlaces.js';
import { createTroubles, type Troubles } from './troubles.js';

export interface OwnedShard {
  readonly shard: number;
  readonly lease: Lease;
}

/** Memory limits of one processor: 2,000 tasks, 32 per lane, and some 200 bytes for each lane with due tasks. */
const LIMITS = { window: 32, tasks: 2000, lanes: 50_000 };
/** Maximum wait for tasks in flight at a stop or a handover, and again for the pending write, in ms. */
const STOP_MS = 5000;
/** Grace period after the loss of a lease, in ms. Unfinished tasks are abandoned. */
const ABANDON_MS = 1000;
/** Time between two checks whether the work is partitioned, and between two attempts to begin a shard, in ms. */
const RETRY_MS = 1000;
/** Time for which the checkpoints of shards without tasks may stay unwritten, in ms. */
const IDLE_SAVE_MS = 10_000;

/** The shard of a processor whose work is not partitioned. */
const WHOLE = 0;

/** Resolves with the promise or after `ms` of real time, whichever is first. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/**
 * One processor at work: notes tasks from the log, and performs due ones. Its shards share lanes and readers; stored
 * data is separate for each shard. An instance that works alone has all of the work as one shard, without a lease.
 */
export class ProcessorWorker {
  readonly processor: AnyProcessor;
  readonly sharding: Sharding;
  readonly #parts: ProcessorRuntimeParts;
  /** Absent where the work is not partitioned. */
  readonly #count: number | undefined;
  readonly #lanes: Lanes;
  readonly #shards = new Map<number, Shard>();
  /** Shards with too many outcomes that wait to be written. */
  readonly #crowded = new Set<Shard>();
  /** Shards whose tasks wait for room in the lanes. */
  readonly #blocked = new Set<Shard>();
  readonly #stopping = new AbortController();
  readonly #effects: RateMeter;
  readonly #troubles: Troubles;
  readonly #performer: Performer;
  readonly #readers: ShardReaders;
  readonly #shardParts: ShardParts;
  #ready: Promise<void> | undefined;
  #cancelSave: (() => void) | undefined;

  /** `count`: number of shards, where several instances share the work. */
  constructor(
    processor: AnyProcessor,
    parts: ProcessorRuntimeParts,
    writes: CombinedWrites,
    count: number | undefined,
  ) {
    const { work, clock, log, tracing, metrics } = parts;
    setMaxListeners(0, this.#stopping.signal);
    this.processor = processor;
    this.sharding = shardingOf(processor.spread, count ?? 1);
    this.#parts = parts;
    this.#count = count;
    this.#effects = new RateMeter(clock.steady);
    this.#troubles = createTroubles(processor.name, log, clock);
    const lanes = new Lanes({ ...LIMITS, turns: concurrencyOf(processor) });
    this.#lanes = lanes;
    this.#performer = new Performer({
      ...{ processor, work, clock, lanes, tracing, collection: this.#placeOf(WHOLE).collection },
      of: (shard) => this.#shards.get(shard ?? WHOLE),
      frontier: (shard) => this.#shards.get(shard ?? WHOLE)?.frontier,
      room: () => this.#hasRoom(),
      resume: () => this.#resume(),
      performed: (task, result, ms) => {
        this.#effects.add(1, 0);
        metrics?.performed(processor.name, task.kind, result, ms);
      },
      ...this.#troubles,
    });
    const { sharding } = this;
    const common = { ...parts, ...this.#troubles, processor, sharding };
    const shards = { count: sharding.count, of: sharding.of };
    this.#readers = new ShardReaders(
      {
        ...common,
        nextDue: dueTimes(clock),
        contextOf: (signal, isHere) => contextOf(processor, parts, { signal, shards: { ...shards, isHere } }),
      },
      () => this.#taken(),
    );
    this.#shardParts = {
      ...common,
      writes,
      lanes,
      performer: this.#performer,
      crowded: (shard) => this.#crowded.add(shard),
      blocked: (shard) => this.#blocked.add(shard),
    };
  }

  get name(): string {
    return this.processor.name;
  }

  /** Begins all of the work. If it rejects, it can be called again. */
  async start(): Promise<void> {
    await this.#parts.work.open(tasksDefinition(this.name));
    await writeFirstCheckpoint(this.processor, this.#parts);
    const whole = new Shard(this.#shardParts, WHOLE, this.#placeOf(WHOLE), undefined);
    const start = (await shardStarts(this.processor, this.#parts, [whole])).get(whole)!;
    whole.open(start);
    this.#shards.set(WHOLE, whole);
    const begin = (): void => {
      if (whole.isEnded) return;
      whole.begin(start.isEmpty);
      this.#readers.read([whole]);
    };
    const { ready } = this.#parts;
    if (ready === undefined) begin();
    else void ready(this.#stopping.signal).then(begin, this.#troubles.trouble);
  }

  /** Begins shards as soon as possible. This instance owns them, and has claimed their names. */
  join(owned: readonly OwnedShard[]): void {
    if (this.#cancelSave === undefined) this.#saveLater();
    const shards = owned.map(({ shard, lease }) => new Shard(this.#shardParts, shard, this.#placeOf(shard), lease));
    const started = this.#begin(shards);
    for (const one of shards) {
      this.#shards.set(one.shard, one);
      one.started = Promise.race([started, aborted(one.context.signal)]);
    }
  }

  /** `handover`: finishes tasks in flight and writes everything. `lost`: writes nothing more. */
  async leave(shard: number, how: 'handover' | 'lost'): Promise<void> {
    const one = this.#shards.get(shard);
    if (one !== undefined) await this.#end(one, how);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelSave?.();
    await Promise.all([...this.#shards.values()].map((one) => this.#end(one, 'handover')));
    await within(STOP_MS, this.#readers.stop());
  }

  /** Reads stored tasks that have become due since `from` (ms since 1970). */
  rescan(from: number): void {
    for (const shard of this.#shards.values()) shard.rescan(from);
  }

  /** Returns undefined while no shard has begun here. */
  status(): ProcessorStatus | undefined {
    this.#readers.passed();
    const shards = [...this.#shards.values()];
    const positions = shards.flatMap((one) => one.reached() ?? []);
    if (positions.length === 0) return undefined;
    const failure = shards.map((one) => this.#readers.failureOf(one)).find((found) => found !== undefined);
    const nextDueAt = Math.min(...shards.map(({ frontier }) => frontier.nextDueAt() ?? Number.POSITIVE_INFINITY));
    const state = this.#stopping.signal.aborted ? 'stopped' : 'running';
    return {
      name: this.name,
      state: failure === undefined ? state : 'failed',
      position: Math.min(...positions),
      inFlight: this.#performer.inFlight(),
      effectsPerSecond: this.#effects.perSecond().events,
      ...this.#lanes.size(),
      ...defined({
        shards: this.#count === undefined ? undefined : shards.length,
        nextDueAt: Number.isFinite(nextDueAt) ? nextDueAt : undefined,
        failure,
      }),
      ...this.#troubles.status(),
    };
  }

  #placeOf(shard: number) {
    return this.#count === undefined ? wholeOf(this.name) : partOf(this.name, shard, this.#count);
  }

  #hasRoom(): boolean {
    for (const one of this.#crowded) if (one.hasRoom()) this.#crowded.delete(one);
    return this.#crowded.size === 0;
  }

  #resume(): void {
    if (this.#lanes.full()) return;
    for (const one of this.#blocked) {
      this.#blocked.delete(one);
      one.frontier.resume();
    }
  }

  /** Resolves when the work is partitioned, and the read models that the processor uses exist. */
  async #untilReady(count: number): Promise<void> {
    const { work, clock, ready } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      try {
        if (await isPartitioned(work, this.processor, this.sharding)) {
          await work.open(partitionedDefinition(this.name, count));
          break;
        }
      } catch (error) {
        this.#troubles.trouble(error, RETRY_MS);
      }
      await pause(clock.steady, RETRY_MS, this.#stopping.signal);
    }
    await ready?.(this.#stopping.signal);
  }

  /** Begins shards; resolves when they have begun. Retries until they have, or belong to another instance. */
  async #begin(shards: readonly Shard[]): Promise<void> {
    this.#ready ??= this.#untilReady(this.sharding.count);
    await this.#ready;
    for (let left = shards; ; ) {
      left = left.filter(({ isEnded }) => !isEnded);
      if (left.length === 0) return;
      try {
        const starts = await shardStarts(this.processor, this.#parts, left);
        const able = left.filter((one) => !one.isEnded && starts.has(one));
        for (const one of able) {
          one.open(starts.get(one)!);
          one.begin(starts.get(one)!.isEmpty);
        }
        if (able.length > 0) this.#readers.read(able);
        return;
      } catch (error) {
        this.#troubles.trouble(error, RETRY_MS);
        await pause(this.#parts.clock.steady, RETRY_MS, this.#stopping.signal);
      }
    }
  }

  async #end(one: Shard, how: 'handover' | 'lost'): Promise<void> {
    this.#shards.delete(one.shard);
    this.#crowded.delete(one);
    this.#blocked.delete(one);
    this.#lanes.drop(one.place.shard);
    one.abort();
    if (how === 'lost') one.giveUp();
    const read = this.#readers.remove(one);
    const over = Promise.all([read, one.frontier.stop(), this.#performer.idle(one.place.shard), one.started]);
    await within(how === 'handover' ? STOP_MS : ABANDON_MS, over);
    if (how === 'handover') await within(STOP_MS, one.save());
    one.giveUp();
    this.#performer.pump();
  }

  /**
   * Called after each batch. A whole processor writes its checkpoint soon, with one write. Shards write theirs together
   * from time to time.
   */
  #taken(): void {
    if (this.#count !== undefined) return;
    this.#readers.passed();
    for (const one of this.#shards.values()) one.saveSoon();
  }

  /** Writes the checkpoints of shards without tasks from time to time, all at once. */
  #saveLater(): void {
    const { steady } = this.#parts.clock;
    this.#cancelSave = steady.at(steady.now() + IDLE_SAVE_MS, () => {
      this.#readers.passed();
      for (const one of this.#shards.values()) one.saveSoon();
      this.#saveLater();
    });
  }
}
