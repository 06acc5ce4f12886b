/** Folds a single document of a projection, for views of the past. */
import { categoryOf, type RecordedEvent } from '../ports/eventStore.js';
import { type AnyProjection, handlersOf, seen, type View } from './projection.js';

/** Returns the ids of the documents that an event touches. `own`: the stream's own document before the event. */
function touched(projection: AnyProjection, event: RecordedEvent, own: View<unknown> | undefined): readonly string[] {
  const handler = handlersOf(projection).get(event.type);
  if (handler === undefined || !projection.categories.includes(categoryOf(event.stream))) return [];
  const about = seen(event);
  return handler.ids?.(about, own) ?? [about.streamId];
}

/** Returns true if an event touches a document, as far as the event alone shows. */
export const touches = (projection: AnyProjection, id: string, event: RecordedEvent): boolean =>
  touched(projection, event, undefined).includes(id);

/**
 * Applies one event to one document, as the runtime would. Returns the same view if the event does not touch it. A
 * handler that reads its stream's own document gets it only if it is this document.
 */
export function foldOne<Body>(
  projection: AnyProjection,
  id: string,
  view: View<Body> | undefined,
  event: RecordedEvent,
): View<Body> | undefined {
  const handler = handlersOf(projection).get(event.type);
  const about = seen(event);
  const own = handler?.own && about.streamId === id ? view : undefined;
  if (handler === undefined || !touched(projection, event, own).includes(id)) return view;
  return handler.evolve(view, about, id, own) as View<Body> | undefined;
}
