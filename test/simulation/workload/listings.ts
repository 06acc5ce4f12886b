/** Lists orders by the customer's number at the end of a run. */
import type { Agenda } from '../world/agenda.js';
import type { Clients } from './clients.js';
import type { Store } from './store.js';
import { TWO_FORMS } from './wares.js';

/** Returns the ids of the orders that each form of the number finds. */
export async function listedByForm(
  agenda: Agenda,
  { send }: Clients,
  store: Store,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const listed = new Map<string, readonly string[]>();
  for (const form of TWO_FORMS) {
    const query = `?limit=100&phone=${encodeURIComponent(form)}`;
    void send(store, { operation: 'listOrders', query }).then((exchange) => {
      const orders = (exchange?.body?.orders ?? []) as readonly { readonly id: string }[];
      listed.set(
        form,
        orders.map(({ id }) => id),
      );
    });
  }
  await agenda.until(() => listed.size === TWO_FORMS.length);
  return listed;
}
