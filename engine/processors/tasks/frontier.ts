import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.js';
import type { DocumentStore, Scalar, StoredDocument } from '../../ports/documents.js';
import { followClockSteps } from './clockSteps.js';
import type { PageRead } from './knownTasks.js';
import type { Lanes } from './lanes.js';
import { storedDue } from './taskDocuments.js';

/** Rows of the first page of a look, since often one timer has come; each full page is followed by one of twice as many. */
const FIRST_PAGE = 8;
const PAGE = 500;
const TROUBLE_MS = 1000;

export interface Frontier {
  /** From now on, what was put off by a clock that was ahead is brought forward. `isEmpty`: no task is stored yet. */
  follow(isEmpty: boolean): void;
  /** A stored task that is due later, or for which there was no room. */
  expect(dueAt: number): void;
  /** Goes on where room was lacking, once there is some. */
  resume(): void;
  /** Reads what has become due: at the start everything, later when the earliest timer has come. */
  look(): void;
  /** The same where stored tasks have become due since `from` (ms since 1970) that were not known to. */
  lookFrom(from: number): void;
  /** Due time up to which all tasks are known to their lanes, ms since 1970; 0 before the first is. */
  readUpTo(): number;
  /** When the earliest known timer is due, ms since 1970. */
  nextDueAt(): number | undefined;
  /** Ends reading; resolves when none is running. */
  stop(): Promise<void>;
}

interface Parts {
  readonly work: Pick<DocumentStore, 'find' | 'replace'>;
  readonly collection: string;
  /** Reads the tasks of this shard only. */
  readonly shard?: number | undefined;
  readonly clock: Clock;
  readonly lanes: Lanes;
  /** Something was offered to the lanes. */
  found(): void;
  /** There is no room for what comes next: `resume` is to be called when there may be some. */
  blocked?(): void;
  trouble(error: unknown, againInMs: number): void;
}

/**
 * Reads tasks in the order of their due time, each once: those up to the frontier are known to their lanes. So the cost
 * of a timer is one indexed read, and at a restart the owed tasks are passed over once, a page at a time.
 */
export function createFrontier(parts: Parts): Frontier {
  const { work, collection, shard, clock, lanes, found, trouble } = parts;
  const where = shard === undefined ? {} : { where: { shard } };
  let place: readonly [number, string] | undefined;
  /** Least due time of the tasks that were stored while a page was on its way, which may lack them. */
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
      look();
    });
  }

  function block(): void {
    blocked = true;
    parts.blocked?.();
  }

  /** False: everything that is due has been offered, or there is no room. */
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

  /** Reads the next page and offers its rows. False: everything that is due has been offered, or there is no room. */
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
      // An engine in this process answers without a turn: what was found is begun before all that is owed has been passed over.
      if (more) await turn();
    }
  }

  function look(): void {
    again = true;
    if (reading !== undefined || stopped) return;
    reading = readOn()
      .catch((error: unknown) => {
        trouble(error, TROUBLE_MS);
        arm(clock.now() + TROUBLE_MS);
      })
      .finally(() => {
        reading = undefined;
        if (again && !blocked) look();
      });
  }

  /** What is due at this time is read again, where reading has come beyond it; false where it has not. */
  function goBackTo(dueAt: number): boolean {
    if (place === undefined || dueAt > place[0]) return false;
    place = [dueAt - 1, ''];
    return true;
  }

  /** The page on its way may lack what is due at this time, and lead beyond it. */
  function expectFrom(dueAt: number): void {
    missed = Math.min(missed, dueAt);
    goBackTo(dueAt);
  }

  function lookFrom(from: number): void {
    expectFrom(from);
    look();
  }
  let following: (() => void) | undefined;

  return {
    follow(isEmpty) {
      following ??= followClockSteps({ ...{ work, collection, shard, clock, isEmpty, trouble }, brought: lookFrom });
    },
    expect(dueAt) {
      expectFrom(dueAt);
      if (dueAt > clock.now()) arm(dueAt);
      else block();
    },
    resume() {
      if (blocked && !lanes.full()) look();
    },
    look,
    lookFrom,
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
