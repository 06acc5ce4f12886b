/** What passed in the log while somebody did not follow it: the newest of it one by one, and how much more there was. */
import { Loads } from '../../engine/loads.js';
import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { answers, type EventQuestion, engineFilter, type Log } from './eventFilter.js';
import { searchEvents } from './eventSearch.js';
import { MOST_LIVE } from './liveBatches.js';

/** Answers to a question that passed and are not told one by one. */
export interface Missed {
  /** How many were counted. */
  readonly count: number;
  /** More than one request goes through passed: there may be others that were not counted. */
  readonly atLeast: boolean;
  /** When the first of them happened, and a moment after the last, as RFC 3339; absent where that is not known. */
  readonly from?: string;
  readonly to?: string;
}

export interface CaughtUp {
  /** The newest, in order. */
  readonly events: readonly RecordedEvent[];
  /** Absent: `events` are all. */
  readonly missed?: Missed;
}

/** Events that are gone through to be counted. */
const MOST_COUNTED = 20_000;
/** Longest counting, in ms. */
const WITHIN_MS = 400;
const PAGE = 500;

const justAfter = (at: string): string => new Date(Date.parse(at) + 1).toISOString();

/** Goes forward from a place, and keeps the newest. */
class Counting {
  readonly kept: RecordedEvent[] = [];
  /** Of those that are not kept. */
  count = 0;
  seen = 0;
  from: string | undefined;
  last: string | undefined;

  take(events: readonly RecordedEvent[], question: EventQuestion, until: Position): void {
    this.seen += events.length;
    for (const event of events) {
      if (event.position > until || !answers(question, event)) continue;
      this.from ??= event.meta.at;
      this.kept.push(event);
      if (this.kept.length <= MOST_LIVE) continue;
      this.last = this.kept.shift()!.meta.at;
      this.count += 1;
    }
  }
}

/** After (exclusive) a place, up to another. Ends after 20,000 events or 400 ms, and says so. */
async function missedSince(log: Log, question: EventQuestion, since: Position, until: Position): Promise<CaughtUp> {
  const end = performance.now() + WITHIN_MS;
  const counting = new Counting();
  let through = since;
  while (through < until) {
    if (counting.seen >= MOST_COUNTED || performance.now() > end)
      return withNewest(log, question, counting, { since, through, until });
    const page = await log.readAll(through, { filter: engineFilter(question), limit: PAGE });
    counting.take(page.events, question, until);
    through = page.through;
    if (page.end) break;
  }
  const { kept, count, from, last } = counting;
  if (count === 0) return { events: kept };
  return { events: kept, missed: { count, atLeast: false, from: from!, to: justAfter(last!) } };
}

/** What was counted, and the newest from the other end. */
async function withNewest(
  log: Log,
  question: EventQuestion,
  { kept, count, from }: Counting,
  { since, through, until }: { readonly since: Position; readonly through: Position; readonly until: Position },
): Promise<CaughtUp> {
  const found = await searchEvents(log, question, { limit: MOST_LIVE, before: until + 1 });
  const events = found.events.filter(({ position }) => position > since).toReversed();
  const told = new Set(events.filter(({ position }) => position <= through).map(({ position }) => position));
  const others = kept.filter(({ position }) => !told.has(position)).length;
  const first = events[0]?.meta.at;
  return {
    events,
    missed: {
      ...{ count: count + others, atLeast: true },
      ...(from !== undefined && { from }),
      ...(first !== undefined && { to: justAfter(first) }),
    },
  };
}

/** The same for all who ask the same at once, such as the tabs that come again after a restart. */
export function catchingUp(
  log: Log,
): (question: EventQuestion, since: Position) => Promise<CaughtUp & { until: Position }> {
  const loads = new Loads<CaughtUp & { until: Position }>();
  return (question, since) =>
    loads.join(`${since} ${JSON.stringify(question)}`, async () => {
      const until = await log.head();
      return { ...(await missedSince(log, question, since, until)), until };
    });
}
