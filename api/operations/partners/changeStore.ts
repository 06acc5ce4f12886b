import type { Decision } from '../../../domain/decider.js';
import { type Store, store } from '../../../domain/stores/store.js';
import type { StoreEvent } from '../../../domain/stores/storeEvents.js';
import { stores } from '../../../projections/stores.js';
import { type Answer, Json, type Request } from '../../contract/operation.js';
import { findStore } from './findStore.js';

/** Decides on the partner's store with this reference and answers it as it is then. */
export async function changePartnerStore(
  { partner, commands, read, services }: Pick<Request<object>, 'partner' | 'commands' | 'read' | 'services'>,
  externalRef: string,
  decision: Decision<Store, StoreEvent>,
): Promise<Answer> {
  const found = await findStore(read, partner, externalRef);
  const { events } = await commands.decide(store, found.id, decision);
  const now = await read.get(stores, found.id);
  // The directory caches if the store may be written to; the next request must read it.
  if (events.length > 0) services.directory.forget();
  return { status: 200, body: new Json(now!.json) };
}
