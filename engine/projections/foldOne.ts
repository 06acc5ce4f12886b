/** One document of a projection by itself, for views of the past. */
import { categoryOf, type RecordedEvent } from '../ports/eventStore.js';
import { type AnyProjection, handlersOf, seen, type View } from './projection.js';

/** The documents that an event touches; `own`: the stream's own document before it. */
function touched(projection: AnyProjection, event: RecordedEvent, own: View<unknown> | undefined): readonly string[] {
  const handler = handlersOf(projection).get(event.type);
  if (handler === undefined || !projection.categories.includes(categoryOf(event.stream))) return [];
  const about = seen(event);
  return handler.ids?.(about, own) ?? [about.streamId];
}

/** Whether an event touches a document, as far as the event alone tells. */
export const touches = (projection: AnyProjection, id: string, event: RecordedEvent): boolean =>
  touched(projection, event, undefined).includes(id);

/**
 * What one event makes of one document, as the runtime would; the document itself where the event does not touch it. A
 * handler that looks at its stream's own document sees it where that is this one.
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
