import type { Clock } from '../../ports/clock.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import type { Lane, Lanes } from './lanes.js';
import { Gathered, type Noted, type OwedTask, owedBy, type Performed, type StoredPart } from './taskDocuments.js';

/** Tasks that stand in memory only; beyond, they are written first. */
const MOST_FRESH = 1000;
/** Younger ones are left out of a write of those that are still owed: most are done before the next. */
const YOUNG_MS = 400;
/**
 * Due so much later, a task rests in memory until the next write of those that are still owed: one write for what came
 * in half a second, instead of one for each event that sets a timer.
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
  /** Stored by it, and not yet known to a lane. */
  readonly admitted: readonly OwedTask[];
}

export interface WriteBehind {
  /** Takes over what events up to `through` lead to. False: some is to be written before it is performed. */
  note(tasks: readonly Noted[], through: LogPlace): boolean;
  /** What came of a task that was given to a lane. False: it is to be written. */
  finish(finished: Finished): boolean;
  /** The next write takes along the tasks that stand in memory only: those that have stood for a moment, or all. */
  take(which: 'old' | 'all'): void;
  /** Whether there is something to write. */
  hasWork(): boolean;
  /** What the next write consists of; `saved` is the checkpoint that stands. */
  next(saved: LogPlace): Write;
  /** It stands: what follows from it goes to the lanes, but for the tasks that it admitted. */
  written(write: Write): void;
  /** Forgets the outcomes that wait: their tasks will be performed again. */
  giveUp(): void;
  /** Whether the task is in memory only, or is being stored. */
  owes(id: string): boolean;
  /** Outcomes that wait for their write. */
  waiting(): number;
  /** Tasks that stand in memory only. */
  fresh(): number;
  /** Everything up to here was taken over. */
  noted(): LogPlace;
  /** Everything up to here is done, written, or rests until its time: nothing is late. */
  reached(): LogPlace;
}

interface Parts {
  /** The tasks' collection. */
  readonly collection: string;
  readonly storedPart?: StoredPart | undefined;
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly from: LogPlace;
  /** Tasks of events up to here are written before they are performed: an owner before may just be writing them. */
  readonly writeUpTo: Position;
  /** One more task stands in memory only. */
  kept(): void;
}

interface Resolved {
  readonly one: Finished;
  readonly isFresh: boolean;
  readonly follows: readonly OwedTask[];
}

/**
 * What a processor owes and has done, in memory, until it is written. A task that is due at once goes to its lane without
 * a write: most are done a moment later, and then nothing is written for them at all; one that is due much later rests.
 * The checkpoint stays behind such tasks, so that a crash notes them again; what is still owed after a moment is written,
 * together with the checkpoint beyond it. So a stored task's event is never after the checkpoint, and none is noted while it is stored.
 */
export function createWriteBehind(parts: Parts): WriteBehind {
  const { clock, lanes } = parts;
  const fresh = new FreshTasks();
  const storing = new Storing();
  /** To be stored before they are performed. */
  let unplaced: OwedTask[] = [];
  let waiting: Finished[] = [];
  /** Which fresh tasks the next write takes along. */
  let taking: 'none' | 'old' | 'all' = 'none';
  let noted = parts.from;

  /** Gives a task to its lane without a write, or has it written first. */
  function place({ task, before }: Noted, mayWait = true): void {
    if (fresh.has(task.id) || storing.hasTask(task.id) || lanes.has(task)) return;
    const now = clock.now();
    const mayStay = mayWait && before.position >= parts.writeUpTo;
    const rests = mayStay && task.dueAt >= now + LATER_MS;
    if (rests || (mayStay && task.dueAt <= now && !storing.has(task.lane) && lanes.hold(task))) {
      fresh.add({ task, before, since: clock.steady.now(), rests });
      parts.kept();
      return;
    }
    unplaced.push(task);
    storing.begin(task);
    taking = 'all';
  }

  /** What follows from a task that was never stored is placed afterwards; or it is stored, and then all before it too. */
  function widen(all: readonly Resolved[]): void {
    const now = clock.now();
    const follows = all.flatMap((one) => (one.isFresh ? one.follows : []));
    if (follows.length > 0 && (taking === 'old' || follows.some(({ dueAt }) => dueAt > now))) taking = 'all';
  }

  /** Adds what came of the tasks that are finished; answers what follows from them and is stored with it. */
  function resolve(all: readonly Resolved[], gathered: Gathered): OwedTask[] {
    const owed: OwedTask[] = [];
    for (const { one, isFresh, follows } of all) {
      gathered.also(one.outcome);
      if (isFresh && follows.length > 0 && taking === 'none') continue;
      if (isFresh) fresh.take(one.task.id);
      else if ('done' in one.outcome) gathered.done(one.task);
      owed.push(...follows);
    }
    return owed;
  }

  /** Fresh tasks that are stored from now on. */
  function taken(): Fresh[] {
    if (taking === 'none') return [];
    return taking === 'all' ? fresh.takeAll() : fresh.takeOld(clock.steady.now() - YOUNG_MS);
  }

  /** Places what a task led to that was never stored. */
  function follow(one: Finished): void {
    const entry = fresh.take(one.task.id);
    if (entry === undefined) return;
    for (const task of owedBy(one, clock.now())) place({ task, before: entry.before });
  }

  /** A task that was never stored, and only waits, rests as if it had been noted for then. */
  function rest(one: Finished): boolean {
    const now = clock.now();
    const { outcome } = one;
    if (!('again' in outcome) || outcome.again.unbegun !== true || outcome.again.at < now + LATER_MS) return false;
    const entry = fresh.take(one.task.id);
    if (entry === undefined) return false;
    for (const task of owedBy(one, now))
      fresh.add({ task, before: entry.before, since: clock.steady.now(), rests: true });
    parts.kept();
    return true;
  }

  return {
    note(tasks, through) {
      const mayWait = fresh.size + tasks.length <= MOST_FRESH;
      for (const one of tasks) place(one, mayWait);
      if (through.position > noted.position) noted = through;
      return unplaced.length === 0;
    },
    finish(finished) {
      const { task, lane, outcome } = finished;
      const isAll = outcome.also === undefined && outcome.next === undefined;
      const needsNoWrite = isAll && ('done' in outcome ? fresh.take(task.id) !== undefined : rest(finished));
      if (needsNoWrite) lanes.settled(lane, task);
      else waiting.push(finished);
      return needsNoWrite;
    },
    take(which) {
      if (which === 'all' || taking === 'none') taking = which;
    },
    hasWork: () => waiting.length > 0 || taking !== 'none',
    next(saved) {
      const gathered = new Gathered(parts.collection, parts.storedPart);
      const finished = waiting;
      waiting = [];
      const all = finished.map((one) => ({ one, isFresh: fresh.has(one.task.id), follows: owedBy(one, clock.now()) }));
      widen(all);
      const unknown = resolve(all, gathered);
      const inLanes: OwedTask[] = [];
      for (const { task, rests } of taken()) (rests ? unknown : inLanes).push(task);
      // What it stores counts as stored from here on: later writes come after it.
      unknown.forEach(storing.begin);
      const admitted = [...unknown, ...unplaced];
      unplaced = [];
      gathered.owe([...admitted, ...inLanes]);
      // For a checkpoint alone it is waited until it is due; it goes as far as everything is done or written.
      const place = gathered.isEmpty && taking === 'none' ? saved : fresh.least(noted);
      taking = 'none';
      return { gathered, place, finished, admitted };
    },
    written({ finished, admitted }) {
      for (const one of finished) {
        lanes.settled(one.lane, one.task);
        follow(one);
      }
      admitted.forEach(storing.end);
    },
    giveUp() {
      waiting = [];
    },
    owes: (id) => fresh.has(id) || storing.hasTask(id),
    waiting: () => waiting.length,
    fresh: () => fresh.size,
    noted: () => noted,
    reached: () => fresh.least(noted, ({ rests }) => !rests),
  };
}

interface Fresh extends Noted {
  /** By the steady clock. */
  readonly since: number;
  /** It is due later, and in no lane. */
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

  /** It is done, or stored from now on. */
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
   * Those that stand here since `since` or longer, and all whose events come before theirs, so that no stored task's event
   * is after the checkpoint.
   */
  takeOld(since: number): Fresh[] {
    let until = Number.NEGATIVE_INFINITY;
    for (const one of this.#tasks.values()) if (one.since <= since) until = Math.max(until, one.before.position);
    const old = [...this.#tasks.values()].filter(({ before }) => before.position <= until);
    for (const { task } of old) this.#tasks.delete(task.id);
    return old;
  }

  /** How far a checkpoint may go that is to lead to each of them, or each such one, again; `noted` when there is none. */
  least(noted: LogPlace, counts: (one: Fresh) => boolean = () => true): LogPlace {
    let least = noted;
    for (const one of this.#tasks.values()) if (one.before.position < least.position && counts(one)) least = one.before;
    return least;
  }
}

/** Tasks that are being stored, and how many of each lane, so that what comes later does not overtake them. */
class Storing {
  readonly #lanes = new Map<string, number>();
  readonly #tasks = new Set<string>();
  hasTask = (id: string): boolean => this.#tasks.has(id);
  has = (lane: string): boolean => this.#lanes.has(lane);
  begin = ({ id, lane }: OwedTask): void => {
    this.#tasks.add(id);
    this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + 1);
  };
  end = ({ id, lane }: OwedTask): void => {
    this.#tasks.delete(id);
    const count = this.#lanes.get(lane)! - 1;
    if (count > 0) this.#lanes.set(lane, count);
    else this.#lanes.delete(lane);
  };
}
