/**
 * Event store that seals personal values under a key per person, and opens them on read. Events from before are read
 * unchanged. Nothing below sees a personal value: neither the file, the protocol endpoint, copies, moves nor proofs.
 */
import { type Appended, type EventData, type EventStore, passedOn, type RecordedEvent } from '../ports/eventStore.js';
import type { EventReads } from '../upcasting.js';
import { KeyedStreams } from './keyedStreams.js';
import type { KeyOf, KeyRing } from './keyRing.js';
import { type LostEvent, lostOf, personsIn } from './lostKeys.js';
import { openedSubscription } from './openedSubscription.js';
import { boxesIn, opened } from './sealedData.js';
import { Sealer, type Sealing } from './sealer.js';
import { VaultIncomplete } from './vaultErrors.js';

function openedEvent<Event extends RecordedEvent>(event: Event, keyOf: KeyOf, { lately }: KeyRing): Event {
  const boxes = boxesIn(event.data);
  if (boxes === undefined) return event;
  return { ...event, ...opened(event, boxes, keyOf, (id, box) => lately.of(id, box)) };
}

/** Reports events that nobody can read. They are read as erased. Without a reporter such reads are rejected. */
export type ReportLost = (events: readonly LostEvent[]) => void;

/** Opens the sealed values of events. Rejects with VaultIncomplete, KeyUnreadable, StoreUnavailable. */
export function openedEvents<Event extends RecordedEvent>(
  events: readonly Event[],
  ring: KeyRing,
  report?: ReportLost,
): readonly Event[] | Promise<Event[]> {
  const persons = personsIn(events);
  if (persons === undefined) return events;
  const known = ring.known(persons);
  return known === undefined
    ? openedLate(events, persons, ring, report)
    : events.map((event) => openedEvent(event, known, ring));
}

async function openedLate<Event extends RecordedEvent>(
  events: readonly Event[],
  persons: ReadonlySet<string>,
  ring: KeyRing,
  report: ReportLost | undefined,
): Promise<Event[]> {
  const { keyOf, lost } = await ring.find(persons);
  if (lost.size > 0) {
    const all = lostOf(events, lost);
    if (report === undefined) throw new VaultIncomplete(all[0]!.persons[0]!, all[0]);
    report(all);
  }
  return events.map((event) => openedEvent(event, keyOf, ring));
}

/** Log for readers who may see personal data. Also rejects with VaultIncomplete, BoxUnreadable. */
export function openingReads(log: EventReads, ring: KeyRing, report?: ReportLost): EventReads {
  const open = (events: readonly RecordedEvent[]) =>
    openedEvents(events, ring, report) as RecordedEvent[] | Promise<RecordedEvent[]>;
  return {
    readStream: async (stream, options) => open(await log.readStream(stream, options)),
    async readAll(after, options) {
      const page = await log.readAll(after, options);
      return { ...page, events: await open(page.events) };
    },
    subscribe: (after, filter, subscriber, options) =>
      openedSubscription(log, open, { after, filter, subscriber, options }),
    ...passedOn(log),
  };
}

/** Store in which streams that are named after a person are found under their stored name. */
function keyedBy(store: EventStore, { people, keyedCategories: categories }: Sealing, makes: boolean): EventStore {
  if (categories === undefined) return store;
  const streams = new KeyedStreams(store, people, { categories, makes });
  const under = <R>(stream: string, work: (name: string) => Promise<R>): Promise<R> => {
    const name = streams.nameOf(stream);
    return typeof name === 'string' ? work(name) : name.then(work);
  };
  return {
    ...passedOn(store),
    readAll: (after, options) => store.readAll(after, options),
    subscribe: (after, filter, subscriber, options) => store.subscribe(after, filter, subscriber, options),
    readStream: (stream, options) => streams.read(stream, options),
    append: (stream, expected, events) => under(stream, (name) => store.append(name, expected, events)),
  };
}

/** Like `openingReads`, with appends. Appended events stay unchanged. */
export function opening(plain: EventStore, parts: Sealing): EventStore {
  const store = keyedBy(plain, parts, false);
  return {
    ...openingReads(store, parts.ring),
    append: (stream, expected, events) => store.append(stream, expected, events),
  };
}

/**
 * Like `openingReads`, and seals appended events. Appending also rejects with StoreUnavailable of the vault; nothing is
 * written then.
 */
export function sealing(plain: EventStore, parts: Sealing): EventStore {
  const store = keyedBy(plain, parts, true);
  const sealer = new Sealer(store, parts);
  const sealed = (stream: string, isNew: boolean, events: readonly EventData[]): EventData[] | Promise<EventData[]> => {
    const all: EventData[] = [];
    for (const event of events) {
      const one = sealer.seal(stream, event, isNew);
      if (one instanceof Promise) return rest(stream, isNew, events, all, one);
      all.push(one);
    }
    return all;
  };
  async function rest(
    stream: string,
    isNew: boolean,
    events: readonly EventData[],
    all: EventData[],
    next: Promise<EventData>,
  ) {
    all.push(await next);
    for (const event of events.slice(all.length)) all.push(await sealer.seal(stream, event, isNew));
    return all;
  }
  return {
    ...openingReads(store, parts.ring),
    async append(stream, expected, events): Promise<Appended> {
      const isNew = expected === 'noStream';
      try {
        const ready = sealed(stream, isNew, events);
        return await store.append(stream, expected, ready instanceof Promise ? await ready : ready);
      } catch (error) {
        if (isNew) sealer.doubt(stream);
        throw error;
      }
    },
  };
}
