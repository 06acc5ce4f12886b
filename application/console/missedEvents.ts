/** Events that a reader missed: the newest ones, and the number of the others. */
import { Loads } from '../../engine/loads.js';
import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { answers, type EventQuestion, engineFilter, type Log } from './eventFilter.js';
import { searchEvents } from './eventSearch.js';
import { MOST_LIVE } from './liveBatches.js';

/** Matching events that were missed and are not listed. */
export interface Missed {
  /** Number of counted events. */
  readonly count: number;
  /** True if the scan reached its limit, so there may be more. */
  readonly atLeast: boolean;
  /** Time of the first of them, RFC 3339. `to`: just after the last. Absent if unknown. */
  readonly from?: string;
  readonly to?: string;
}

export interface CaughtUp {
  /** The newest events, in order. */
  readonly events: readonly RecordedEvent[];
  /** Absent: `events` are all. */
  readonly missed?: Missed;
}

/** Maximum events that are scanned for counting. */
const MOST_COUNTED = 20_000;
/** Maximum time of counting, in ms. */
const WITHIN_MS = 400;
const PAGE = 500;

const justAfter = (at: string): string => new Date(Date.parse(at) + 1).toISOString();

/** Scans forward from a position, and retains the newest matches. */
class Counting {
  readonly retained: RecordedEvent[] = [];
  /** Number of matches that are not retained. */
  count = 0;
  seen = 0;
  from: string | undefined;
  last: string | undefined;

  take(events: readonly RecordedEvent[], question: EventQuestion, until: Position): void {
    this.seen += events.length;
    for (const event of events) {
      if (event.position > until || !answers(question, event)) continue;
      this.from ??= event.meta.at;
      this.retained.push(event);
      if (this.retained.length <= MOST_LIVE) continue;
      this.last = this.retained.shift()!.meta.at;
      this.count += 1;
    }
  }
}

/** Returns events after (exclusive) a position, up to another. Ends after 20,000 events or 400 ms, which it reports. */
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
  const { retained, count, from, last } = counting;
  if (count === 0) return { events: retained };
  return { events: retained, missed: { count, atLeast: false, from: from!, to: justAfter(last!) } };
}

/** Combines the count with the newest events, found backwards from the end. */
async function withNewest(
  log: Log,
  question: EventQuestion,
  { retained, count, from }: Counting,
  { since, through, until }: { readonly since: Position; readonly through: Position; readonly until: Position },
): Promise<CaughtUp> {
  const found = await searchEvents(log, question, { limit: MOST_LIVE, before: until + 1 });
  const events = found.events.filter(({ position }) => position > since).toReversed();
  const reported = new Set(events.filter(({ position }) => position <= through).map(({ position }) => position));
  const others = retained.filter(({ position }) => !reported.has(position)).length;
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

/** Shares the result between equal concurrent queries, such as those of tabs that reconnect after a restart. */
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
