/** Folds the events of a few streams into the documents that come from them alone. */
import type { StoredDocument } from '../../ports/documents.js';
import { type EventStore, type Position, type RecordedEvent, streamName } from '../../ports/eventStore.js';
import { evolved, touchedIds } from '../handlerCalls.js';
import { type AnyProjection, handlersOf, seen, type View } from '../projection.js';

/** Maximum number of folded events per stream. */
export const MOST_EVENTS = 300;

/** Streams with the same id, one of each category at most. */
export interface SourceStreams {
  /** In the order of the log. */
  readonly events: readonly RecordedEvent[];
  /** Position up to which no event is missing; absent: the streams were read to their ends. */
  readonly cutAt?: Position;
}

/** Reads streams once, however many read models come from them. */
export class StreamReads {
  readonly #eventStore: Pick<EventStore, 'readStream'>;
  readonly #known = new Map<string, Promise<RecordedEvent[]>>();
  /** Number of events that were read. */
  count = 0;

  constructor(eventStore: Pick<EventStore, 'readStream'>) {
    this.#eventStore = eventStore;
  }

  async sources(categories: readonly string[], id: string): Promise<SourceStreams> {
    const streams = await Promise.all(categories.map((category) => this.#read(streamName(category, id))));
    const cuts = streams.filter(({ length }) => length === MOST_EVENTS).map((events) => events.at(-1)!.position);
    const events = streams.length === 1 ? streams[0]! : streams.flat().sort((a, b) => a.position - b.position);
    return { events, ...(cuts.length > 0 && { cutAt: Math.min(...cuts) }) };
  }

  #read(stream: string): Promise<RecordedEvent[]> {
    let events = this.#known.get(stream);
    if (events === undefined) {
      events = this.#eventStore.readStream(stream, { limit: MOST_EVENTS });
      // The caller that awaits the promise handles its rejection.
      events.then(
        ({ length }) => {
          this.count += length;
        },
        () => undefined,
      );
      this.#known.set(stream, events);
    }
    return events;
  }
}

interface Folded {
  readonly view: View<unknown> | undefined;
  readonly revision: Position;
}

/**
 * Folds events up to a position. Returns each document that they touch; undefined if they remove it or never create it.
 */
export function foldUpTo(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  skipped: ReadonlySet<string>,
  end: Position,
): Map<string, StoredDocument | undefined> {
  const handlers = handlersOf(projection);
  const views = new Map<string, Folded>();
  for (const recorded of events) {
    if (recorded.position > end) break;
    const handler = handlers.get(recorded.type);
    if (handler === undefined || skipped.has(recorded.id)) continue;
    const event = seen(recorded);
    const own = handler.own ? views.get(event.streamId)?.view : undefined;
    for (const id of touchedIds(handler, event, own)) {
      const before = views.get(id)?.view;
      const view = evolved(handler, before, event, id, own);
      if (!views.has(id) || view !== before) views.set(id, { view, revision: recorded.position });
    }
  }
  return new Map([...views].map(([id, { view, revision }]) => [id, view && asStored(id, view, revision)]));
}

const asStored = (id: string, { keys, body }: View<unknown>, revision: Position): StoredDocument => ({
  ...{ id, keys, revision, body },
  json: JSON.stringify(body),
});
