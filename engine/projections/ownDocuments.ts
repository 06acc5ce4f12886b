/** Own documents of streams as they were before each event, for handlers that read their stream's own document. */
import type { DomainEvent } from '../../domain/decider.js';
import type { EventStore, Position, RecordedEvent } from '../ports/eventStore.js';
import { evolved, FoldFailed, touchedIds } from './handlerCalls.js';
import type { Incoming } from './page.js';
import { type Handler, seen, type View } from './projection.js';

type OwnView = View<unknown> | undefined;

/** A stored document, and the position of the last event in it. */
interface Stored {
  readonly view: OwnView;
  readonly revision: Position;
}

const PAGE = 500;

export class OwnDocuments {
  readonly #eventStore: Pick<EventStore, 'readStream'>;
  readonly #handlers: ReadonlyMap<string, Handler<unknown, DomainEvent>>;
  readonly #skipped: ReadonlySet<string>;
  #views = new Map<string, OwnView>();
  /** Streams with an earlier event that could not be folded again. */
  #failed = new Map<string, FoldFailed>();

  /** `skipped`: ids of skipped events. */
  constructor(
    eventStore: Pick<EventStore, 'readStream'>,
    handlers: ReadonlyMap<string, Handler<unknown, DomainEvent>>,
    skipped: ReadonlySet<string>,
  ) {
    this.#eventStore = eventStore;
    this.#handlers = handlers;
    this.#skipped = skipped;
  }

  /**
   * Loads the documents as they were before the first of these events of each stream. A stored document that is ahead
   * of that event is folded again from its stream, because a previous owner wrote it without the checkpoint. The input
   * of a handler therefore never depends on the time of a write.
   */
  async begin(events: readonly Incoming[], stored: (streamId: string) => Stored): Promise<void> {
    this.#views = new Map();
    this.#failed = new Map();
    for (const { event, position } of events) {
      const { stream, streamId, revision } = event;
      if (this.#views.has(streamId)) continue;
      const own = stored(streamId);
      try {
        this.#views.set(streamId, own.revision < position ? own.view : await this.#folded(stream, revision));
      } catch (error) {
        if (!(error instanceof FoldFailed)) throw error;
        this.#failed.set(streamId, error);
        this.#views.set(streamId, undefined);
      }
    }
  }

  /** Returns the document of the event's stream before the event. Throws FoldFailed if it is unknown. */
  before({ event }: Incoming): OwnView {
    const failed = this.#failed.get(event.streamId);
    if (failed !== undefined) throw failed;
    return this.#views.get(event.streamId);
  }

  /** Folds an event that touches the documents `ids`. Throws FoldFailed. */
  passed({ event }: Incoming, ids: readonly string[]): void {
    const { streamId } = event;
    if (!ids.includes(streamId)) return;
    const own = this.#views.get(streamId);
    const handler = this.#handlers.get(event.type)!;
    this.#views.set(streamId, evolved(handler, own, event, streamId, handler.own ? own : undefined));
  }

  /** Returns the stream's own document before the event of this revision. */
  async #folded(stream: string, before: number): Promise<OwnView> {
    const streamId = stream.slice(stream.indexOf('-') + 1);
    let own: OwnView;
    for (let from = 0; from < before; from += PAGE) {
      const page = await this.#eventStore.readStream(stream, { from, limit: Math.min(PAGE, before - from) });
      for (const event of page) own = this.#folding(own, event, streamId);
      if (page.length === 0) break;
    }
    return own;
  }

  #folding(own: OwnView, recorded: RecordedEvent, streamId: string): OwnView {
    const handler = this.#handlers.get(recorded.type);
    if (handler === undefined || this.#skipped.has(recorded.id)) return own;
    const event = seen(recorded);
    const shown = handler.own ? own : undefined;
    const ids = touchedIds(handler, event, shown);
    return ids.includes(streamId) ? evolved(handler, own, event, streamId, shown) : own;
  }
}
