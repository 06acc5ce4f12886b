/** One shard of a processor while this instance owns it: what is stored of it, under its own fence and checkpoint. */
import { setMaxListeners } from 'node:events';
import type { Lease } from '../../ownership/lease.js';
import { BEFORE_ALL, type Position } from '../../ports/eventStore.js';
import type { Beginning } from '../beginning.js';
import { contextOf } from '../context.js';
import type { Performer, Performing } from '../performer.js';
import type { AnyProcessor } from '../processor.js';
import type { Sharding } from '../shards.js';
import { createFrontier, type Frontier } from '../tasks/frontier.js';
import type { Lanes } from '../tasks/lanes.js';
import { createLedger, type Ledger } from '../tasks/ledger.js';
import type { OwedTask } from '../tasks/taskDocuments.js';
import { partOf, type WorkPlace } from '../tasks/workPlaces.js';
import type { Troubles } from '../troubles.js';
import type { ProcessorRuntimeParts } from '../worker.js';
import type { ReadShard } from './sharedReader.js';
import type { together } from './together.js';

export interface WorkedShard extends ReadShard, Performing {
  readonly place: WorkPlace;
  readonly fence: number;
  /** Only once `open` has resolved. */
  readonly ledger: Ledger;
  readonly frontier: Frontier;
  readonly skipped: Set<string>;
  settledUpTo: Position;
  /** Resolves when it has begun, or never will. */
  begun: Promise<void>;
  /** Goes on from there with what is owed. */
  open(at: ShardBeginning): void;
  /** There is a newer owner. */
  fenced(): void;
  abort(): void;
  /** Writes all that is owed, with the checkpoint. */
  save(): Promise<void>;
  /** Writes a checkpoint that has moved, a little later. */
  saveSoon(): void;
  /** Everything up to here is done or written; undefined: it has not begun. */
  reached(): Position | undefined;
}

export interface ShardBeginning {
  readonly beginning: Beginning;
  readonly skipped: ReadonlySet<string>;
  /** Tasks of events up to here are written before they are performed. */
  readonly writeUpTo: Position;
  /** Nothing is stored that is to be read. */
  readonly isEmpty: boolean;
}

interface Opening extends ProcessorRuntimeParts, Pick<Troubles, 'trouble' | 'answered'> {
  readonly processor: AnyProcessor;
  readonly sharding: Sharding;
  /** Writes of several shards at once. */
  readonly written: ReturnType<typeof together>;
  readonly lanes: Lanes;
  readonly performer: Pick<Performer, 'admit' | 'pump'>;
  crowded(shard: WorkedShard): void;
  blocked(shard: WorkedShard): void;
}

/** Begins nothing before `open`. */
export function openShard(parts: Opening, shard: number, lease: Lease): WorkedShard {
  const { processor, sharding, work, clock, performer, trouble, answered } = parts;
  const { fence } = lease;
  const place = partOf(processor.name, shard, sharding.count);
  const { collection } = place;
  const aborting = new AbortController();
  const { signal } = aborting;
  // One listener for each effect in flight, of which there may be many.
  setMaxListeners(0, signal);
  const isHere = (key: string): boolean => sharding.of(key) === shard;
  const isPending = async (id: string): Promise<boolean> =>
    (ledger?.owes(id) ?? false) || lanes.has({ id, shard }) || (await work.get(collection, id)) !== undefined;
  const context = contextOf(processor, parts, signal, { count: sharding.count, of: sharding.of, isHere }, isPending);
  const fenced = (): void => {
    aborting.abort();
    lease.fenced();
  };
  let ledger: Ledger | undefined;
  // What has ended takes no task into memory any more: it is another's, or of another time.
  const lanes: Lanes = {
    ...parts.lanes,
    offer: (due, page) => !signal.aborted && parts.lanes.offer(due, page),
    hold: (task) => !signal.aborted && parts.lanes.hold(task),
  };
  const admit = (task: OwedTask): void => {
    if (!signal.aborted) performer.admit(task);
  };

  const frontier = createFrontier({
    work,
    collection,
    shard,
    clock,
    lanes,
    found: () => performer.pump(),
    blocked: () => parts.blocked(one),
    trouble,
  });

  function open({ beginning, skipped, writeUpTo, isEmpty }: ShardBeginning): void {
    one.settledUpTo = beginning.settledUpTo;
    for (const id of skipped) one.skipped.add(id);
    ledger = createLedger({
      place,
      work: parts.written,
      clock,
      lanes,
      storedPart: processor.stored,
      from: beginning.from,
      stored: beginning.stored,
      writeUpTo,
      fence,
      signal,
      fenced,
      trouble,
      answered,
      admit: (tasks) => tasks.forEach(admit),
      pump: () => performer.pump(),
    });
    if (!isEmpty) frontier.look();
    frontier.follow(isEmpty);
  }

  const opened = (): Ledger => {
    if (ledger === undefined) throw new Error(`shard ${shard} of ${processor.name} has not begun`);
    return ledger;
  };

  const one: WorkedShard = {
    shard,
    place,
    fence,
    context,
    skipped: new Set(),
    settledUpTo: BEFORE_ALL,
    begun: Promise.resolve(),
    frontier,
    ledger: {
      note: (tasks, through) => opened().note(tasks, through),
      finish(finished) {
        opened().finish(finished);
        if (!opened().room()) parts.crowded(one);
      },
      passed: (through) => opened().passed(through),
      room: () => ledger?.room() ?? true,
      owes: (id) => ledger?.owes(id) ?? false,
      noted: () => opened().noted(),
      reached: () => opened().reached(),
      save: () => opened().save(),
      saveSoon: () => opened().saveSoon(),
      stop: () => ledger?.stop(),
    },
    mayAct: () => lease.valid(),
    open,
    fenced,
    abort() {
      aborting.abort();
      ledger?.stop();
    },
    save: async () => ledger?.save(),
    saveSoon: () => ledger?.saveSoon(),
    reached: () => ledger?.reached(),
  };
  return one;
}
