/** In-memory log for specifications: a few streams to append to and read. It has no subscriptions. */
import {
  BEFORE_ALL,
  categoryOf,
  type EventData,
  type EventStore,
  type Expected,
  type RecordedEvent,
  WrongExpectedRevision,
} from '../../../engine/ports/eventStore.js';

export interface MemoryLog extends EventStore {
  /** All events, in order. */
  readonly events: readonly RecordedEvent[];
}

export function memoryLog(started: readonly RecordedEvent[] = []): MemoryLog {
  const events = [...started];
  const revisionOf = (stream: string): number => events.findLast((one) => one.stream === stream)?.revision ?? -1;
  /**
   * Returns the last event of an append that is already stored at its place, or anywhere if no revision is expected.
   */
  const repeated = (stream: string, expected: Expected, appended: readonly EventData[]): RecordedEvent | undefined => {
    const all = events.filter((one) => one.stream === stream);
    const any = all.findIndex(({ id }) => id === appended[0]!.id);
    const from = expected === 'any' ? any : expected === 'noStream' ? 0 : expected + 1;
    const isThere = from >= 0 && appended.every(({ id }, i) => all[from + i]?.id === id);
    return isThere ? all[from + appended.length - 1] : undefined;
  };
  return {
    events,
    reportsRepeats: true,
    async append(stream, expected, appended) {
      const at = revisionOf(stream);
      const before = repeated(stream, expected, appended);
      if (before !== undefined) return { revision: before.revision, position: before.position, repeated: true };
      const isExpected = expected === 'any' || (expected === 'noStream' ? at === -1 : expected === at);
      if (!isExpected) throw new WrongExpectedRevision(stream, expected, at);
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
      const expected = page.filter(
        ({ stream, type }) => (categories?.includes(categoryOf(stream)) ?? true) && (types?.includes(type) ?? true),
      );
      const through = page.at(-1)?.position ?? after;
      return { events: expected, through, end: through >= events.length - 1 };
    },
    subscribe() {
      throw new Error('nobody can subscribe to a log in memory');
    },
    head: async () => events.at(-1)?.position ?? BEFORE_ALL,
    close: async () => undefined,
  };
}
