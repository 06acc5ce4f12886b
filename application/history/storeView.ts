/** What of the history a store's own auditors see: what is the store's, without what concerns the operator's people. */
import { categoryOf, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { HistoryLog } from './steps.js';

/** Streams of a store's own. Sessions and the console's are left out: they are of people, and of operators. */
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

/** Without the operator's account: a store knows that it was the operator, and not who. */
function forStore(event: RecordedEvent): RecordedEvent {
  if (event.meta.operator === undefined) return event;
  const { operator: _, ...meta } = event.meta;
  return { ...event, meta };
}

/** The log as a store's auditors may read it. */
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
