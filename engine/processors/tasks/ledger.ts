import { setImmediate as turn } from 'node:timers/promises';
import { defined } from '../../../domain/defined.js';
import { backOff, pause } from '../../backOff.js';
import type { Clock } from '../../ports/clock.js';
import { type Checkpoints, Fenced } from '../../ports/documents.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import { Gathered, type Noted, type PendingTask, type StoredPart } from './taskDocuments.js';
import type { WorkPlace } from './workPlaces.js';
import { type Finished, WriteBehind, type WriteBehindParts } from './writeBehind.js';

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

export interface LedgerParts {
  readonly place: WorkPlace;
  readonly work: Pick<Checkpoints, 'write'>;
  readonly clock: Clock;
  readonly lanes: WriteBehindParts['lanes'];
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
export class Ledger {
  readonly #parts: LedgerParts;
  readonly #behind: WriteBehind;
  readonly #givingUp = new AbortController();
  #isStopped = false;
  /** The stored checkpoint. */
  #saved: Position;
  #writing: Promise<void> | undefined;
  /** True after a failed write was abandoned. No write may move the checkpoint past its tasks any more. */
  #isGivenUp = false;
  /** False if something waits for the write. */
  #mayGather = true;
  #saveAt = Number.POSITIVE_INFINITY;
  #cancelSave: () => void = () => undefined;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    this.#saved = parts.stored;
    const { collection } = parts.place;
    this.#behind = new WriteBehind({ ...parts, collection, added: () => this.#saveWithin(SAVE_MS) });
  }

  /** Notes the tasks of events up to `through`. Resolves when it can accept more; rejects when the work has ended. */
  async note(tasks: readonly Noted[], through: LogPlace): Promise<void> {
    if (this.#parts.fence !== undefined && tasks.length > 0) await this.#verifyFence();
    if (this.#behind.note(tasks, through)) {
      this.saveSoon();
      this.#parts.pump();
      return;
    }
    await this.#begin('now');
    await this.#flush();
    this.#parts.signal.throwIfAborted();
  }

  /** Records the outcome of a task that was given to a lane. */
  finish(finished: Finished): void {
    if (this.#behind.finish(finished)) return;
    if (!isLast(finished)) this.#mayGather = false;
    void this.#begin();
  }

  /** True while more outcomes are accepted. */
  room(): boolean {
    return this.#behind.waiting() < MOST_WAITING;
  }

  /** True if the task is only in memory, or is being stored. */
  hasUnstored(id: string): boolean {
    return this.#behind.hasUnstored(id);
  }

  /** Notes that events up to `through` have no further tasks. */
  passed(through: LogPlace): void {
    this.#behind.note([], through);
  }

  /** Returns the place up to which all events are noted. */
  noted(): LogPlace {
    return this.#behind.noted();
  }

  /** Returns the position up to which everything is done, written, or rests until its due time. */
  reached(): Position {
    return this.#behind.reached().position;
  }

  /**
   * Writes all pending changes, with the checkpoint. Resolves when they are stored, or when the write failed after
   * giveUp().
   */
  async save(): Promise<void> {
    await this.#flush();
    this.#behind.take('all');
    await this.#begin('now');
    await this.#flush();
  }

  /** Writes the checkpoint a little later, if it has moved. */
  saveSoon(): void {
    if (this.#behind.noted().position > this.#saved) this.#saveWithin(IDLE_SAVE_MS);
  }

  /** Sets no more timers. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelSave();
  }

  /** A write that fails is not retried any more. */
  giveUp(): void {
    this.stop();
    this.#givingUp.abort();
  }

  #saveWithin(ms: number): void {
    const { steady } = this.#parts.clock;
    const at = steady.now() + ms;
    if (at >= this.#saveAt || this.#isStopped) return;
    this.#cancelSave();
    this.#saveAt = at;
    this.#cancelSave = steady.at(at, () => {
      this.#saveAt = Number.POSITIVE_INFINITY;
      this.#behind.take('old');
      void this.#begin();
    });
  }

  /** Begins a write, if none is running. Resolves when everything is written. */
  #begin(when: 'now' | 'soon' = 'soon'): Promise<void> {
    if (when === 'now') this.#mayGather = false;
    this.#writing ??= (when === 'now' ? this.#writeAll() : this.#gatherAndWrite()).finally(() => {
      this.#writing = undefined;
      if (this.#behind.hasWork() && !this.#isStopped) void this.#begin();
    });
    return this.#writing;
  }

  async #flush(): Promise<void> {
    this.#mayGather = false;
    while (this.#writing !== undefined) await this.#writing;
  }

  async #gatherAndWrite(): Promise<void> {
    await turn();
    await this.#gather();
    await this.#writeAll();
  }

  /** Waits while outcomes keep arriving. A caller that needs the write sooner gets it with the next turn. */
  async #gather(): Promise<void> {
    const behind = this.#behind;
    let before = 0;
    for (let turns = 0; turns < GATHERING_TURNS && this.#mayGather && behind.waiting() > before; turns++) {
      before = behind.waiting();
      await turn();
    }
  }

  async #writeAll(): Promise<void> {
    const behind = this.#behind;
    while (behind.hasWork() && !this.#isGivenUp) {
      const next = behind.next({ position: this.#saved });
      this.#mayGather = true;
      if (!(await this.#write(next.gathered, next.place))) {
        this.#isGivenUp = true;
        return behind.giveUp();
      }
      behind.written(next);
      this.#parts.admit(next.admitted);
      this.#parts.pump();
      await turn();
      await this.#gather();
    }
    if (behind.fresh() > 0) this.#saveWithin(SAVE_MS);
    else this.saveSoon();
  }

  /**
   * Writes the batches, with the checkpoint if it moved; with a fence, verifies it in any case. Retries until the write
   * succeeds, since its tasks would otherwise be lost. False if the work is ending or has another owner; the tasks are
   * then performed again.
   */
  async #write(gathered: Gathered, place: LogPlace): Promise<boolean> {
    const { position } = place;
    if (gathered.isEmpty && position <= this.#saved && this.#parts.fence === undefined) return true;
    for (let failures = 1; ; failures++) {
      try {
        await this.#parts.work.write(gathered.batches(), ...this.#checkpointAt(place));
        this.#saved = Math.max(this.#saved, position);
        if (failures > 1) this.#parts.answered();
        return true;
      } catch (error) {
        if (!(await this.#afterFailure(error, failures))) return false;
      }
    }
  }

  #checkpointAt({ position, mark }: LogPlace) {
    const { fence } = this.#parts;
    const { checkpoint: name, owned } = this.#parts.place;
    const own = fence === undefined ? [] : [{ name: owned, fence }];
    if (position <= this.#saved) return own;
    // A late checkpoint of a previous owner covers work that it has done or written: see docs/concepts/scaling.md.
    return owned === name ? [{ name, position, mark, ...defined({ fence }) }] : [{ name, position, mark }, ...own];
  }

  /** Returns false if the write must not be retried. */
  async #afterFailure(error: unknown, failures: number): Promise<boolean> {
    const { clock, fenced, trouble } = this.#parts;
    if (error instanceof Fenced) {
      this.giveUp();
      fenced();
    } else trouble(error);
    await pause(clock.steady, backOff(failures), this.#givingUp.signal);
    return !this.#givingUp.signal.aborted;
  }

  /** Verifies the fence before effects begin without a preceding write. Throws if there is a newer owner. */
  async #verifyFence(): Promise<void> {
    await this.#write(new Gathered(this.#parts.place.collection), { position: this.#saved });
    this.#parts.signal.throwIfAborted();
  }
}

/** True if nothing waits for the outcome to be written. */
const isLast = ({ outcome }: Finished): boolean => 'done' in outcome && (outcome.next ?? []).length === 0;
