/** A log in memory, for specifications: the events of a few streams, appended and read. Nobody can subscribe to it. */
import {
  BEFORE_ALL,
  categoryOf,
  type EventData,
  type EventStore,
  type RecordedEvent,
  WrongExpectedRevision,
} from '../../engine/ports/eventStore.js';

export interface MemoryLog extends EventStore {
  /** All events, in order. */
  readonly events: readonly RecordedEvent[];
}

export function memoryLog(begun: readonly RecordedEvent[] = []): MemoryLog {
  const events = [...begun];
  const revisionOf = (stream: string): number => events.findLast((one) => one.stream === stream)?.revision ?? -1;
  const repeated = (stream: string, [first]: readonly EventData[]): boolean =>
    events.some(({ id, stream: of }) => of === stream && id === first!.id);
  return {
    events,
    async append(stream, expected, appended) {
      const at = revisionOf(stream);
      const isExpected = expected === 'any' || (expected === 'noStream' ? at === -1 : expected === at);
      if (!isExpected && !repeated(stream, appended)) throw new WrongExpectedRevision(stream, expected, at);
      if (!repeated(stream, appended))
        for (const [i, event] of appended.entries())
          events.push({ ...event, stream, revision: at + 1 + i, position: events.length });
      return { revision: revisionOf(stream), position: events.length - 1 };
    },
    async readStream(stream, { from, direction = 'forwards', limit = Number.POSITIVE_INFINITY } = {}) {
      const all = events.filter((one) => one.stream === stream);
      if (direction === 'forwards') return all.filter(({ revision }) => revision >= (from ?? 0)).slice(0, limit);
      return all
        .filter(({ revision }) => revision <= (from ?? revision))
        .reverse()
        .slice(0, limit);
    },
    async readAll(after, { filter: { categories, types } = {}, limit = 500 } = {}) {
      const page = events.filter(({ position }) => position > after).slice(0, limit);
      const wanted = page.filter(
        ({ stream, type }) => (categories?.includes(categoryOf(stream)) ?? true) && (types?.includes(type) ?? true),
      );
      const through = page.at(-1)?.position ?? after;
      return { events: wanted, through, end: through >= events.length - 1 };
    },
    subscribe() {
      throw new Error('nobody can subscribe to a log in memory');
    },
    head: async () => events.at(-1)?.position ?? BEFORE_ALL,
    close: async () => undefined,
  };
}
