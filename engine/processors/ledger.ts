import type { Clock } from '../ports/clock.js';
import type { Position } from '../ports/eventStore.js';
import { type Finished, Gathered, owedBy } from './finished.js';
import { FreshTasks, type Noted } from './freshTasks.js';
import type { Lanes } from './lanes.js';
import type { OwedTask } from './taskDocuments.js';
import type { Writer } from './writer.js';

/** Outcomes that wait for their write; beyond, nothing more is performed until they are written. */
const MOST_WAITING = 500;
/** Tasks that stand in memory only; beyond, they are written first. */
const MOST_FRESH = 1000;
/** From the first task that stands in memory only to a write of those that are still owed. */
const SAVE_MS = 250;
/** Younger ones are left out of it: most are done before the next. */
const YOUNG_MS = 100;
/** How long a checkpoint that moved over events without tasks may stay unwritten. */
const IDLE_SAVE_MS = 1000;

export interface Ledger {
  /** Takes over what events up to `through` lead to. Resolves when it may have more; rejects when the work has ended. */
  note(tasks: readonly Noted[], through: Position): Promise<void>;
  /** What came of a task that was given to a lane. */
  finish(finished: Finished): void;
  /** Whether more outcomes are taken. */
  room(): boolean;
  /** Everything up to here was taken over. */
  noted(): Position;
  /** Everything up to here is done or written. */
  settled(): Position;
  /** Writes all that is owed, with the checkpoint; resolves when it stands, or when that failed after stop(). */
  save(): Promise<void>;
  /** Sets no more timers, and a write that fails is not tried again. */
  stop(): void;
}

interface Parts {
  readonly writer: Writer;
  /** The tasks' collection. */
  readonly collection: string;
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly from: Position;
  /** Tasks of events up to here are written before they are performed: an owner before may just be writing them. */
  readonly writeUpTo: Position;
  /** There may be other owners. */
  readonly isShared: boolean;
  readonly signal: AbortSignal;
  /** Tasks that are stored now and are to be performed or expected. */
  admit(tasks: readonly OwedTask[]): void;
  /** There may be something to perform. */
  pump(): void;
}

interface Write {
  readonly gathered: Gathered;
  readonly position: Position;
  readonly finished: readonly Finished[];
  /** Stored by it, and not yet known to a lane. */
  readonly admitted: readonly OwedTask[];
}

interface Resolved {
  readonly one: Finished;
  readonly isFresh: boolean;
  readonly follows: readonly OwedTask[];
}

/** How many tasks of a lane are being stored, so that what comes later does not overtake them. */
class Storing {
  readonly #lanes = new Map<string, number>();
  has = (lane: string): boolean => this.#lanes.has(lane);
  begin = ({ lane }: OwedTask): void => void this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + 1);
  end = ({ lane }: OwedTask): void => {
    const count = this.#lanes.get(lane)! - 1;
    if (count > 0) this.#lanes.set(lane, count);
    else this.#lanes.delete(lane);
  };
}

/**
 * What a processor owes, as it stands in memory and in the store. A task that is due at once goes to its lane without a
 * write: most are done a moment later, and then nothing was written for them at all. The checkpoint stays behind such
 * tasks, so that a crash notes them again; what is still owed after a moment is written, together with the checkpoint
 * beyond it. So a stored task's event is never after the checkpoint, and none is noted while it is stored. One write at a
 * time: all that came while the last one ran, or within one turn of the event loop.
 */
export function createLedger(parts: Parts): Ledger {
  const { writer, clock, lanes } = parts;
  const fresh = new FreshTasks();
  const storing = new Storing();
  /** To be stored before they are performed. */
  let unplaced: OwedTask[] = [];
  let waiting: Finished[] = [];
  /** Which fresh tasks the next write takes along. */
  let taking: 'none' | 'old' | 'all' = 'none';
  let noted = parts.from;
  let writing: Promise<void> | undefined;
  let stopped = false;
  let saveAt = Number.POSITIVE_INFINITY;
  let cancelSave: () => void = () => undefined;

  const settled = (): Position => fresh.least(noted);
  const hasWork = (): boolean => waiting.length > 0 || taking !== 'none';

  function saveWithin(ms: number): void {
    const at = clock.now() + ms;
    if (at >= saveAt || stopped) return;
    cancelSave();
    saveAt = at;
    cancelSave = clock.at(at, () => {
      saveAt = Number.POSITIVE_INFINITY;
      if (taking === 'none') taking = 'old';
      void begin();
    });
  }

  /** Gives a task to its lane without a write, or has it written first. */
  function place({ task, before }: Noted, mayWait = true): void {
    if (fresh.has(task.id) || lanes.has(task.id)) return;
    const isDue = task.dueAt <= clock.now() && before >= parts.writeUpTo;
    if (mayWait && isDue && !storing.has(task.lane) && lanes.hold(task)) {
      fresh.add({ task, before }, clock.now());
      saveWithin(SAVE_MS);
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
  function taken(): OwedTask[] {
    if (taking === 'none') return [];
    return taking === 'all' ? fresh.takeAll() : fresh.takeOld(clock.now() - YOUNG_MS);
  }

  /** What the next write consists of. What it stores counts as stored from here on: later writes come after it. */
  function next(): Write {
    const gathered = new Gathered(parts.collection);
    const finished = waiting;
    waiting = [];
    const all = finished.map((one) => ({ one, isFresh: fresh.has(one.task.id), follows: owedBy(one, clock.now()) }));
    widen(all);
    const owed = resolve(all, gathered);
    const still = taken();
    owed.forEach(storing.begin);
    const admitted = [...owed, ...unplaced];
    unplaced = [];
    gathered.owe([...admitted, ...still]);
    // For a checkpoint alone it is waited until it is due.
    const position = gathered.isEmpty && taking === 'none' ? writer.saved() : settled();
    taking = 'none';
    return { gathered, position, finished, admitted };
  }

  /** Places what a task led to that was never stored. */
  function follow(one: Finished): void {
    const entry = fresh.take(one.task.id);
    if (entry === undefined) return;
    for (const task of owedBy(one, clock.now())) place({ task, before: entry.before });
  }

  function written({ finished, admitted }: Write): void {
    for (const one of finished) {
      lanes.settled(one.lane, one.task);
      follow(one);
    }
    admitted.forEach(storing.end);
    parts.admit(admitted);
    parts.pump();
  }

  async function writeAll(): Promise<void> {
    while (hasWork()) {
      const write = next();
      if (!(await writer.write(write.gathered, write.position))) {
        stopped = true;
        waiting = [];
        return;
      }
      written(write);
      await turn();
    }
    if (fresh.size > 0) saveWithin(SAVE_MS);
    else if (noted > writer.saved()) saveWithin(IDLE_SAVE_MS);
  }

  function begin(when: 'now' | 'soon' = 'soon'): Promise<void> {
    writing ??= (when === 'now' ? writeAll() : turn().then(writeAll)).finally(() => {
      writing = undefined;
      if (hasWork() && !stopped) void begin();
    });
    return writing;
  }

  async function flush(): Promise<void> {
    while (writing !== undefined) await writing;
  }

  /** Whether this is still the owner: before effects are begun that no write precedes. */
  async function look(): Promise<void> {
    await writer.write(new Gathered(parts.collection), writer.saved());
    parts.signal.throwIfAborted();
  }

  return {
    async note(tasks, through) {
      if (parts.isShared && tasks.length > 0) await look();
      const mayWait = fresh.size + tasks.length <= MOST_FRESH;
      for (const one of tasks) place(one, mayWait);
      noted = Math.max(noted, through);
      if (unplaced.length === 0) {
        if (noted > writer.saved()) saveWithin(IDLE_SAVE_MS);
        parts.pump();
        return;
      }
      await begin('now');
      await flush();
      parts.signal.throwIfAborted();
    },
    finish(finished) {
      const { task, lane, outcome } = finished;
      const isAll = 'done' in outcome && outcome.also === undefined && outcome.next === undefined;
      if (isAll && fresh.take(task.id) !== undefined) lanes.settled(lane, task);
      else {
        waiting.push(finished);
        void begin();
      }
    },
    room: () => waiting.length < MOST_WAITING,
    noted: () => noted,
    settled,
    async save() {
      await flush();
      taking = 'all';
      await begin('now');
      await flush();
    },
    stop() {
      stopped = true;
      cancelSave();
      writer.stop();
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
