/** Log that two readers follow one after the other. Pages read by the first are cached for the second. */
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import type { StoredEvent, StoredLog, StoredPage } from '../ports/storedLog.js';

/** Maximum size of cached data and metadata, in bytes. Anything beyond is read twice. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Overhead per event, in bytes. */
const AROUND_ONE = 400;

const sizeOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { data, meta }) => sum + data.length + meta.length + AROUND_ONE, 0);

/** Both readers call `readAfter` for each part, in log order. The second read of a page removes it from the cache. */
export function sharedPages(log: StoredLog): StoredLog {
  const retained = new Map<Position, StoredPage & { readonly bytes: number }>();
  let bytes = 0;
  /** Position that the faster reader has reached. */
  let front: Position = BEFORE_ALL;

  function taken(after: Position): StoredPage | undefined {
    const page = retained.get(after);
    if (page === undefined) return undefined;
    retained.delete(after);
    bytes -= page.bytes;
    return page;
  }

  function store(after: Position, page: StoredPage): void {
    // A read with other page boundaries passes cached pages, which are then of no more use.
    for (const begins of [...retained.keys()]) if (begins >= after && begins < page.through) taken(begins);
    const isFirst = page.through > front;
    front = Math.max(front, page.through);
    const own = sizeOf(page.events);
    // The oldest pages stay cached, because the second reader begins with them.
    if (!isFirst || bytes + own > MOST_BYTES) return;
    retained.set(after, { ...page, bytes: own });
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
      store(after, page);
      return page;
    },
  };
}
