import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.js';
import type { DocumentStore, Query, StoredDocument } from '../../ports/documents.js';
import { followClockSteps } from './clockSteps.js';
import type { Lanes } from './lanes.js';
import type { PageRead } from './taskCache.js';
import { storedDue } from './taskDocuments.js';

/** Rows of the first page of a read, since often one timer is due. Each full page is followed by one of double size. */
const FIRST_PAGE = 8;
const PAGE = 500;
const TROUBLE_MS = 1000;

export interface FrontierParts {
  readonly work: Pick<DocumentStore, 'find' | 'replace'>;
  readonly collection: string;
  /** Shard whose tasks are read. Absent: all tasks. */
  readonly shard?: number | undefined;
  readonly clock: Clock;
  readonly lanes: Pick<Lanes, 'offer' | 'openPage' | 'setBehind' | 'full'>;
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
export class Frontier {
  readonly #parts: FrontierParts;
  readonly #where: Pick<Query, 'where'>;
  /** Due time and id of the last task that was offered to its lane. */
  #place: readonly [number, string] | undefined;
  /** Earliest due time of tasks that were stored during the read of a page, which may lack them. */
  #missed = Number.POSITIVE_INFINITY;
  #isBlocked = false;
  #again = false;
  #isStopped = false;
  #reading: Promise<void> | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;
  #cancelWake: () => void = () => undefined;
  #unfollow: (() => void) | undefined;

  constructor(parts: FrontierParts) {
    const { shard } = parts;
    this.#parts = parts;
    this.#where = shard === undefined ? {} : { where: { shard } };
  }

  /** Starts bringing forward tasks that a fast clock postponed. `isEmpty`: no task is stored yet. */
  follow(isEmpty: boolean): void {
    this.#unfollow ??= followClockSteps({ ...this.#parts, isEmpty, brought: (from) => this.pollFrom(from) });
  }

  /** Adds a stored task that is due later, or for which there was no room. */
  expect(dueAt: number): void {
    this.#expectFrom(dueAt);
    if (dueAt > this.#parts.clock.now()) this.#wakeUp(dueAt);
    else this.#block();
  }

  /** Continues a blocked read once there is room. */
  resume(): void {
    if (this.#isBlocked && !this.#parts.lanes.full()) this.poll();
  }

  /** Reads due tasks: all of them at the start, later when the earliest timer is due. */
  poll(): void {
    this.#again = true;
    if (this.#isStopped) return;
    if (this.#place === undefined) this.#setBehind(true);
    if (this.#reading !== undefined) return;
    this.#reading = this.#readOn()
      .catch((error: unknown) => {
        this.#parts.trouble(error, TROUBLE_MS);
        this.#wakeUp(this.#parts.clock.now() + TROUBLE_MS);
      })
      .finally(() => {
        this.#reading = undefined;
        // Also if it is blocked: there may be room since.
        if (this.#again) this.poll();
      });
  }

  /**
   * Reads again from `from` (ms since 1970), for stored tasks that have become due since then without its knowledge.
   */
  pollFrom(from: number): void {
    this.#expectFrom(from);
    this.poll();
  }

  /** Due time up to which all tasks are known to their lanes, ms since 1970; 0 before the first task. */
  readUpTo(): number {
    return this.#place?.[0] ?? 0;
  }

  /** Due time of the earliest known timer, ms since 1970. */
  nextDueAt(): number | undefined {
    return Number.isFinite(this.#wakeAt) ? this.#wakeAt : undefined;
  }

  /** Stops reading. Resolves when no read is running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelWake();
    this.#unfollow?.();
    await this.#reading;
  }

  /** Reads due pages until all due tasks are with their lanes, or there is no room. */
  async #readOn(): Promise<void> {
    let more = true;
    for (let limit = FIRST_PAGE; (more || this.#again) && !this.#isStopped; limit = Math.min(limit * 2, PAGE)) {
      this.#again = false;
      this.#isBlocked = false;
      if (this.#parts.lanes.full()) return this.#block();
      more = await this.#readPage(limit);
      this.#parts.found();
      // An embedded engine responds without a turn of the event loop. The turn lets found tasks begin before the
      // scan ends.
      if (more) await turn();
    }
    if (!this.#isBlocked && !this.#isStopped) this.#setBehind(false);
  }

  /** Reads the next page and offers its rows. False if all due rows have been offered, or there is no room. */
  async #readPage(limit: number): Promise<boolean> {
    const { work, collection, lanes, shard } = this.#parts;
    const page = lanes.openPage(shard);
    this.#missed = Number.POSITIVE_INFINITY;
    const after = this.#place;
    try {
      const rows = await work.find(collection, { ...this.#where, sort: ['dueAt'], limit, ...(after ? { after } : {}) });
      const more = this.#offer(rows, page, limit);
      if (this.#goBackTo(this.#missed)) this.#again = true;
      return more;
    } finally {
      page.close();
    }
  }

  /** Offers due rows to the lanes. False if all due rows have been offered, or there is no room. */
  #offer(rows: readonly StoredDocument[], page: PageRead, limit: number): boolean {
    const { clock, lanes } = this.#parts;
    const now = clock.now();
    for (const row of rows) {
      const dueAt = row.keys.dueAt as number;
      if (dueAt > now) {
        this.#wakeUp(dueAt);
        return false;
      }
      if (!lanes.offer(storedDue(row), page)) {
        this.#block();
        return false;
      }
      this.#place = [dueAt, row.id];
    }
    return rows.length === limit;
  }

  /** Polls at this time, or at the earlier one that is set. */
  #wakeUp(time: number): void {
    if (time >= this.#wakeAt || this.#isStopped) return;
    this.#cancelWake();
    this.#wakeAt = time;
    this.#cancelWake = this.#parts.clock.at(time, () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.poll();
    });
  }

  #block(): void {
    this.#isBlocked = true;
    if (!this.#isStopped) this.#setBehind(true);
    this.#parts.blocked?.();
  }

  #setBehind(isBehind: boolean): void {
    this.#parts.lanes.setBehind(this.#parts.shard, isBehind);
  }

  /**
   * Moves back to this due time, also for a page that is being read, since that may lack the task and end beyond it.
   */
  #expectFrom(dueAt: number): void {
    this.#missed = Math.min(this.#missed, dueAt);
    this.#goBackTo(dueAt);
  }

  /** Moves back to read tasks due at this time again. False if reading has not passed it. */
  #goBackTo(dueAt: number): boolean {
    if (this.#place === undefined || dueAt > this.#place[0]) return false;
    this.#place = [dueAt - 1, ''];
    return true;
  }
}
