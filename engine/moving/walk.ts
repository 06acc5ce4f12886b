import type { EventStore, Position, RecordedEvent } from '../ports/eventStore.js';

export type Log = Pick<EventStore, 'readAll'>;

/** Events of one page; enough that a page costs little beside its events. */
const PAGE = 1_000;

/** The whole log behind a position, page by page, to its end. */
export async function* pagesOf(log: Log, after: Position): AsyncGenerator<readonly RecordedEvent[]> {
  for (let through = after; ; ) {
    const page = await log.readAll(through, { limit: PAGE });
    through = page.through;
    if (page.events.length > 0) yield page.events;
    if (page.end) return;
  }
}

/** One event after the other; undefined at the end. */
export class Walk {
  readonly #pages: AsyncGenerator<readonly RecordedEvent[]>;
  #page: readonly RecordedEvent[] = [];
  #next = 0;

  constructor(log: Log, after: Position) {
    this.#pages = pagesOf(log, after);
  }

  async next(): Promise<RecordedEvent | undefined> {
    if (this.#next === this.#page.length) {
      const { value, done } = await this.#pages.next();
      if (done === true) return undefined;
      this.#page = value;
      this.#next = 0;
    }
    return this.#page[this.#next++];
  }
}
