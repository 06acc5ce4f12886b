/** Upcasting: events are converted to the newest version of their shape in one place, where the log is read. */
import type { EventMeta, EvolvedEvents } from '../domain/decider.js';
import { type EventStore, passedOn, type RecordedEvent } from './ports/eventStore.js';

/** Read access to a log. Moving a history and serving a log to others read events as they are stored. */
export type EventReads = Omit<EventStore, 'append'>;

/** The event was written by a newer release. The meaning of its fields is unknown here, so it must not be used. */
export class NewerEvent extends Error {
  override readonly name = 'NewerEvent';
  constructor({ type, stream, revision }: RecordedEvent, stored: number, known: number) {
    super(
      `${type} (${stream}, revision ${revision}) is stored in version ${stored}, but this release supports up to version ${known}. ` +
        'Run the release that wrote it, or a newer release.',
    );
  }
}

/** Returns the metadata of a new event, with the version of its shape unless that is the first. */
export function withVersion(evolved: EvolvedEvents, type: string, meta: EventMeta): EventMeta {
  const version = evolved.get(type)?.version;
  return version === undefined ? meta : { ...meta, schema: version };
}

/** Returns the event in the newest version of its shape. Throws NewerEvent, or an upcaster's error. */
export function upcast(evolved: EvolvedEvents, event: RecordedEvent): RecordedEvent {
  const entry = evolved.get(event.type);
  const stored = event.meta.schema ?? 1;
  const version = entry?.version ?? 1;
  if (stored > version) throw new NewerEvent(event, stored, version);
  if (entry === undefined || stored === version) return event;
  let { data } = event;
  for (let from = stored; from < version; from += 1) data = entry.upcast[from]!(data, event.meta);
  return { ...event, data, meta: { ...event.meta, schema: version } };
}

/** Wraps a log so that its events come in their newest version. Current events are passed through unchanged. */
export function upcastingReads(log: EventReads, evolved: EvolvedEvents): EventReads {
  const isCurrent = ({ type, meta }: RecordedEvent): boolean => meta.schema === undefined && !evolved.has(type);
  const current = <Events extends readonly RecordedEvent[]>(events: Events): Events | RecordedEvent[] =>
    events.every(isCurrent) ? events : events.map((event) => upcast(evolved, event));
  return {
    readStream: async (stream, options) => current(await log.readStream(stream, options)),
    async readAll(after, options) {
      const page = await log.readAll(after, options);
      return { ...page, events: current(page.events) };
    },
    subscribe: (after, filter, subscriber, options) =>
      log.subscribe(
        after,
        filter,
        {
          batch: (events, through, last) => subscriber.batch(current(events), through, last),
          ...(subscriber.passed && { passed: (through, last) => subscriber.passed?.(through, last) }),
          caughtUp: () => subscriber.caughtUp?.(),
        },
        options,
      ),
    ...passedOn(log),
  };
}

/** Wraps an event store so that events are read in their newest version. Appends are passed through unchanged. */
export const upcasting = (store: EventStore, evolved: EvolvedEvents): EventStore => ({
  ...upcastingReads(store, evolved),
  append: (stream, expected, events) => store.append(stream, expected, events),
});
