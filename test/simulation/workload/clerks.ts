/** A clerk in each store: changes products, moves and cancels orders, writes to customers; and looks whether it is so. */
import type { Chance } from '../world/chance.js';
import type { Asking, Clients, Exchange } from './clients.js';
import type { Store } from './store.js';

export interface Clerks {
  /** Clerks who have not done all that they were going to. */
  readonly busy: () => number;
}

interface Parts {
  readonly random: Chance;
  readonly clients: Clients;
  readonly stores: readonly Store[];
  readonly actions: number;
  /** Longest pause between two, in ms. */
  readonly pauseMs: number;
  /** What a clerk was told and is not so. */
  wrong(what: string): void;
}

interface SeenOrder {
  readonly id: string;
  readonly status: string;
  readonly nextStatuses: readonly string[];
  readonly conversationId?: string;
}

export function clerks({ random, clients, stores, actions, pauseMs, wrong }: Parts): Clerks {
  let busy = stores.length;
  const { sleep } = clients;

  async function work(store: Store): Promise<void> {
    let promotions: string[] = [];
    let made = 0;
    const ask = (asking: Asking): Promise<Exchange | undefined> => clients.ask(store, asking);
    const orders = async (): Promise<SeenOrder[]> =>
      ((await ask({ operation: 'listOrders', query: '?limit=20' }))?.body?.orders ?? []) as SeenOrder[];

    /** Nobody else changes the product, so the list shows what was answered: at once, wherever it is asked. */
    async function changeProduct(): Promise<void> {
      const externalId = random.happens(0.7) ? random.one(['shirt', 'scarf', 'cap']) : `new-${++made}`;
      const priceCents = 100 + random.below(2_000);
      const body = { name: `Item ${externalId}`, imageUrls: ['https://cdn.example.com/2.jpg'], priceCents };
      const done = await ask({ operation: 'upsertProduct', params: { externalId }, body });
      if (done === undefined || done.status > 299) return;
      const list = await ask({ operation: 'listProducts', query: '?limit=100' });
      const shown = (list?.body?.products as { externalId: string; priceCents: number }[] | undefined)?.find(
        (one) => one.externalId === externalId,
      );
      if (list !== undefined && shown?.priceCents !== priceCents)
        wrong(`${externalId} was answered at ${priceCents} and is listed at ${shown?.priceCents}`);
    }

    async function moveOrder(): Promise<void> {
      const movable = (await orders()).filter(({ nextStatuses }) => nextStatuses.length > 0);
      if (movable.length === 0) return;
      const { id, nextStatuses } = random.one(movable);
      const status = random.one(nextStatuses);
      const params = { orderId: id };
      const done = await ask({ operation: 'setOrderStatus', params, body: { status } });
      if (done?.status !== 200) return;
      const shown = (await ask({ operation: 'getOrder', params }))?.body as SeenOrder & { readonly events: object[] };
      const isThere = shown?.events.some((one) => (one as { toStatus?: string }).toStatus === status);
      if (shown !== undefined && !isThere) wrong(`order ${id} was answered as ${status} and does not show it`);
    }

    async function cancelOrder(): Promise<void> {
      const open = (await orders()).filter(({ nextStatuses }) => nextStatuses.includes('cancelled'));
      if (open.length > 0)
        await ask({ operation: 'cancelOrder', params: { orderId: random.one(open).id }, body: { reason: 'sold out' } });
    }

    async function write(): Promise<void> {
      const chats = (await orders()).flatMap(({ conversationId }) => conversationId ?? []);
      if (chats.length === 0) return;
      const body = { type: 'text', text: 'On its way', clientMsgId: crypto.randomUUID() };
      await ask({ operation: 'sendMessage', params: { conversationId: random.one(chats) }, body });
    }

    async function promote(): Promise<void> {
      const [oldest, ...rest] = promotions;
      if (oldest !== undefined && random.happens(0.5)) {
        promotions = rest;
        await ask({ operation: 'deletePromotion', params: { promotionId: oldest } });
        return;
      }
      const products = { scope: 'products', productExternalIds: ['cap'] };
      const body = { kind: 'flash_sale', name: 'Caps', percentOff: 5 + random.below(20), ...products };
      const done = await ask({ operation: 'createPromotion', body });
      if (done?.status === 201) promotions.push(done.body.id as string);
    }

    for (let action = 0; action < actions; action++) {
      await sleep(random.between(0, pauseMs));
      await random.one([changeProduct, changeProduct, moveOrder, moveOrder, moveOrder, cancelOrder, write, promote])();
    }
  }

  for (const store of stores)
    work(store).then(
      () => {
        busy -= 1;
      },
      (error: Error) => {
        wrong(`a clerk gave up: ${error.stack}`);
        busy -= 1;
      },
    );
  return { busy: () => busy };
}
