import type { DomainEvent, EventMeta } from '../../domain/decider.js';
import type { CollectionDefinition, IndexDefinition, KeyType, Scalar } from '../ports/documents.js';
import type { RecordedEvent } from '../ports/eventStore.js';

/** An event as a projection's handler sees it. */
export type Seen<E extends DomainEvent> = E & {
  readonly meta: EventMeta;
  readonly id: string;
  readonly stream: string;
  readonly streamId: string;
  readonly revision: number;
};

/** A document before it is stored: the keys it is found by, and the body that is answered. */
export interface View<Body> {
  readonly keys: Readonly<Record<string, Scalar>>;
  readonly body: Body;
}

/**
 * What an event does to one document. `undefined` in: there is none yet. `undefined` out: there shall be none. `own`: see
 * `Handler.own`.
 */
export type Evolve<Body, E extends DomainEvent> = (
  view: View<Body> | undefined,
  event: Seen<E>,
  id: string,
  own: View<Body> | undefined,
) => View<Body> | undefined;

export interface Handler<Body, E extends DomainEvent> {
  /** Ids of the documents that the event touches; the stream's id when absent. */
  readonly ids?: (event: Seen<E>, own: View<Body> | undefined) => readonly string[];
  readonly evolve: Evolve<Body, E>;
  /**
   * The handler looks at the stream's own document (the one whose id is the stream's) as it stood before the event, so that
   * a later event of a stream can take back what an earlier one did to other documents. Without it `own` is undefined.
   */
  readonly own?: true;
}

type Handlers<Body, E extends DomainEvent> = {
  readonly [T in E['type']]?: Evolve<Body, Extract<E, { type: T }>> | Handler<Body, Extract<E, { type: T }>>;
};

/**
 * A read model: pure, one document at a time. The runtime loads the documents a batch touches, folds the events in
 * memory, and writes documents and checkpoint together. Never change the view that comes in: return a new one.
 * Raise `version` when a handler or the shape changes: the new build fills beside the old one and takes its place.
 */
export interface Projection<Body = unknown, E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly version: number;
  /** Categories of the streams it reads. */
  readonly categories: readonly string[];
  readonly keys: Readonly<Record<string, KeyType>>;
  readonly indexes: readonly IndexDefinition[];
  readonly on: Handlers<Body, E>;
  /**
   * `store`: each document is touched by events of one store alone (`meta.workspaceId`; of one stream where there is none), so
   * that instances which share the read models can share this one's documents by store. Absent: it stays whole.
   */
  readonly parted?: 'store';
  /**
   * Each document is touched by streams of one id alone, one of each category: `catalog-X` and `catalogSync-X`, say. The service then
   * compares some of them with a fresh fold of these streams by itself. Without handlers that name `ids` it follows, and need not be declared.
   */
  readonly perStream?: true;
  /** Only for the type system: what `read.get` answers. */
  readonly _body?: Body;
}

export const defineProjection = <Body, E extends DomainEvent>(projection: Projection<Body, E>): Projection<Body, E> =>
  projection;

// biome-ignore lint/suspicious/noExplicitAny: a list of projections of any documents and events
export type AnyProjection = Projection<any, any>;

/** The collection of one of its builds. */
export const definitionOf = ({ keys, indexes }: AnyProjection, physical: string): CollectionDefinition => ({
  name: physical,
  keys,
  indexes,
});

type HandlersByType = ReadonlyMap<string, Handler<unknown, DomainEvent>>;
const known = new WeakMap<AnyProjection, HandlersByType>();

/** A projection's handlers by event type, each in its long form. */
export function handlersOf(projection: AnyProjection): HandlersByType {
  let handlers = known.get(projection);
  if (handlers === undefined) {
    const given = Object.entries(projection.on) as [
      string,
      Evolve<unknown, DomainEvent> | Handler<unknown, DomainEvent>,
    ][];
    handlers = new Map(given.map(([type, one]) => [type, typeof one === 'function' ? { evolve: one } : one]));
    known.set(projection, handlers);
  }
  return handlers;
}

/** Whether each document is touched by streams of one id alone. */
export const isPerStream = (projection: AnyProjection): boolean =>
  projection.perStream === true || [...handlersOf(projection).values()].every(({ ids }) => ids === undefined);

/** Field by field: half the cost of a spread, for every event of a rebuild. */
export function seen(event: RecordedEvent): Seen<DomainEvent> & { readonly position: number } {
  const { id, type, data, meta, stream, revision, position } = event;
  return { id, type, data, meta, stream, revision, position, streamId: stream.slice(stream.indexOf('-') + 1) };
}

/** Folds one event into the views it touches; `views` is read and written. Used by the runtime, `as of` reads and specs. */
export function foldEvent<Body>(
  projection: AnyProjection,
  views: Map<string, View<Body> | undefined>,
  event: RecordedEvent,
): readonly string[] {
  const handler = handlersOf(projection).get(event.type);
  if (handler === undefined) return [];
  const view = seen(event);
  const own = handler.own ? views.get(view.streamId) : undefined;
  const ids = handler.ids?.(view, own) ?? [view.streamId];
  for (const id of ids) views.set(id, handler.evolve(views.get(id), view, id, own) as View<Body> | undefined);
  return ids;
}
