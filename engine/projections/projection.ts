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

/** Document before it is stored: the keys by which it is found, and the body that readers get. */
export interface View<Body> {
  readonly keys: Readonly<Record<string, Scalar>>;
  readonly body: Body;
}

/**
 * Effect of an event on one document. Input `undefined`: the document does not exist. Result `undefined`: the document
 * must not exist. `own`: see `Handler.own`.
 */
export type Evolve<Body, E extends DomainEvent> = (
  view: View<Body> | undefined,
  event: Seen<E>,
  id: string,
  own: View<Body> | undefined,
) => View<Body> | undefined;

export interface Handler<Body, E extends DomainEvent> {
  /** Ids of the documents that the event touches. Default: the stream's id. */
  readonly ids?: (event: Seen<E>, own: View<Body> | undefined) => readonly string[];
  readonly evolve: Evolve<Body, E>;
  /**
   * Passes the stream's own document (whose id is the stream's id) as it was before the event. A later event of a
   * stream can then undo the effect of an earlier one on other documents. Without it, `own` is undefined.
   */
  readonly own?: true;
}

type Handlers<Body, E extends DomainEvent> = {
  readonly [T in E['type']]?: Evolve<Body, Extract<E, { type: T }>> | Handler<Body, Extract<E, { type: T }>>;
};

/**
 * A read model. Its handlers are pure, and change one document at a time. The runtime loads the documents that a batch
 * touches, folds the events in memory, and writes documents and checkpoint together. Never change the view that is
 * passed in: return a new one. Raise `version` when a handler or the shape changes: the new build fills while the old
 * one serves, and then replaces it.
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
   * `store`: each document is touched only by events of one store (`meta.workspaceId`; events without it: of one
   * stream). Instances that share the read models can then divide the documents by store. Default: the read model stays
   * whole.
   */
  readonly partitionedBy?: 'store';
  /**
   * Each document is touched only by streams with one id, one per category, such as `catalog-X` and `catalogSync-X`.
   * The service then compares some documents with a fresh fold of these streams. Need not be declared if no handler has
   * `ids`.
   */
  readonly perStream?: true;
  /** Type of the bodies that `read.get` returns. Used only by the type system. */
  readonly _body?: Body;
}

export const defineProjection = <Body, E extends DomainEvent>(projection: Projection<Body, E>): Projection<Body, E> =>
  projection;

// biome-ignore lint/suspicious/noExplicitAny: a list of projections of any documents and events
export type AnyProjection = Projection<any, any>;

/** Returns the collection of a build. */
export const definitionOf = ({ keys, indexes }: AnyProjection, physical: string): CollectionDefinition => ({
  name: physical,
  keys,
  indexes,
});

type HandlersByType = ReadonlyMap<string, Handler<unknown, DomainEvent>>;
const known = new WeakMap<AnyProjection, HandlersByType>();

/** Returns the handlers of a projection by event type, in their long form. */
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

/** Returns true if each document is touched only by streams with one id. */
export const isPerStream = (projection: AnyProjection): boolean =>
  projection.perStream === true || [...handlersOf(projection).values()].every(({ ids }) => ids === undefined);

/** Copies field by field, at half the cost of a spread. It runs for every event of a rebuild. */
export function seen(event: RecordedEvent): Seen<DomainEvent> & { readonly position: number } {
  const { id, type, data, meta, stream, revision, position } = event;
  return { id, type, data, meta, stream, revision, position, streamId: stream.slice(stream.indexOf('-') + 1) };
}

/**
 * Folds one event into the views that it touches, which are read and written in `views`. Used by the runtime, `as of`
 * reads and specs.
 */
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
