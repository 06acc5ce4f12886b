/** The part of the history that a store's own auditors may see: the store's events, without the operator's accounts. */
import { categoryOf, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { HistoryLog } from './historySteps.js';

/** Categories of a store's streams. Sessions and the console's streams are excluded: they concern people and operators. */
const STORE_CATEGORIES: readonly string[] = [
  'store',
  'catalog',
  'catalogSync',
  'order',
  'orderNumbers',
  'promotion',
  'numberList',
  'names',
  'delivery',
  'payments',
  'paymentPrompts',
  'members',
  'conversation',
  'customer',
  'setAside',
  'template',
  'file',
  'storage',
  'recordings',
  'webhookEndpoint',
];

const known = new Set(STORE_CATEGORIES);

/** Removes the operator's account: the store sees that the operator acted, but not who. */
function forStore(event: RecordedEvent): RecordedEvent {
  if (event.meta.operator === undefined) return event;
  const { operator: _, ...meta } = event.meta;
  return { ...event, meta };
}

/** Returns the log for a store's auditors. */
export const storeLog = (log: HistoryLog, workspaceId: string): HistoryLog => {
  const own = (events: readonly RecordedEvent[]): RecordedEvent[] =>
    events
      .filter(({ meta, stream }) => meta.workspaceId === workspaceId && known.has(categoryOf(stream)))
      .map(forStore);
  return {
    whole: log,
    index: log.index,
    head: () => log.head(),
    async readAll(after, options = {}) {
      const page = await log.readAll(after, {
        ...options,
        filter: { ...options.filter, categories: STORE_CATEGORIES },
      });
      return { ...page, events: own(page.events) };
    },
    readStream: async (stream, options) => (await log.readStream(stream, options)).map(forStore),
  };
};
