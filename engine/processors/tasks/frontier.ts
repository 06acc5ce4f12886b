import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.js';
import type { DocumentStore, Scalar, StoredDocument } from '../../ports/documents.js';
import { followClockSteps } from './clockSteps.js';
import type { Lanes } from './lanes.js';
import type { PageRead } from './taskCache.js';
import { storedDue } from './taskDocuments.js';

/** Rows of the first page of a read, since often one timer is due. Each full page is followed by one of double size. */
const FIRST_PAGE = 8;
const PAGE = 500;
const TROUBLE_MS = 1000;

export interface Frontier {
  /** Starts bringing forward tasks that a fast clock postponed. `isEmpty`: no task is stored yet. */
  follow(isEmpty: boolean): void;
  /** Adds a stored task that is due later, or for which there was no room. */
  expect(dueAt: number): void;
  /** Continues a blocked read once there is room. */
  resume(): void;
  /** Reads due tasks: all of them at the start, later when the earliest timer is due. */
  poll(): void;
  /**
   * Reads again from `from` (ms since 1970), for stored tasks that have become due since then without its knowledge.
   */
  pollFrom(from: number): void;
  /** Due time up to which all tasks are known to their lanes, ms since 1970; 0 before the first task. */
  readUpTo(): number;
  /** Due time of the earliest known timer, ms since 1970. */
  nextDueAt(): number | undefined;
  /** Stops reading. Resolves when no read is running. */
  stop(): Promise<void>;
}

interface Parts {
  readonly work: Pick<DocumentStore, 'find' | 'replace'>;
  readonly collection: string;
  /** Shard whose tasks are read. Absent: all tasks. */
  readonly shard?: number | undefined;
  readonly clock: Clock;
  readonly lanes: Lanes;
  /** Called when tasks were offered to the lanes. */
  found(): void;
  /** Called when there is no room for the next task. Call `resume` when there may be room. */
  blocked?(): void;
  trouble(error: unknown, againInMs: number): void;
}

/**
 * Reads tasks once each in the order of their due time. Tasks up to the frontier are known to their lanes. So a timer
 * costs one indexed read, and at a restart the pending tasks are scanned once, page by page.
 */
export function createFrontier(parts: Parts): Frontier {
  const { work, collection, shard, clock, lanes, found, trouble } = parts;
  const where = shard === undefined ? {} : { where: { shard } };
  let place: readonly [number, string] | undefined;
  /** Earliest due time of tasks that were stored during the read of a page, which may lack them. */
  let missed = Number.POSITIVE_INFINITY;
  let blocked = false;
  let again = false;
  let stopped = false;
  let reading: Promise<void> | undefined;
  let wakeAt = Number.POSITIVE_INFINITY;
  let cancel: () => void = () => undefined;

  function arm(time: number): void {
    if (time >= wakeAt || stopped) return;
    cancel();
    wakeAt = time;
    cancel = clock.at(time, () => {
      wakeAt = Number.POSITIVE_INFINITY;
      poll();
    });
  }

  function block(): void {
    blocked = true;
    if (!stopped) lanes.setBehind(shard, true);
    parts.blocked?.();
  }

  /** Offers due rows to the lanes. False if all due rows have been offered, or there is no room. */
  function offer(rows: readonly StoredDocument[], page: PageRead, limit: number): boolean {
    const now = clock.now();
    for (const row of rows) {
      const dueAt = row.keys.dueAt as number;
      if (dueAt > now) {
        arm(dueAt);
        return false;
      }
      if (!lanes.offer(storedDue(row), page)) {
        block();
        return false;
      }
      place = [dueAt, row.id];
    }
    return rows.length === limit;
  }

  /** Reads the next page and offers its rows. False if all due rows have been offered, or there is no room. */
  async function readPage(limit: number): Promise<boolean> {
    const page = lanes.openPage(shard);
    missed = Number.POSITIVE_INFINITY;
    const after: readonly Scalar[] | undefined = place;
    try {
      const rows = await work.find(collection, { ...where, sort: ['dueAt'], limit, ...(after ? { after } : {}) });
      const more = offer(rows, page, limit);
      if (goBackTo(missed)) again = true;
      return more;
    } finally {
      page.close();
    }
  }

  async function readOn(): Promise<void> {
    let more = true;
    for (let limit = FIRST_PAGE; (more || again) && !stopped; limit = Math.min(limit * 2, PAGE)) {
      again = false;
      blocked = false;
      if (lanes.full()) return block();
      more = await readPage(limit);
      found();
      // An embedded engine responds without a turn of the event loop. The turn lets found tasks begin before the
      // scan ends.
      if (more) await turn();
    }
    if (!blocked && !stopped) lanes.setBehind(shard, false);
  }

  function poll(): void {
    again = true;
    if (stopped) return;
    if (place === undefined) lanes.setBehind(shard, true);
    if (reading !== undefined) return;
    reading = readOn()
      .catch((error: unknown) => {
        trouble(error, TROUBLE_MS);
        arm(clock.now() + TROUBLE_MS);
      })
      .finally(() => {
        reading = undefined;
        if (again && !blocked) poll();
      });
  }

  /** Moves back to read tasks due at this time again. False if reading has not passed it. */
  function goBackTo(dueAt: number): boolean {
    if (place === undefined || dueAt > place[0]) return false;
    place = [dueAt - 1, ''];
    return true;
  }

  /**
   * Moves back to this due time, also for a page that is being read, since that may lack the task and end beyond it.
   */
  function expectFrom(dueAt: number): void {
    missed = Math.min(missed, dueAt);
    goBackTo(dueAt);
  }

  function pollFrom(from: number): void {
    expectFrom(from);
    poll();
  }
  let following: (() => void) | undefined;

  return {
    follow(isEmpty) {
      following ??= followClockSteps({ ...{ work, collection, shard, clock, isEmpty, trouble }, brought: pollFrom });
    },
    expect(dueAt) {
      expectFrom(dueAt);
      if (dueAt > clock.now()) arm(dueAt);
      else block();
    },
    resume() {
      if (blocked && !lanes.full()) poll();
    },
    poll,
    pollFrom,
    readUpTo: () => place?.[0] ?? 0,
    nextDueAt: () => (Number.isFinite(wakeAt) ? wakeAt : undefined),
    async stop() {
      stopped = true;
      cancel();
      following?.();
      await reading;
    },
  };
}
