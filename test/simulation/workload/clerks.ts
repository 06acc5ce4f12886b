/**
 * A clerk in each store changes products, stock and fees, moves and cancels orders, writes to customers and uploads
 * numbers. Product and order changes are checked in the lists.
 */

import type { Variation } from '../kinds.js';
import type { Chance } from '../world/chance.js';
import type { Clients, Exchange, RequestOptions } from './clients.js';
import type { Store } from './store.js';

export interface Clerks {
  /** Number of clerks with remaining actions. */
  readonly busy: () => number;
}

interface Parts {
  readonly random: Chance;
  readonly clients: Clients;
  readonly stores: readonly Store[];
  readonly actions: number;
  /** Maximum pause between two actions, in ms. */
  readonly pauseMs: number;
  /** Reports an answer to a clerk that is wrong. */
  wrong(what: string): void;
  /** Numbers of customers, for promised discounts. */
  readonly phones: readonly string[];
  readonly variation: Pick<Variation, 'rotations' | 'stock' | 'lists' | 'promotions' | 'promised'>;
}

interface SeenOrder {
  readonly id: string;
  readonly status: string;
  readonly nextStatuses: readonly string[];
  readonly conversationId?: string;
}

/** Share of actions that also change stock or fees. */
const STOCK_SHARE = 0.5;
/** Share of actions that also change a setting. */
const SETTINGS_SHARE = 0.1;
/** Share of actions that also upload a number list. */
const LISTS_SHARE = 0.1;
const NUMBERS = 3;
/** Uses of a promised discount. */
const PROMISED_USES = 3;

type Request = (request: RequestOptions) => Promise<Exchange | undefined>;

/** Creates a discount that carts of these customers show without a code, and that the first customers use up. */
async function promise(
  request: Request,
  phones: readonly string[],
  { promised = false }: Pick<Variation, 'promised'>,
): Promise<void> {
  if (!promised) return;
  const list = await request({ operation: 'createNumberList', body: { name: 'All', kind: 'uploaded', phones } });
  if (list?.status !== 201) return;
  const limits = { maxRedemptions: PROMISED_USES, numberListId: list.body.id as string };
  const body = { kind: 'number_list', name: 'Welcome', percentOff: 30, ...limits };
  await request({ operation: 'createPromotion', body });
}

export function clerks({ random, clients, stores, actions, pauseMs, wrong, phones, variation }: Parts): Clerks {
  let busy = stores.length;
  const { sleep } = clients;

  async function work(store: Store): Promise<void> {
    const more = random.fork(store.workspaceId);
    let promotions: string[] = [];
    let made = 0;
    let lists = 0;
    const request: Request = (pendingRequest) => clients.send(store, pendingRequest);
    const orders = async (): Promise<SeenOrder[]> =>
      ((await request({ operation: 'listOrders', query: '?limit=20' }))?.body?.orders ?? []) as SeenOrder[];

    /** Changes a product that nobody else changes. Any instance must list the acknowledged price immediately. */
    async function changeProduct(): Promise<void> {
      const externalId = random.happens(0.7) ? random.one(['shirt', 'scarf', 'cap']) : `new-${++made}`;
      const priceCents = 100 + random.below(2_000);
      const body = { name: `Item ${externalId}`, imageUrls: ['https://cdn.example.com/2.jpg'], priceCents };
      const done = await request({ operation: 'upsertProduct', params: { externalId }, body });
      if (done === undefined || done.status > 299) return;
      const list = await request({ operation: 'listProducts', query: '?limit=100' });
      const shown = (list?.body?.products as { externalId: string; priceCents: number }[] | undefined)?.find(
        (one) => one.externalId === externalId,
      );
      if (list !== undefined && shown?.priceCents !== priceCents)
        wrong(`${externalId} was answered at ${priceCents} and is listed at ${shown?.priceCents}`);
    }

    /**
     * Changes the stock or deletes a product while it is in carts and forms. Caps stay, because each cart has one and
     * so each leads to an order.
     */
    async function changeStock(): Promise<void> {
      const externalId = random.one(['shirt', 'scarf']);
      const params = { externalId };
      if (random.happens(0.3)) {
        await request({ operation: 'deleteProduct', params });
        return;
      }
      const priceCents = 100 + random.below(2_000);
      const body = { name: `Item ${externalId}`, imageUrls: ['https://cdn.example.com/3.jpg'], priceCents };
      await request({ operation: 'upsertProduct', params, body: { ...body, stock: random.below(4) } });
    }

    /** Changes delivery fees, the amount for free delivery, and the active areas. */
    async function changeFees(): Promise<void> {
      const settings = (await request({ operation: 'getDeliverySettings' }))?.body;
      if (settings === undefined) return;
      const { saved: _, freeDeliveryAboveCents: __, areas, ...others } = settings;
      const feeCents = 100 * random.below(60);
      const body = {
        ...others,
        areas: areas.map((area: object) => ({ ...area, feeCents, active: random.happens(0.9) })),
        ...(random.happens(0.4) && { freeDeliveryAboveCents: 100 + random.below(4_000) }),
      };
      await request({ operation: 'saveDeliverySettings', body });
    }

    async function moveOrder(): Promise<void> {
      const movable = (await orders()).filter(({ nextStatuses }) => nextStatuses.length > 0);
      if (movable.length === 0) return;
      const { id, nextStatuses } = random.one(movable);
      const status = random.one(nextStatuses);
      const params = { orderId: id };
      const done = await request({ operation: 'setOrderStatus', params, body: { status } });
      if (done?.status !== 200) return;
      const shown = (await request({ operation: 'getOrder', params }))?.body as SeenOrder & {
        readonly events: object[];
      };
      const isThere = shown?.events.some((one) => (one as { toStatus?: string }).toStatus === status);
      if (shown !== undefined && !isThere) wrong(`order ${id} was answered as ${status} and does not show it`);
    }

    async function cancelOrder(): Promise<void> {
      const open = (await orders()).filter(({ nextStatuses }) => nextStatuses.includes('cancelled'));
      if (open.length > 0)
        await request({
          operation: 'cancelOrder',
          params: { orderId: random.one(open).id },
          body: { reason: 'sold out' },
        });
    }

    async function write(): Promise<void> {
      const chats = (await orders()).flatMap(({ conversationId }) => conversationId ?? []);
      if (chats.length === 0) return;
      const body = { type: 'text', text: 'On its way', clientMsgId: crypto.randomUUID() };
      await request({ operation: 'sendMessage', params: { conversationId: random.one(chats) }, body });
    }

    async function promote(): Promise<void> {
      const [oldest, ...rest] = promotions;
      if (oldest !== undefined && random.happens(0.5)) {
        promotions = rest;
        await request({ operation: 'deletePromotion', params: { promotionId: oldest } });
        return;
      }
      const products = { scope: 'products', productExternalIds: ['cap'] };
      const body = { kind: 'flash_sale', name: 'Caps', percentOff: 5 + random.below(20), ...products };
      const done = await request({ operation: 'createPromotion', body });
      if (done?.status === 201) promotions.push(done.body.id as string);
    }

    async function rotate(): Promise<void> {
      const endpoints = (await request({ operation: 'listWebhookEndpoints' }))?.body?.endpoints as
        | { id: string }[]
        | undefined;
      const [endpoint] = endpoints ?? [];
      if (endpoint === undefined) return;
      await request({ operation: 'rotateWebhookEndpointSecret', params: { endpointId: endpoint.id } });
    }

    /** Rotates the webhook secret, or changes the payment wallets. */
    async function changeSettings(): Promise<void> {
      if (store.takesPayments && more.happens(0.5)) {
        await request({ operation: 'savePaymentWallets', body: { wallets: more.happens(0.5) ? ['evc_plus'] : [] } });
        return;
      }
      await rotate();
    }

    /** Uploads unknown numbers, so that one command creates the keys of several people. */
    async function uploadNumbers(): Promise<void> {
      const phones = Array.from({ length: NUMBERS }, () => `+2526190${String(more.below(100_000)).padStart(5, '0')}`);
      const name = `Guests ${++lists}`;
      await request({ operation: 'createNumberList', body: { name, kind: 'uploaded', phones } });
    }

    await promise(request, phones, variation);
    const main = [changeProduct, changeProduct, moveOrder, moveOrder, moveOrder, cancelOrder, write, promote];
    const shares: readonly (readonly [number, () => Promise<void>])[] = [
      [SETTINGS_SHARE, changeSettings],
      [variation.lists ?? LISTS_SHARE, uploadNumbers],
      [variation.rotations ?? 0, rotate],
      [variation.promotions ?? 0, promote],
    ];
    for (let action = 0; action < actions; action++) {
      await sleep(random.between(0, pauseMs));
      await random.one(main)();
      if (random.happens(variation.stock ?? STOCK_SHARE)) await random.one([changeStock, changeFees])();
      for (const [share, act] of shares) if (share > 0 && more.happens(share)) await act();
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
