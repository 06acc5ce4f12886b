import type { EventStore, Position, RecordedEvent } from '../ports/eventStore.js';

export type Log = Pick<EventStore, 'readAll'>;

/** Events of one page. Large enough that the cost of a page is small compared with its events. */
const PAGE = 1_000;

/** Yields the events after a position, page by page, to the end of the log. */
export async function* pagesOf(log: Log, after: Position): AsyncGenerator<readonly RecordedEvent[]> {
  for (let through = after; ; ) {
    const page = await log.readAll(through, { limit: PAGE });
    through = page.through;
    if (page.events.length > 0) yield page.events;
    if (page.end) return;
  }
}

/** An event as it is stored, and as it is compared with an event of another log. */
export interface ComparedEvent {
  readonly stored: RecordedEvent;
  readonly shown: RecordedEvent;
}

/** Converts events to the form in which two logs are compared. */
export type Show = (events: readonly RecordedEvent[]) => readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>;

/** Reads a log one event at a time. Returns undefined at the end. */
export class Walk {
  readonly #pages: AsyncGenerator<readonly RecordedEvent[]>;
  readonly #show: Show;
  #page: readonly RecordedEvent[] = [];
  #shown: readonly RecordedEvent[] = [];
  #next = 0;

  constructor(log: Log, after: Position, show: Show = (events) => events) {
    this.#pages = pagesOf(log, after);
    this.#show = show;
  }

  async next(): Promise<ComparedEvent | undefined> {
    if (this.#next === this.#page.length) {
      const { value, done } = await this.#pages.next();
      if (done === true) return undefined;
      this.#page = value;
      this.#shown = await this.#show(value);
      this.#next = 0;
    }
    const at = this.#next++;
    return { stored: this.#page[at]!, shown: this.#shown[at]! };
  }
}
