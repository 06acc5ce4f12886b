import { setImmediate as turn } from 'node:timers/promises';
import { defined } from '../../../domain/defined.js';
import { backOff, pause } from '../../backOff.js';
import type { Clock } from '../../ports/clock.js';
import { type Checkpoints, Fenced } from '../../ports/documents.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import type { Lanes } from './lanes.js';
import { Gathered, type Noted, type PendingTask, type StoredPart } from './taskDocuments.js';
import type { WorkPlace } from './workPlaces.js';
import { createWriteBehind, type Finished } from './writeBehind.js';

/** Maximum outcomes that wait to be written. Beyond it, no tasks are performed until they are. */
const MOST_WAITING = 500;
/**
 * Maximum turns of the event loop for which outcomes are gathered, while each turn brings more and nothing waits for
 * them.
 */
const GATHERING_TURNS = 16;
/** Time from the first task that is only in memory to a write of those still pending, in ms. */
export const SAVE_MS = 500;
/** Time for which a checkpoint that moved over events without tasks may stay unwritten, in ms. */
const IDLE_SAVE_MS = 1000;

export interface Ledger {
  /** Notes the tasks of events up to `through`. Resolves when it can accept more; rejects when the work has ended. */
  note(tasks: readonly Noted[], through: LogPlace): Promise<void>;
  /** Records the outcome of a task that was given to a lane. */
  finish(finished: Finished): void;
  /** True while more outcomes are accepted. */
  room(): boolean;
  /** True if the task is only in memory, or is being stored. */
  hasUnstored(id: string): boolean;
  /** Notes that events up to `through` have no further tasks. */
  passed(through: LogPlace): void;
  /** Returns the place up to which all events are noted. */
  noted(): LogPlace;
  /** Returns the position up to which everything is done, written, or rests until its due time. */
  reached(): Position;
  /**
   * Writes all pending changes, with the checkpoint. Resolves when they are stored, or when the write failed after
   * giveUp().
   */
  save(): Promise<void>;
  /** Writes the checkpoint a little later, if it has moved. */
  saveSoon(): void;
  /** Sets no more timers. */
  stop(): void;
  /** A write that fails is not retried any more. */
  giveUp(): void;
}

interface Parts {
  readonly place: WorkPlace;
  readonly work: Pick<Checkpoints, 'write'>;
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly storedPart?: StoredPart | undefined;
  readonly from: LogPlace;
  /** Stored checkpoint: at `from`, or a little beyond it. */
  readonly stored: Position;
  /** Tasks of events up to here are written before they are performed, since a previous owner may be writing them. */
  readonly writeUpTo: Position;
  /** Sent with every write. Absent if there are no other owners. */
  readonly fence: number | undefined;
  readonly signal: AbortSignal;
  /** Called when there is a newer owner; nothing was written. */
  fenced(): void;
  trouble(error: unknown): void;
  /** Called when a write has succeeded. */
  answered(): void;
  /** Receives tasks that are now stored, to be performed or expected. */
  admit(tasks: readonly PendingTask[]): void;
  /** Called when there may be tasks to perform. */
  pump(): void;
}

/**
 * Stores the pending tasks and outcomes of a processor. It makes one write at a time, with the checkpoint. A write
 * contains everything that came during the last one, or within one turn of the event loop. It gathers over several
 * turns while each brings more outcomes and nothing waits for them, since a write costs as much as several outcomes in
 * it. The write-behind determines the content.
 */
export function createLedger(parts: Parts): Ledger {
  const { work, clock, lanes, from, fence, writeUpTo } = parts;
  const { checkpoint: name, collection, owned } = parts.place;
  const { storedPart } = parts;
  const behind = createWriteBehind({
    ...{ collection, storedPart, clock, lanes, from, writeUpTo },
    added: () => saveWithin(SAVE_MS),
  });
  const giving = new AbortController();
  let isStopped = false;
  /** The stored checkpoint. */
  let saved: Position = parts.stored;
  let writing: Promise<void> | undefined;
  /** True after a failed write was abandoned. No write may move the checkpoint past its tasks any more. */
  let isGivenUp = false;
  /** False if something waits for the write. */
  let mayGather = true;
  let saveAt = Number.POSITIVE_INFINITY;
  let cancelSave: () => void = () => undefined;

  function saveWithin(ms: number): void {
    const at = clock.steady.now() + ms;
    if (at >= saveAt || isStopped) return;
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
    // A late checkpoint of a previous owner covers work that it has done or written: see docs/concepts/scaling.md.
    return owned === name ? [{ name, position, mark, ...defined({ fence }) }] : [{ name, position, mark }, ...own];
  }

  /** Returns false if the write must not be retried. */
  async function afterFailure(error: unknown, failures: number): Promise<boolean> {
    if (error instanceof Fenced) {
      giveUp();
      parts.fenced();
    } else parts.trouble(error);
    await pause(clock.steady, backOff(failures), giving.signal);
    return !giving.signal.aborted;
  }

  /**
   * Writes the batches, with the checkpoint if it moved; with a fence, verifies it in any case. Retries until the write
   * succeeds, since its tasks would otherwise be lost. False if the work is ending or has another owner; the tasks are
   * then performed again.
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

  /** Waits while outcomes keep arriving. A caller that needs the write sooner gets it with the next turn. */
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
      if (behind.hasWork() && !isStopped) void begin();
    });
    return writing;
  }

  async function flush(): Promise<void> {
    mayGather = false;
    while (writing !== undefined) await writing;
  }

  function stop(): void {
    isStopped = true;
    cancelSave();
  }

  function giveUp(): void {
    stop();
    giving.abort();
  }

  /** Verifies the fence before effects begin without a preceding write. Throws if there is a newer owner. */
  async function poll(): Promise<void> {
    await write(new Gathered(collection), { position: saved });
    parts.signal.throwIfAborted();
  }

  return {
    async note(tasks, through) {
      if (fence !== undefined && tasks.length > 0) await poll();
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
    hasUnstored: behind.hasUnstored,
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
    stop,
    giveUp,
  };
}

/** True if nothing waits for the outcome to be written. */
const isLast = ({ outcome }: Finished): boolean => 'done' in outcome && (outcome.next ?? []).length === 0;
