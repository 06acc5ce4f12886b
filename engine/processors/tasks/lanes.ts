import { createLaneGroups, type LaneGroups } from './laneGroups.js';
import { type PageRead, TaskCache } from './taskCache.js';
import type { Due, PendingTask } from './taskDocuments.js';

/**
 * A lane with due tasks. Only the first few are in memory; `more` is true if others must be read. It stays true while
 * they are being read: a newer task that was taken into memory meanwhile would overtake those that the page lacks.
 */
export interface Lane {
  readonly name: string;
  /** Shard of the lane if the work is partitioned. Its lanes come and go with it. */
  readonly shard: number | undefined;
  /** Tasks of its shard that are in memory. */
  readonly known: TaskCache;
  /** Ids of tasks with a newer stored version, to be read when the current one has ended. */
  readonly outdated: Set<string>;
  /** Oldest due first. */
  readonly window: PendingTask[];
  more: boolean;
  /** True if others came while its next tasks were being read. */
  readAgain: boolean;
  /** True while one of its tasks is in flight, or its next ones are being read. */
  busy: boolean;
  /** Number of its tasks in memory: in the window, in flight, or done with the outcome not yet written. */
  inMemory: number;
  waiting: boolean;
}

export interface LaneLimits {
  /** Maximum tasks of one lane in memory. */
  readonly window: number;
  /** Maximum tasks in memory over all lanes. Beyond it, each lane gets one at a time. */
  readonly tasks: number;
  /** Maximum lanes in memory. Further lanes are read later. */
  readonly lanes: number;
  /** Maximum lanes that have their turn at once. */
  readonly turns: number;
}

/** Returns the key of a lane: lanes of the same name in different shards are distinct. */
const keyOf = (name: string, shard: number | undefined): string => (shard === undefined ? name : `${shard} ${name}`);

function insert(window: PendingTask[], task: PendingTask): void {
  let place = window.length;
  while (place > 0 && window[place - 1]!.dueAt > task.dueAt) place--;
  window.splice(place, 0, task);
}

/**
 * Lanes with due tasks, in bounded memory. A lane with 100,000 pending tasks takes `window` places and one turn in each
 * round, so it never delays another lane. It does no I/O: the engine reads and performs.
 */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  /** Tasks in memory by shard. */
  readonly #shards = new Map<number | undefined, TaskCache>();
  readonly #groups: LaneGroups<Lane>;
  #inMemory = 0;
  /** Round robin queue. Consumed from `#first`, compacted from time to time. */
  #ring: Lane[] = [];
  #first = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#groups = createLaneGroups<Lane>(limits.turns);
  }

  /**
   * Adds a due task. False if there is no room for another lane: offer it again later. `page`: the page it was read
   * with, if any.
   */
  offer(due: Due, page: PageRead | undefined): boolean {
    const known = this.#knownOf(due.shard).revisionOf(due.id);
    if (known !== undefined) {
      if (due.revision > known) this.#lanes.get(keyOf(due.lane, due.shard))?.outdated.add(due.id);
      return true;
    }
    if (page?.isCurrent(due) === false) return true;
    const lane = this.#laneOf(due.lane, due.shard);
    if (lane === undefined) return false;
    const isNext = page === undefined ? !lane.known.isBehind : !page.isStale;
    if (!isNext || !this.#mayHold(lane)) this.#readMore(lane);
    else {
      this.#hold(lane, due.open());
      this.#queue(lane);
    }
    return true;
  }

  /** Adds a task that is stored nowhere else. False if it would not be the next to be read, or there is no room. */
  admit(task: PendingTask): boolean {
    const lane = this.#laneOf(task.lane, task.shard);
    if (lane === undefined) return false;
    const may = this.#mayHold(lane) && !lane.known.isBehind;
    if (may) this.#hold(lane, task);
    this.#queue(lane);
    this.#forgetIdle(lane);
    return may;
  }

  /** True if the task is in memory. */
  has({ id, shard }: Pick<PendingTask, 'id' | 'shard'>): boolean {
    return this.#knownOf(shard).has(id);
  }

  /**
   * Returns the lane whose turn it is, marked busy. Each lane comes once before any comes twice, except for groups at
   * their limit.
   */
  take(): Lane | undefined {
    for (let lane = this.#ring[this.#first]; lane !== undefined; lane = this.#ring[this.#first]) {
      this.#first++;
      if (this.#first > 1000 && this.#first * 2 > this.#ring.length) {
        this.#ring = this.#ring.slice(this.#first);
        this.#first = 0;
      }
      if (!this.#groups.begin(lane)) continue;
      lane.waiting = false;
      lane.busy = true;
      return lane;
    }
    return undefined;
  }

  /** Ends a lane's turn. */
  release(lane: Lane): void {
    lane.busy = false;
    this.#ring.push(...this.#groups.end(lane));
    this.#queue(lane);
    this.#forgetIdle(lane);
  }

  /** Returns how many tasks of a lane to read beyond those in memory. */
  room(): number {
    return this.#inMemory < this.#limits.tasks ? this.#limits.window : 1;
  }

  /** Opens a page of stored tasks of a shard, or of one of its lanes, before its query is sent. */
  openPage(shard: number | undefined, lane?: Lane): PageRead {
    if (lane !== undefined) lane.readAgain = false;
    return (lane?.known ?? this.#knownOf(shard)).openPage(lane?.name);
  }

  /** `isBehind`: stored due tasks of the shard may be unknown to their lanes, so newer ones wait for a read. */
  setBehind(shard: number | undefined, isBehind: boolean): void {
    this.#knownOf(shard).isBehind = isBehind;
  }

  /** Adds tasks that were read of a lane. `complete`: the lane has no more due tasks. */
  fill(lane: Lane, tasks: readonly PendingTask[], page: PageRead, complete: boolean): void {
    const most = page.isStale ? 0 : this.room();
    if (this.#isDropped(lane)) return;
    const isNew = (task: PendingTask): boolean => !lane.known.has(task.id) && page.isCurrent(task);
    const fresh = tasks.filter((task) => task.shard === lane.shard && isNew(task));
    for (const task of fresh.slice(0, most)) this.#hold(lane, task);
    lane.more = lane.readAgain || fresh.length > most || !complete;
  }

  /** Removes a task: its outcome is written, or it was abandoned at a stop. */
  settled(lane: Lane, task: PendingTask): void {
    lane.inMemory--;
    if (lane.known.end(task) && !this.#isDropped(lane)) this.#inMemory--;
    if (lane.outdated.delete(task.id) && !this.#isDropped(lane)) this.#readMore(lane);
    this.#forgetIdle(lane);
  }

  /** Drops all tasks of a shard. The outcomes of tasks in flight are ignored. */
  drop(shard: number | undefined): void {
    this.#inMemory -= this.#shards.get(shard)?.size ?? 0;
    this.#shards.delete(shard);
    for (const [key, lane] of this.#lanes)
      if (lane.shard === shard) {
        lane.window.length = 0;
        lane.more = false;
        this.#lanes.delete(key);
      }
  }

  full(): boolean {
    return this.#lanes.size >= this.#limits.lanes;
  }

  size(): { lanes: number; inMemory: number } {
    return { lanes: this.#lanes.size, inMemory: this.#inMemory };
  }

  /** Queues a lane for its next turn, if it has tasks and is not queued. */
  #queue(lane: Lane): void {
    if (lane.busy || lane.waiting || (lane.window.length === 0 && !lane.more)) return;
    lane.waiting = true;
    this.#ring.push(lane);
  }

  #knownOf(shard: number | undefined): TaskCache {
    const known = this.#shards.get(shard) ?? new TaskCache();
    this.#shards.set(shard, known);
    return known;
  }

  /** Returns the lane, new if necessary; undefined if there is no room for another one. */
  #laneOf(name: string, shard: number | undefined): Lane | undefined {
    const key = keyOf(name, shard);
    const known = this.#lanes.get(key);
    if (known !== undefined || this.full()) return known;
    const own = { name, shard, known: this.#knownOf(shard), outdated: new Set<string>() };
    const lane: Lane = { ...own, window: [], more: false, readAgain: false, busy: false, inMemory: 0, waiting: false };
    this.#lanes.set(key, lane);
    return lane;
  }

  #mayHold(lane: Lane): boolean {
    return !lane.more && lane.window.length < this.#limits.window && this.#inMemory < this.#limits.tasks;
  }

  #hold(lane: Lane, task: PendingTask): void {
    lane.known.add(task);
    this.#inMemory++;
    lane.inMemory++;
    insert(lane.window, task);
  }

  #readMore(lane: Lane): void {
    lane.more = true;
    lane.readAgain = true;
    this.#queue(lane);
  }

  /** True for a lane of a shard that was dropped, even if the shard has new lanes since then. */
  #isDropped({ shard, known }: Lane): boolean {
    return this.#shards.get(shard) !== known;
  }

  #forgetIdle(lane: Lane): void {
    const isIdle = !lane.busy && !lane.waiting && !lane.more && lane.inMemory === 0;
    if (isIdle && !this.#isDropped(lane)) this.#lanes.delete(keyOf(lane.name, lane.shard));
  }
}
