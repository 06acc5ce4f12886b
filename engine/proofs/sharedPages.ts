/** A log of which two who follow it read the same part one after the other: what one has read, the other takes from memory. */
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import type { StoredEvent, StoredLog, StoredPage } from '../ports/storedLog.js';

/** Of events that were read once, data and metadata: more than that is read twice. */
const MOST_BYTES = 8 * 1024 * 1024;
/** What an event takes beside them. */
const AROUND_ONE = 400;

const sizeOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { data, meta }) => sum + data.length + meta.length + AROUND_ONE, 0);

/** `readAfter` is asked for each part by both of them, in the order of the log; whoever comes second ends its memory. */
export function sharedPages(log: StoredLog): StoredLog {
  const kept = new Map<Position, StoredPage & { readonly bytes: number }>();
  let bytes = 0;
  /** As far as it was read by either. */
  let front: Position = BEFORE_ALL;

  function taken(after: Position): StoredPage | undefined {
    const page = kept.get(after);
    if (page === undefined) return undefined;
    kept.delete(after);
    bytes -= page.bytes;
    return page;
  }

  function keep(after: Position, page: StoredPage): void {
    // What begins elsewhere than the pages that are kept goes past them: they are of no more use.
    for (const begins of [...kept.keys()]) if (begins >= after && begins < page.through) taken(begins);
    const isFirst = page.through > front;
    front = Math.max(front, page.through);
    const own = sizeOf(page.events);
    // The oldest stay, since the second begins with them.
    if (!isFirst || bytes + own > MOST_BYTES) return;
    kept.set(after, { ...page, bytes: own });
    bytes += own;
  }

  return {
    ...(log.gaps && { gaps: (most: number) => log.gaps!(most) }),
    readStream: (stream, from, limit) => log.readStream(stream, from, limit),
    head: () => log.head(),
    close: () => log.close(),
    async readAfter(after, limit) {
      const events: StoredEvent[] = [];
      let through = after;
      for (let page = taken(after); page !== undefined; page = events.length < limit ? taken(through) : undefined) {
        for (const event of page.events) events.push(event);
        through = page.through;
      }
      // The log may have grown since it was read.
      if (through > after) return { events, through, end: through >= (await log.head()) };
      const page = await log.readAfter(after, limit);
      keep(after, page);
      return page;
    },
  };
}
