/** Events as they are written now, whatever version of their shape is stored: done once, where the log is read. */
import type { EventMeta, EvolvedEvents } from '../domain/decider.js';
import { type EventStore, passedOn, type RecordedEvent } from './ports/eventStore.js';

/** What is read of a log; moving a history and serving a log to others take the events as they are stored. */
export type EventReads = Omit<EventStore, 'append'>;

/** A newer release wrote it: what its fields mean now is not known here, so nothing may be made of it. */
export class NewerEvent extends Error {
  override readonly name = 'NewerEvent';
  constructor({ type, stream, revision }: RecordedEvent, stored: number, known: number) {
    super(
      `${type} (${stream}, revision ${revision}) is stored in version ${stored}, and this release knows it up to ${known}. ` +
        'Run the release that wrote it, or a newer one.',
    );
  }
}

/** Metadata of a new event: with the version of its shape where that is not the first. */
export function withVersion(evolved: EvolvedEvents, type: string, meta: EventMeta): EventMeta {
  const version = evolved.get(type)?.version;
  return version === undefined ? meta : { ...meta, schema: version };
}

/** The event in the newest version of its shape. Throws NewerEvent, or what an upcaster throws. */
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

/** A log whose events come in their newest version. What needs no step is passed on as it is. */
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

/** An event store whose events are read in their newest version; what is appended is stored as it comes. */
export const upcasting = (store: EventStore, evolved: EvolvedEvents): EventStore => ({
  ...upcastingReads(store, evolved),
  append: (stream, expected, events) => store.append(stream, expected, events),
});
