/** Turns the events of a specification into recorded events, as the log would return them. */
import type { DomainEvent, EventMeta } from '../../../domain/decider.js';
import { derivedId } from '../../../domain/ids.js';
import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { specMeta } from './given.js';

/** Event in the specification's stream, unless it names its own. */
export type Given<E extends DomainEvent = DomainEvent> = E & {
  readonly stream?: string;
  readonly meta?: Partial<EventMeta>;
};

export interface HistoryOptions<E extends DomainEvent> {
  /** Stream of events that name none. Default: `{category}-1` of the first category. */
  readonly stream?: string | ((event: E) => string);
  /** Added to `specMeta` and the event's minute. */
  readonly meta?: Partial<EventMeta>;
}

/** Returns the time of the n-th event of a specification, from 0: one per minute. */
export const minute = (n: number): string => new Date(Date.parse(specMeta.at) + n * 60_000).toISOString();

/** Records one event per minute. Each stream counts its own revisions. */
export function recorded<E extends DomainEvent>(
  categories: readonly string[],
  events: readonly Given<E>[],
  { stream: otherwise = `${categories[0]}-1`, meta: common }: HistoryOptions<E>,
): RecordedEvent[] {
  const revisions = new Map<string, number>();
  return events.map((event, position) => {
    const stream = event.stream ?? (typeof otherwise === 'string' ? otherwise : otherwise(event));
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const { type, data } = event;
    const meta = { ...specMeta, at: minute(position), ...common, ...event.meta };
    return { id: derivedId('spec', position), stream, type, data, meta, revision, position };
  });
}
