import { type EventStore, streamName } from '../../application/ports/eventStore.js';
import { foldEvent, type View } from '../../projections/projection.js';
import { type StoreBody, stores } from '../../projections/stores.js';

/**
 * The store as its own events tell it: for an answer to a command that found its work done. Another request may have
 * done it a moment ago, and then the view, which this request has nothing to wait for by, may not show it yet.
 */
export async function storeNow(eventStore: EventStore, workspaceId: string): Promise<StoreBody | undefined> {
  const views = new Map<string, View<StoreBody> | undefined>();
  for (const event of await eventStore.readStream(streamName('store', workspaceId))) foldEvent(stores, views, event);
  return views.get(workspaceId)?.body;
}
