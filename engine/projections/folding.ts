import type { DomainEvent } from '../../domain/decider.js';
import { messageOf } from '../messageOf.js';
import type { DocumentRefused, Documents } from '../ports/documents.js';
import type { EventFilter, EventStore, Position } from '../ports/eventStore.js';
import { evolved, FoldFailed, touchedIds } from './handlerCalls.js';
import { OwnDocuments } from './ownDocuments.js';
import { covers, type Incoming, type Page } from './page.js';
import { type AnyProjection, type Handler, handlersOf, type View } from './projection.js';
import { type Entry, ViewCache } from './viewCache.js';

/** Place and reason of a stop. `eventId`, `type` and `stream` are absent if no event caused it. */
export interface Poison {
  readonly position: Position;
  readonly eventId?: string;
  readonly type?: string;
  readonly stream?: string;
  readonly error: string;
}

/** Describes a stop at an event that the projection cannot fold, or whose documents the engine refuses. */
export const poisonAt = ({ event, position }: Incoming, error: FoldFailed | DocumentRefused): Poison => ({
  position,
  eventId: event.id,
  type: event.type,
  stream: event.stream,
  error: messageOf(error),
});

/** Stops by shard. A projection that is not partitioned has the key `undefined`. */
export type Stops = ReadonlyMap<number | undefined, Poison>;
const NO_STOPS: Stops = new Map();

interface Handled {
  readonly incoming: Incoming;
  readonly handler: Handler<unknown, DomainEvent>;
}

interface Step extends Handled {
  readonly ids: readonly string[];
  readonly own: View<unknown> | undefined;
}

/** Events of a page that have a handler. The documents that they touch are loaded. */
export interface Prepared {
  readonly steps: readonly Step[];
  /** Stops of handlers that threw already. The steps of a stopped shard end before its event. */
  readonly stops: Stops;
}

interface Parts {
  readonly readModels: Pick<Documents, 'getMany'>;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly projection: AnyProjection;
  /** The build's collection. */
  readonly physical: string;
  /** Nothing is stored yet. */
  readonly empty: boolean;
  /** Other owners may have written before. */
  readonly shared: boolean;
  /** Ids of skipped events; may grow while it runs. */
  readonly skipped: ReadonlySet<string>;
  /** True for an event that is to be folded. Default: every event. */
  readonly accepts?: (one: Incoming) => boolean;
}

/** Folds events into the views that they touch, in memory. Each view is loaded when it is first needed. */
export class Folding {
  readonly views: ViewCache;
  readonly #physical: string;
  readonly #readModels: Parts['readModels'];
  readonly #needs: Required<EventFilter>;
  readonly #handlers: ReturnType<typeof handlersOf>;
  /** Present if a handler reads its stream's own document. */
  readonly #own: OwnDocuments | undefined;
  readonly #skipped: ReadonlySet<string>;
  readonly #accepts: Parts['accepts'];

  constructor({ readModels, eventStore, projection, physical, empty, shared, skipped, accepts }: Parts) {
    this.#accepts = accepts;
    this.views = new ViewCache(empty, shared);
    this.#physical = physical;
    this.#readModels = readModels;
    this.#handlers = handlersOf(projection);
    this.#needs = { categories: projection.categories, types: [...this.#handlers.keys()] };
    this.#skipped = skipped;
    this.#own = [...this.#handlers.values()].some(({ own }) => own)
      ? new OwnDocuments(eventStore, this.#handlers, skipped)
      : undefined;
  }

  /**
   * Throws for a page that was read for other projections: it may lack events, and a checkpoint would then pass them.
   */
  assertCovered(page: Page, after: Position): void {
    if (!covers(page, after, this.#needs)) throw new Error(`a page was not read for '${this.#physical}' at ${after}`);
  }

  /** Loads the documents that the events after `after` touch, up to the first event whose handler throws. */
  async prepare(events: readonly Incoming[], after: Position): Promise<Prepared> {
    const handled = this.#handled(events, after);
    await this.#loadOwn(handled);
    const prepared = this.#steps(handled);
    await this.#load(prepared.steps);
    return prepared;
  }

  /** Folds prepared steps up to the first event whose handler throws, per shard. Returns the stops. */
  apply({ steps, stops }: Prepared): Stops {
    let all = stops;
    for (const step of steps) {
      const { shard } = step.incoming;
      // Prepared steps end before a stop of the preparation. A stop found here is at an earlier event.
      if (all !== stops && all.has(shard) && all.get(shard) !== stops.get(shard)) continue;
      const earlier = this.#apply(step);
      if (earlier !== undefined) all = new Map([...all, [shard, earlier]]);
      if (earlier !== undefined && shard === undefined) return all;
    }
    return all;
  }

  /** Returns the events after `after` that are to be folded, each with its handler. */
  #handled(events: readonly Incoming[], after: Position): Handled[] {
    const handled: Handled[] = [];
    // A lookup in an empty set would still hash each id.
    const skips = this.#skipped.size > 0;
    for (const incoming of events) {
      if (incoming.position <= after || this.#accepts?.(incoming) === false) continue;
      const handler = this.#handlers.get(incoming.event.type);
      if (handler !== undefined && !(skips && this.#skipped.has(incoming.event.id)))
        handled.push({ incoming, handler });
    }
    return handled;
  }

  async #loadOwn(handled: readonly Handled[]): Promise<void> {
    if (this.#own === undefined || handled.length === 0) return;
    const events = handled.map(({ incoming }) => incoming);
    const missing = new Set<string>();
    for (const { event } of events) this.#use([event.streamId], missing);
    await this.#loadAll(missing);
    await this.#own.begin(events, (streamId) => this.views.get(streamId));
  }

  /** Finds the documents that each event touches, up to the first event whose handler throws. */
  #steps(handled: readonly Handled[]): Prepared {
    const steps: Step[] = [];
    let stops = NO_STOPS;
    for (const { incoming, handler } of handled) {
      if (stops.has(incoming.shard)) continue;
      try {
        const own = handler.own ? this.#own?.before(incoming) : undefined;
        const ids = touchedIds(handler, incoming.event, own);
        this.#own?.passed(incoming, ids);
        steps.push({ incoming, handler, ids, own });
      } catch (error) {
        if (!(error instanceof FoldFailed)) throw error;
        stops = new Map([...stops, [incoming.shard, poisonAt(incoming, error)]]);
        if (incoming.shard === undefined) break;
      }
    }
    return { steps, stops };
  }

  async #load(steps: readonly Step[]): Promise<void> {
    const missing = new Set<string>();
    for (const { ids, handler, incoming } of steps) {
      // A stream's own document does not exist before its first event. A repeated first event is recognised by its
      // revision.
      if (incoming.event.revision === 0 && handler.ids === undefined) this.views.begin(incoming.event.streamId);
      else this.#use(ids, missing);
    }
    await this.#loadAll(missing);
  }

  /** Adds to `missing` the ids of documents that must be loaded. */
  #use(ids: readonly string[], missing: Set<string>): void {
    for (const id of ids) if (this.views.use(id) === undefined) missing.add(id);
  }

  async #loadAll(missing: ReadonlySet<string>): Promise<void> {
    if (missing.size === 0) return;
    const found = await this.#readModels.getMany(this.#physical, [...missing], { removed: true });
    for (const id of missing) this.views.loaded(id, found.get(id));
  }

  /** Folds one event into all views that it touches, or into none. */
  #apply({ incoming: one, handler, ids, own }: Step): Poison | undefined {
    // Usually one document is touched, and then nothing needs to be rolled back.
    let before: [Entry, Entry][] | undefined;
    try {
      for (const id of ids) {
        const entry = this.views.get(id);
        // The document has the event already: it was written without the checkpoint.
        if (entry.revision >= one.position && !before?.some(([changed]) => changed === entry)) continue;
        const view = evolved(handler, entry.view, one.event, id, own);
        if (view === entry.view) continue;
        if (ids.length > 1) {
          before ??= [];
          before.push([entry, { ...entry }]);
        }
        this.views.change(entry, view, one.position);
      }
      return undefined;
    } catch (error) {
      for (const [entry, was] of before?.reverse() ?? []) this.views.restore(entry, was);
      if (!(error instanceof FoldFailed)) throw error;
      return poisonAt(one, error);
    }
  }
}
