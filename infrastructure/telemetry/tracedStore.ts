/** Commands and appends as spans; made only where traces are written. */
import { DomainError } from '../../domain/decider.js';
import type { RunningCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { categoryOf, type EventData, type EventStore, passedOn, streamName } from '../../engine/ports/eventStore.js';
import { placeOf, type TracePlace, type Tracing } from '../../engine/ports/tracing.js';

/** Maximum stored length of a state: a batch has hundreds of events, and the size of an append includes it for each. */
const LONGEST_KEPT = 128;

const storedContext = ({ traceparent, tracestate = '' }: TracePlace): TracePlace =>
  tracestate === '' || tracestate.length > LONGEST_KEPT ? { traceparent } : { traceparent, tracestate };

/**
 * Each command is a span, and its events carry the span's context for the work they cause. `unnamed`: categories with streams named after a
 * phone or user id; spans omit their names.
 */
export function tracedCommands(
  handler: RunningCommandHandler,
  tracing: Tracing,
  unnamed: ReadonlySet<string>,
): RunningCommandHandler {
  return {
    query: handler.query,
    idle: () => handler.idle(),
    forget: () => handler.forget(),
    decide: (context, aggregate, id, decision) => {
      const words = unnamed.has(aggregate.name) ? {} : { 'suuq.stream': streamName(aggregate.name, id) };
      const plan = { name: `decide ${aggregate.name}`, kind: 'internal', words, parent: context.trace } as const;
      return tracing.during(plan, async (span) => {
        try {
          const decided = await handler.decide(
            { ...context, trace: storedContext(span.place) },
            aggregate,
            id,
            decision,
          );
          span.note({ 'suuq.events': decided.events.length });
          return decided;
        } catch (error) {
          if (error instanceof DomainError) span.refused(error.code);
          throw error;
        }
      });
    },
  };
}

/** The commands whose events go together, the first of them first. */
function placesOf(events: readonly EventData[]): readonly TracePlace[] {
  const places = new Map<string, TracePlace>();
  for (const { meta } of events) {
    const place = placeOf(meta);
    if (place !== undefined) places.set(place.traceparent, place);
  }
  return [...places.values()];
}

/**
 * Each append is a span of the command whose events it carries, with links to the others': one append takes along what
 * several commands of a stream have decided. `system`: of the engine. (Semantic conventions for databases.)
 */
export const tracedAppends = (store: EventStore, tracing: Tracing, system: 'eventstoredb' | 'sqlite'): EventStore => ({
  readStream: (stream, options) => store.readStream(stream, options),
  readAll: (after, options) => store.readAll(after, options),
  subscribe: (after, filter, subscriber, options) => store.subscribe(after, filter, subscriber, options),
  ...passedOn(store),
  append(stream, expected, events) {
    const [parent, ...links] = placesOf(events);
    const category = categoryOf(stream);
    const words = {
      'db.system.name': system,
      'db.operation.name': 'append',
      'db.collection.name': category,
      'db.operation.batch.size': events.length > 1 ? events.length : undefined,
    };
    const plan = { name: `append ${category}`, kind: 'client', words, parent, links } as const;
    return tracing.during(plan, () => store.append(stream, expected, events));
  },
});
