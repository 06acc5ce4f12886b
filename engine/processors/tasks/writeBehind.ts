import type { Clock } from '../../ports/clock.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import type { Lane, Lanes } from './lanes.js';
import {
  followUpTasks,
  Gathered,
  type Noted,
  type PendingTask,
  type Performed,
  type StoredPart,
} from './taskDocuments.js';

/** Maximum number of tasks that are only in memory. Beyond it, tasks are written before they are performed. */
const MOST_FRESH = 1000;
/** Minimum age of tasks in a write of pending ones, in ms. Most younger tasks are done before the next write. */
const YOUNG_MS = 400;
/**
 * Delay from which a timer rests in memory until the next write of pending tasks, in ms. So half a second of events
 * that set timers needs one write.
 */
const LATER_MS = 5000;

/** A task that a lane has performed. */
export interface Finished extends Performed {
  readonly lane: Lane;
}

export interface Write {
  readonly gathered: Gathered;
  readonly place: LogPlace;
  readonly finished: readonly Finished[];
  /** Tasks that it stores and that no lane knows yet. */
  readonly admitted: readonly PendingTask[];
}

export interface WriteBehindParts {
  /** Collection of the tasks. */
  readonly collection: string;
  readonly storedPart?: StoredPart | undefined;
  readonly clock: Clock;
  readonly lanes: Pick<Lanes, 'has' | 'admit' | 'settled'>;
  readonly from: LogPlace;
  /** Tasks of events up to here are written before they are performed, since a previous owner may be writing them. */
  readonly writeUpTo: Position;
  /** Called when another task is only in memory. */
  added(): void;
}

interface Resolved {
  readonly one: Finished;
  readonly isFresh: boolean;
  readonly follows: readonly PendingTask[];
}

/**
 * Pending tasks and outcomes of a processor in memory, until they are written. A task that is due at once goes to its
 * lane without a write: most are done a moment later and are never written at all. A task that is due much later rests.
 * The checkpoint stays before such tasks, so that they are noted again after a crash. Tasks that are still pending
 * after a moment are written together with the checkpoint beyond them. So a stored task's event is never after the
 * checkpoint, and a stored task is not noted twice.
 */
export class WriteBehind {
  readonly #parts: WriteBehindParts;
  readonly #fresh = new FreshTasks();
  readonly #storing = new Storing();
  /** Tasks to be stored before they are performed. */
  #unplaced: PendingTask[] = [];
  #waiting: Finished[] = [];
  /** Fresh tasks that the next write includes. */
  #taking: 'none' | 'old' | 'all' = 'none';
  #noted: LogPlace;

  constructor(parts: WriteBehindParts) {
    this.#parts = parts;
    this.#noted = parts.from;
  }

  /** Notes the tasks of events up to `through`. False if some must be written before they are performed. */
  note(tasks: readonly Noted[], through: LogPlace): boolean {
    const mayWait = this.#fresh.size + tasks.length <= MOST_FRESH;
    for (const one of tasks) this.#place(one, mayWait);
    if (through.position > this.#noted.position) this.#noted = through;
    return this.#unplaced.length === 0;
  }

  /** Records the outcome of a task that was given to a lane. False if it must be written. */
  finish(finished: Finished): boolean {
    const { task, lane, outcome } = finished;
    const isAll = outcome.also === undefined && outcome.next === undefined;
    const needsNoWrite = isAll && ('done' in outcome ? this.#fresh.take(task.id) !== undefined : this.#rest(finished));
    if (needsNoWrite) this.#parts.lanes.settled(lane, task);
    else this.#waiting.push(finished);
    return needsNoWrite;
  }

  /** Makes the next write include tasks that are only in memory: those above a minimum age, or all. */
  take(which: 'old' | 'all'): void {
    if (which === 'all' || this.#taking === 'none') this.#taking = which;
  }

  /** True if there is something to write. */
  hasWork(): boolean {
    return this.#waiting.length > 0 || this.#taking !== 'none';
  }

  /** Returns the content of the next write. `saved`: the stored checkpoint. */
  next(saved: LogPlace): Write {
    const { collection, storedPart, clock } = this.#parts;
    const gathered = new Gathered(collection, storedPart);
    const finished = this.#waiting;
    this.#waiting = [];
    const all = finished.map((one) => ({
      one,
      isFresh: this.#fresh.has(one.task.id),
      follows: followUpTasks(one, clock.now()),
    }));
    this.#widen(all);
    const unknown = this.#resolve(all, gathered);
    const inLanes: PendingTask[] = [];
    for (const { task, rests } of this.#taken()) (rests ? unknown : inLanes).push(task);
    // Tasks count as stored from here on, since later writes come after this one.
    unknown.forEach(this.#storing.begin);
    const admitted = [...unknown, ...this.#unplaced];
    this.#unplaced = [];
    // Oldest due first: if only some are stored, the others are noted again and become due later.
    gathered.addTasks([...admitted, ...inLanes].sort((a, b) => a.dueAt - b.dueAt));
    // A checkpoint alone waits until it is due. It moves up to the place before which everything is done or written.
    const place = gathered.isEmpty && this.#taking === 'none' ? saved : this.#fresh.least(this.#noted);
    this.#taking = 'none';
    return { gathered, place, finished, admitted };
  }

  /** Called when the write has succeeded. Follow-up tasks go to the lanes, except for those it admitted. */
  written({ finished, admitted }: Write): void {
    for (const one of finished) {
      this.#parts.lanes.settled(one.lane, one.task);
      this.#follow(one);
    }
    admitted.forEach(this.#storing.end);
  }

  /** Drops the outcomes that wait. Their tasks are performed again. */
  giveUp(): void {
    this.#waiting = [];
  }

  /** True if the task is only in memory, or is being stored. */
  hasUnstored(id: string): boolean {
    return this.#fresh.has(id) || this.#storing.hasTask(id);
  }

  /** Number of outcomes that wait to be written. */
  waiting(): number {
    return this.#waiting.length;
  }

  /** Number of tasks that are only in memory. */
  fresh(): number {
    return this.#fresh.size;
  }

  /** Returns the place up to which all events are noted. */
  noted(): LogPlace {
    return this.#noted;
  }

  /** Returns the place up to which everything is done, written, or rests until its due time, so nothing is late. */
  reached(): LogPlace {
    return this.#fresh.least(this.#noted, ({ rests }) => !rests);
  }

  /** Gives a task to its lane without a write, or has it written first. */
  #place({ task, before }: Noted, mayWait = true): void {
    const { clock, lanes, writeUpTo, added } = this.#parts;
    if (this.hasUnstored(task.id) || lanes.has(task)) return;
    const now = clock.now();
    const mayStay = mayWait && before.position >= writeUpTo;
    const rests = mayStay && task.dueAt >= now + LATER_MS;
    if (rests || (mayStay && task.dueAt <= now && !this.#storing.has(task.lane) && lanes.admit(task))) {
      this.#fresh.add({ task, before, since: clock.steady.now(), rests });
      added();
      return;
    }
    this.#unplaced.push(task);
    this.#storing.begin(task);
    this.#taking = 'all';
  }

  /** Widens the write to all fresh tasks if tasks that follow from an unstored task must be stored with it. */
  #widen(all: readonly Resolved[]): void {
    const now = this.#parts.clock.now();
    const follows = all.flatMap((one) => (one.isFresh ? one.follows : []));
    const isNeeded = this.#taking === 'old' || follows.some(({ dueAt }) => dueAt > now);
    if (follows.length > 0 && isNeeded) this.#taking = 'all';
  }

  /** Adds the outcomes of finished tasks to the write. Returns the follow-up tasks that are stored with them. */
  #resolve(all: readonly Resolved[], gathered: Gathered): PendingTask[] {
    const pending: PendingTask[] = [];
    for (const { one, isFresh, follows } of all) {
      gathered.also(one.outcome);
      if (isFresh && follows.length > 0 && this.#taking === 'none') continue;
      if (isFresh) this.#fresh.take(one.task.id);
      else if ('done' in one.outcome) gathered.done(one.task);
      pending.push(...follows);
    }
    return pending;
  }

  /** Removes and returns the fresh tasks that this write stores. */
  #taken(): Fresh[] {
    if (this.#taking === 'none') return [];
    return this.#taking === 'all'
      ? this.#fresh.takeAll()
      : this.#fresh.takeOld(this.#parts.clock.steady.now() - YOUNG_MS);
  }

  /** Places the follow-up tasks of a task that was never stored. */
  #follow(one: Finished): void {
    const entry = this.#fresh.take(one.task.id);
    if (entry === undefined) return;
    for (const task of followUpTasks(one, this.#parts.clock.now())) this.#place({ task, before: entry.before });
  }

  /** Makes a task rest as if it had been noted for later, if it was never stored and only waits. */
  #rest(one: Finished): boolean {
    const { clock, added } = this.#parts;
    const now = clock.now();
    const { outcome } = one;
    if (!('again' in outcome) || outcome.again.unbegun !== true || outcome.again.at < now + LATER_MS) return false;
    const entry = this.#fresh.take(one.task.id);
    if (entry === undefined) return false;
    for (const task of followUpTasks(one, now))
      this.#fresh.add({ task, before: entry.before, since: clock.steady.now(), rests: true });
    added();
    return true;
  }
}

interface Fresh extends Noted {
  /** Time by the steady clock. */
  readonly since: number;
  /** True if it is due later, and in no lane. */
  readonly rests: boolean;
}

/** Tasks that are in a lane, or rest, and are not stored. */
class FreshTasks {
  readonly #tasks = new Map<string, Fresh>();

  get size(): number {
    return this.#tasks.size;
  }

  has(id: string): boolean {
    return this.#tasks.has(id);
  }

  add(one: Fresh): void {
    this.#tasks.set(one.task.id, one);
  }

  /** Removes a task that is done, or stored from now on. */
  take(id: string): Noted | undefined {
    const one = this.#tasks.get(id);
    this.#tasks.delete(id);
    return one;
  }

  takeAll(): Fresh[] {
    const all = [...this.#tasks.values()];
    this.#tasks.clear();
    return all;
  }

  /**
   * Removes tasks that are here since `since` or longer, and all tasks of earlier events, so that no stored task's
   * event is after the checkpoint.
   */
  takeOld(since: number): Fresh[] {
    let until = Number.NEGATIVE_INFINITY;
    for (const one of this.#tasks.values()) if (one.since <= since) until = Math.max(until, one.before.position);
    const old = [...this.#tasks.values()].filter(({ before }) => before.position <= until);
    for (const { task } of old) this.#tasks.delete(task.id);
    return old;
  }

  /** Returns the furthest place for a checkpoint before all tasks that count; `noted` if there are none. */
  least(noted: LogPlace, counts: (one: Fresh) => boolean = () => true): LogPlace {
    let least = noted;
    for (const one of this.#tasks.values()) if (one.before.position < least.position && counts(one)) least = one.before;
    return least;
  }
}

/** Tasks that are being stored, with their number per lane, so that later tasks do not overtake them. */
class Storing {
  readonly #lanes = new Map<string, number>();
  readonly #tasks = new Set<string>();
  hasTask = (id: string): boolean => this.#tasks.has(id);
  has = (lane: string): boolean => this.#lanes.has(lane);
  begin = ({ id, lane }: PendingTask): void => {
    this.#tasks.add(id);
    this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + 1);
  };
  end = ({ id, lane }: PendingTask): void => {
    this.#tasks.delete(id);
    const count = this.#lanes.get(lane)! - 1;
    if (count > 0) this.#lanes.set(lane, count);
    else this.#lanes.delete(lane);
  };
}
