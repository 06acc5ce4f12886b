import {
  BEFORE_ALL,
  type EventFilter,
  type EventMark,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../engine/ports/eventStore.js';
import { CallDeadline, tried } from './callDeadline.js';
import { keyOf } from './filters.js';
import type { LogFeed } from './logFeed.js';

type AllOptions = Parameters<EventStore['readAll']>[1];

export interface AllPage<E = RecordedEvent> {
  readonly events: E[];
  readonly through: Position;
  readonly end: boolean;
  readonly last?: EventMark | undefined;
}

type Placed = { readonly position: Position };

const DEFAULT_PAGE = 1_000;
/** Checkpoints (2,000 events each) after which a page that has found little is answered. */
const MOST_CHECKPOINTS = 5;
/** Feeds that stay open for the next page, and for how long. */
const MOST_KEPT = 4;
const KEPT_MS = 2_000;

interface Source<E extends Placed> {
  head(): Promise<Position>;
  feed(after: Position, filter: EventFilter): Promise<LogFeed<E>>;
  readonly timeoutMs: number;
}

/** A feed with the head of the log when it was opened. */
interface Scan<E extends Placed> {
  readonly feed: LogFeed<E>;
  readonly goal: Position;
}

/**
 * Pages of the whole log. Each page leaves a feed that continues where the page ends, so that reading page after page is as fast as a
 * subscription.
 */
export class LogScan<E extends Placed = RecordedEvent> {
  readonly #source: Source<E>;
  readonly #retained = new Map<string, Scan<E> & { readonly timer: NodeJS.Timeout }>();
  #closed = false;

  constructor(source: Source<E>) {
    this.#source = source;
  }

  async page(after: Position, { filter = {}, limit = DEFAULT_PAGE }: AllOptions = {}): Promise<AllPage<E>> {
    const deadline = new CallDeadline(this.#source.timeoutMs);
    return tried('the log could not be read', deadline, async () => {
      const scan = this.#resumed(after, filter) ?? (await this.#started(after, filter));
      if (scan === undefined) return { events: [], through: after, end: true };
      try {
        const page = await filled(scan, limit);
        const through = Math.max(after, page.through);
        if (page.end || this.#closed) scan.feed.close();
        else this.#retain(scan, through, filter);
        return { events: page.events, through, end: page.end };
      } catch (error) {
        scan.feed.close();
        throw error;
      }
    });
  }

  close(): void {
    this.#closed = true;
    for (const key of [...this.#retained.keys()]) this.#drop(key);
  }

  /** Undefined: there is nothing behind `after`. */
  async #started(after: Position, filter: EventFilter): Promise<Scan<E> | undefined> {
    const goal = await this.#source.head();
    if (goal === BEFORE_ALL || goal <= after) return undefined;
    return { feed: await this.#source.feed(after, filter), goal };
  }

  #resumed(after: Position, filter: EventFilter): Scan<E> | undefined {
    const key = `${after} ${keyOf(filter)}`;
    const retained = this.#retained.get(key);
    if (retained === undefined) return undefined;
    clearTimeout(retained.timer);
    this.#retained.delete(key);
    return retained;
  }

  #retain(scan: Scan<E>, at: Position, filter: EventFilter): void {
    const key = `${at} ${keyOf(filter)}`;
    this.#drop(key);
    if (this.#retained.size >= MOST_KEPT) this.#drop(this.#retained.keys().next().value!);
    const timer = setTimeout(() => this.#drop(key), KEPT_MS);
    this.#retained.set(key, { ...scan, timer });
  }

  #drop(key: string): void {
    const retained = this.#retained.get(key);
    if (retained === undefined) return;
    this.#retained.delete(key);
    clearTimeout(retained.timer);
    retained.feed.close();
  }
}

async function filled<E extends Placed>({ feed, goal }: Scan<E>, limit: number): Promise<AllPage<E>> {
  const enough = feed.checkpoints + MOST_CHECKPOINTS;
  while (feed.waiting < limit && !feed.caughtUp && feed.checkpoints < enough) {
    if (feed.waiting > 0 && feed.isHalted) break;
    await feed.more();
  }
  const caughtUp = feed.caughtUp;
  const { events, through } = feed.take(limit);
  const all = feed.waiting === 0;
  const reached = caughtUp && all ? Math.max(through, goal) : through;
  return { events, through: reached, end: all && reached >= goal };
}
