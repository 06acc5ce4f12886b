import { createLaneGroups } from './laneGroups.js';
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

export interface Lanes {
  /**
   * Adds a due task. False if there is no room for another lane: offer it again later. `page`: the page it was read
   * with, if any.
   */
  offer(due: Due, page: PageRead | undefined): boolean;
  /** Adds a task that is stored nowhere else. False if it would not be the next to be read, or there is no room. */
  admit(task: PendingTask): boolean;
  /** True if the task is in memory. */
  has(task: Pick<PendingTask, 'id' | 'shard'>): boolean;
  /**
   * Returns the lane whose turn it is, marked busy. Each lane comes once before any comes twice, except for groups at
   * their limit.
   */
  take(): Lane | undefined;
  /** Ends a lane's turn. */
  release(lane: Lane): void;
  /** Returns how many tasks of a lane to read beyond those in memory. */
  room(): number;
  /** Opens a page of stored tasks of a shard, or of one of its lanes, before its query is sent. */
  openPage(shard: number | undefined, lane?: Lane): PageRead;
  /** `isBehind`: stored due tasks of the shard may be unknown to their lanes, so newer ones wait for a read. */
  setBehind(shard: number | undefined, isBehind: boolean): void;
  /** Adds tasks that were read of a lane. `complete`: the lane has no more due tasks. */
  fill(lane: Lane, tasks: readonly PendingTask[], page: PageRead, complete: boolean): void;
  /** Removes a task: its outcome is written, or it was abandoned at a stop. */
  settled(lane: Lane, task: PendingTask): void;
  /** Drops all tasks of a shard. The outcomes of tasks in flight are ignored. */
  drop(shard: number | undefined): void;
  full(): boolean;
  size(): { lanes: number; inMemory: number };
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
export function createLanes(limits: LaneLimits): Lanes {
  const lanes = new Map<string, Lane>();
  const shards = new Map<number | undefined, TaskCache>();
  let inMemory = 0;
  /** Round robin queue. Consumed from `first`, compacted from time to time. */
  let ring: Lane[] = [];
  let first = 0;
  const groups = createLaneGroups<Lane>(limits.turns);

  const queue = (lane: Lane): void => {
    if (lane.busy || lane.waiting || (lane.window.length === 0 && !lane.more)) return;
    lane.waiting = true;
    ring.push(lane);
  };
  const knownOf = (shard: number | undefined): TaskCache => {
    const known = shards.get(shard) ?? new TaskCache();
    shards.set(shard, known);
    return known;
  };
  const hold = (lane: Lane, task: PendingTask): void => {
    lane.known.add(task);
    inMemory++;
    lane.inMemory++;
    insert(lane.window, task);
  };
  const laneOf = (name: string, shard: number | undefined): Lane | undefined => {
    const key = keyOf(name, shard);
    const known = lanes.get(key);
    if (known !== undefined || lanes.size >= limits.lanes) return known;
    const own = { name, shard, known: knownOf(shard), outdated: new Set<string>() };
    const lane: Lane = { ...own, window: [], more: false, readAgain: false, busy: false, inMemory: 0, waiting: false };
    lanes.set(key, lane);
    return lane;
  };
  const mayHold = (lane: Lane): boolean => !lane.more && lane.window.length < limits.window && inMemory < limits.tasks;
  const readMore = (lane: Lane): void => {
    lane.more = true;
    lane.readAgain = true;
    queue(lane);
  };
  const room = (): number => (inMemory < limits.tasks ? limits.window : 1);
  const isDropped = ({ shard, known }: Lane): boolean => shards.get(shard) !== known;
  const forgetIdle = (lane: Lane): void => {
    const isIdle = !lane.busy && !lane.waiting && !lane.more && lane.inMemory === 0;
    if (isIdle && !isDropped(lane)) lanes.delete(keyOf(lane.name, lane.shard));
  };

  return {
    offer(due, page) {
      const known = knownOf(due.shard).revisionOf(due.id);
      if (known !== undefined) {
        if (due.revision > known) lanes.get(keyOf(due.lane, due.shard))?.outdated.add(due.id);
        return true;
      }
      if (page?.isCurrent(due) === false) return true;
      const lane = laneOf(due.lane, due.shard);
      if (lane === undefined) return false;
      const isNext = page === undefined ? !lane.known.isBehind : !page.isStale;
      if (!isNext || !mayHold(lane)) readMore(lane);
      else {
        hold(lane, due.open());
        queue(lane);
      }
      return true;
    },
    admit(task) {
      const lane = laneOf(task.lane, task.shard);
      if (lane === undefined) return false;
      const may = mayHold(lane) && !lane.known.isBehind;
      if (may) hold(lane, task);
      queue(lane);
      forgetIdle(lane);
      return may;
    },
    has: ({ id, shard }) => knownOf(shard).has(id),
    take() {
      for (let lane = ring[first]; lane !== undefined; lane = ring[first]) {
        first++;
        if (first > 1000 && first * 2 > ring.length) {
          ring = ring.slice(first);
          first = 0;
        }
        if (!groups.begin(lane)) continue;
        lane.waiting = false;
        lane.busy = true;
        return lane;
      }
      return undefined;
    },
    release(lane) {
      lane.busy = false;
      ring.push(...groups.end(lane));
      queue(lane);
      forgetIdle(lane);
    },
    room,
    openPage(shard, lane) {
      if (lane !== undefined) lane.readAgain = false;
      return (lane?.known ?? knownOf(shard)).openPage(lane?.name);
    },
    setBehind(shard, isBehind) {
      knownOf(shard).isBehind = isBehind;
    },
    fill(lane, tasks, page, complete) {
      const most = page.isStale ? 0 : room();
      if (isDropped(lane)) return;
      const isNew = (task: PendingTask): boolean => !lane.known.has(task.id) && page.isCurrent(task);
      const fresh = tasks.filter((task) => task.shard === lane.shard && isNew(task));
      for (const task of fresh.slice(0, most)) hold(lane, task);
      lane.more = lane.readAgain || fresh.length > most || !complete;
    },
    settled(lane, task) {
      lane.inMemory--;
      if (lane.known.end(task) && !isDropped(lane)) inMemory--;
      if (lane.outdated.delete(task.id) && !isDropped(lane)) readMore(lane);
      forgetIdle(lane);
    },
    drop(shard) {
      inMemory -= shards.get(shard)?.size ?? 0;
      shards.delete(shard);
      for (const [key, lane] of lanes)
        if (lane.shard === shard) {
          lane.window.length = 0;
          lane.more = false;
          lanes.delete(key);
        }
    },
    full: () => lanes.size >= limits.lanes,
    size: () => ({ lanes: lanes.size, inMemory }),
  };
}
