import { setImmediate as turn } from 'node:timers/promises';
import { defined } from '../../../domain/defined.js';
import type { Clock } from '../../ports/clock.js';
import { type Checkpoints, Fenced } from '../../ports/documents.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import { backOff, pause } from '../backOff.js';
import type { Lanes } from './lanes.js';
import { Gathered, type Noted, type OwedTask, type StoredPart } from './taskDocuments.js';
import type { WorkPlace } from './workPlaces.js';
import { createWriteBehind, type Finished } from './writeBehind.js';

/** Outcomes that wait for their write; beyond, nothing more is performed until they are written. */
const MOST_WAITING = 500;
/** Turns of the event loop for which outcomes that nobody waits for are gathered, as long as each brings more. */
const GATHERING_TURNS = 16;
/** From the first task that stands in memory only to a write of those that are still owed. */
export const SAVE_MS = 500;
/** How long a checkpoint that moved over events without tasks may stay unwritten. */
const IDLE_SAVE_MS = 1000;

export interface Ledger {
  /** Takes over what events up to `through` lead to. Resolves when it may have more; rejects when the work has ended. */
  note(tasks: readonly Noted[], through: LogPlace): Promise<void>;
  /** What came of a task that was given to a lane. */
  finish(finished: Finished): void;
  /** Whether more outcomes are taken. */
  room(): boolean;
  /** Whether the task is in memory only, or is being stored. */
  owes(id: string): boolean;
  /** What stands up to here led to nothing more. */
  passed(through: LogPlace): void;
  /** Everything up to here was taken over. */
  noted(): LogPlace;
  /** Everything up to here is done, written, or rests until its time. */
  reached(): Position;
  /** Writes all that is owed, with the checkpoint; resolves when it stands, or when that failed after stop(). */
  save(): Promise<void>;
  /** Writes the checkpoint a little later, if it has moved. */
  saveSoon(): void;
  /** Sets no more timers, and a write that fails is not tried again. */
  stop(): void;
}

interface Parts {
  readonly place: WorkPlace;
  readonly work: Pick<Checkpoints, 'write'>;
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly storedPart?: StoredPart | undefined;
  readonly from: LogPlace;
  /** The checkpoint that stands: at `from`, or a little beyond it. */
  readonly stored: Position;
  /** Tasks of events up to here are written before they are performed: an owner before may just be writing them. */
  readonly writeUpTo: Position;
  /** Goes with every write, where there may be other owners. */
  readonly fence: number | undefined;
  readonly signal: AbortSignal;
  /** There is a newer owner: nothing was written. */
  fenced(): void;
  trouble(error: unknown): void;
  /** A write has succeeded. */
  answered(): void;
  /** Tasks that are stored now and are to be performed or expected. */
  admit(tasks: readonly OwedTask[]): void;
  /** There may be something to perform. */
  pump(): void;
}

/**
 * What a processor owes and has done, as it is stored. One write at a time, with the checkpoint: all that came while the
 * last one ran, or within one turn of the event loop; within more of them where every turn brings something and nothing follows from it, since a write
 * costs as much as several outcomes in it. What it consists of is kept by the write-behind.
 */
export function createLedger(parts: Parts): Ledger {
  const { work, clock, lanes, from, fence, writeUpTo } = parts;
  const { checkpoint: name, collection, owned } = parts.place;
  const { storedPart } = parts;
  const behind = createWriteBehind({
    ...{ collection, storedPart, clock, lanes, from, writeUpTo },
    kept: () => saveWithin(SAVE_MS),
  });
  const stopping = new AbortController();
  /** The checkpoint that stands. */
  let saved: Position = parts.stored;
  let writing: Promise<void> | undefined;
  /** The tasks of a write that never stood are owed by the checkpoint that stands: none may move it past them any more. */
  let isGivenUp = false;
  /** False: something waits for the write. */
  let mayGather = true;
  let saveAt = Number.POSITIVE_INFINITY;
  let cancelSave: () => void = () => undefined;

  function saveWithin(ms: number): void {
    const at = clock.steady.now() + ms;
    if (at >= saveAt || stopping.signal.aborted) return;
    cancelSave();
    saveAt = at;
    cancelSave = clock.steady.at(at, () => {
      saveAt = Number.POSITIVE_INFINITY;
      behind.take('old');
      void begin();
    });
  }

  function checkpointAt({ position, mark }: LogPlace) {
    const own = fence === undefined ? [] : [{ name: owned, fence }];
    if (position <= saved) return own;
    // One that moves late, of an owner before, tells of what that one has done or written: see docs/concepts/scaling.md.
    return owned === name ? [{ name, position, mark, ...defined({ fence }) }] : [{ name, position, mark }, ...own];
  }

  /** False: it is not to be tried again. */
  async function afterFailure(error: unknown, failures: number): Promise<boolean> {
    if (error instanceof Fenced) {
      stopping.abort();
      parts.fenced();
    } else parts.trouble(error);
    await pause(clock.steady, backOff(failures), stopping.signal);
    return !stopping.signal.aborted;
  }

  /**
   * Writes what was gathered, with the checkpoint if it moved on; where there may be other owners, it looks at the fence in
   * any case. Tried until it stands: to go on without would be to forget. False when the work is ending or another's;
   * then the tasks will be performed again.
   */
  async function write(gathered: Gathered, place: LogPlace): Promise<boolean> {
    const { position } = place;
    if (gathered.isEmpty && position <= saved && fence === undefined) return true;
    for (let failures = 1; ; failures++) {
      try {
        await work.write(gathered.batches(), ...checkpointAt(place));
        saved = Math.max(saved, position);
        if (failures > 1) parts.answered();
        return true;
      } catch (error) {
        if (!(await afterFailure(error, failures))) return false;
      }
    }
  }

  async function writeAll(): Promise<void> {
    while (behind.hasWork() && !isGivenUp) {
      const next = behind.next({ position: saved });
      mayGather = true;
      if (!(await write(next.gathered, next.place))) {
        isGivenUp = true;
        return behind.giveUp();
      }
      behind.written(next);
      parts.admit(next.admitted);
      parts.pump();
      await turn();
      await gather();
    }
    if (behind.fresh() > 0) saveWithin(SAVE_MS);
    else if (behind.noted().position > saved) saveWithin(IDLE_SAVE_MS);
  }

  /** While outcomes come on end. Whoever needs a write sooner gets it with the next turn. */
  async function gather(): Promise<void> {
    let before = 0;
    for (let turns = 0; turns < GATHERING_TURNS && mayGather && behind.waiting() > before; turns++) {
      before = behind.waiting();
      await turn();
    }
  }

  function begin(when: 'now' | 'soon' = 'soon'): Promise<void> {
    if (when === 'now') mayGather = false;
    writing ??= (when === 'now' ? writeAll() : turn().then(gather).then(writeAll)).finally(() => {
      writing = undefined;
      if (behind.hasWork() && !stopping.signal.aborted) void begin();
    });
    return writing;
  }

  async function flush(): Promise<void> {
    mayGather = false;
    while (writing !== undefined) await writing;
  }

  /** Whether this is still the owner: before effects are begun that no write precedes. */
  async function look(): Promise<void> {
    await write(new Gathered(collection), { position: saved });
    parts.signal.throwIfAborted();
  }

  return {
    async note(tasks, through) {
      if (fence !== undefined && tasks.length > 0) await look();
      if (behind.note(tasks, through)) {
        if (behind.noted().position > saved) saveWithin(IDLE_SAVE_MS);
        parts.pump();
        return;
      }
      await begin('now');
      await flush();
      parts.signal.throwIfAborted();
    },
    finish(finished) {
      if (behind.finish(finished)) return;
      if (!isLast(finished)) mayGather = false;
      void begin();
    },
    passed: (through) => void behind.note([], through),
    room: () => behind.waiting() < MOST_WAITING,
    owes: behind.owes,
    noted: behind.noted,
    reached: () => behind.reached().position,
    async save() {
      await flush();
      behind.take('all');
      await begin('now');
      await flush();
    },
    saveSoon() {
      if (behind.noted().position > saved) saveWithin(IDLE_SAVE_MS);
    },
    stop() {
      stopping.abort();
      cancelSave();
    },
  };
}

/** Nothing waits until it is written. */
const isLast = ({ outcome }: Finished): boolean => 'done' in outcome && (outcome.next ?? []).length === 0;
