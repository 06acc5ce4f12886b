/** Creates a store's products, promotions and settings through the API. Existing ones are not changed. */
import type { Arguments } from '../../client/src/client.js';
import { COUPON, REGULARS } from './orders.js';
import { CATEGORIES, demoItem, PRODUCTS, REJECTED } from './products.js';
import type { SeedStage } from './seedStage.js';

type Offer = Arguments<'createPromotion'>['body'];

const AREAS = [
  ['Hodan', 150],
  ['Wadajir', 250],
  ['Waberi', 200],
  ['Yaaqshiid', 300],
] as const;
const HOUR_MS = 3_600_000;
const SALE_MS = 72 * HOUR_MS;

/**
 * A closed port of this machine (discard, RFC 863), so that deliveries fail. The API refuses addresses on this machine;
 * the command of `suuq listen`, which creates the endpoint, accepts them.
 */
const FAILING_URL = 'http://127.0.0.1:9/demo-receiver-that-is-down';
const FAILING = 'Demo: a receiver that is down';
const RECEIVED = ['order.refunded'] as const;

async function fillCatalog({ client, workspaceId }: SeedStage): Promise<void> {
  await client.upsertProductCategories({ workspaceId, body: { categories: CATEGORIES } });
  await client.upsertProducts({ workspaceId, body: { products: PRODUCTS } });
}

async function deliver({ client, workspaceId }: SeedStage): Promise<void> {
  const { areas } = await client.getDeliverySettings({ workspaceId });
  if (areas.length > 0) return;
  await client.saveDeliverySettings({
    workspaceId,
    body: {
      deliveryEnabled: true,
      pickupEnabled: true,
      pickupAddress: 'Maka al-Mukarama Road 12, Mogadishu',
      requestLocation: false,
      notifyStatuses: ['paid', 'preparing', 'out_for_delivery', 'delivered', 'cancelled', 'refunded'],
      areas: AREAS.map(([name, feeCents]) => ({ name, feeCents, active: true })),
      freeDeliveryAboveCents: 10_000,
      cashOnDelivery: true,
    },
  });
}

/** An account at the sandbox's payment provider. */
async function acceptPayments({ client, workspaceId }: SeedStage): Promise<void> {
  const { saved, wallets } = await client.getPaymentSettings({ workspaceId });
  const account = { merchantId: 'M0000001', apiKey: '1000001:API-DEMO' };
  if (!saved) await client.savePaymentSettings({ workspaceId, body: account });
  if (wallets.length === 0) await client.savePaymentWallets({ workspaceId, body: { wallets: ['evc_plus', 'zaad'] } });
}

/** Id of the number list of regular customers. */
async function regulars(stage: SeedStage): Promise<string> {
  const { client, workspaceId } = stage;
  const name = 'Regular customers';
  const { lists } = await client.listNumberLists({ workspaceId });
  const found = lists.find((one) => one.name === name);
  if (found !== undefined) return found.id;
  const body = { name, kind: 'uploaded', phones: REGULARS.map((phone) => `+${phone}`) } as const;
  const made = await client.createNumberList({ workspaceId, body }, { idempotencyKey: stage.id('list', name) });
  return made.id;
}

async function promote(stage: SeedStage, now: number): Promise<void> {
  const { client, workspaceId } = stage;
  const { promotions } = await client.listPromotions({ workspaceId });
  const numberListId = await regulars(stage);
  const offers: readonly Offer[] = [
    {
      name: 'Weekend sale',
      kind: 'flash_sale',
      scope: 'products',
      percentOff: 15,
      productExternalIds: [demoItem('dirac-rose'), demoItem('cushion-red'), demoItem('lamp-solar')],
      endsAt: new Date(now + SALE_MS).toISOString(),
    },
    {
      name: 'Welcome',
      kind: 'coupon',
      code: COUPON,
      percentOff: 10,
      minSubtotalCents: 1000,
      maxPerCustomer: 1,
      maxRedemptions: 100,
    },
    { name: 'Thank you', kind: 'number_list', numberListId, percentOff: 5 },
  ];
  for (const body of offers) {
    if (promotions.some(({ name }) => name === body.name)) continue;
    await client.createPromotion({ workspaceId, body }, { idempotencyKey: stage.id('promotion', body.name) });
  }
}

async function failingEndpoint({ client, workspaceId, execute }: SeedStage): Promise<void> {
  const find = async () =>
    (await client.listWebhookEndpoints({ workspaceId })).endpoints.find(({ url }) => url === FAILING_URL);
  let endpoint = await find();
  if (endpoint === undefined) {
    await execute('listeners.open', { owner: 'store', id: workspaceId, url: FAILING_URL, events: RECEIVED });
    endpoint = await find();
  }
  // The next `suuq listen` removes abandoned listeners. An endpoint with another description is not one of them.
  if (endpoint !== undefined && endpoint.description !== FAILING)
    await client.updateWebhookEndpoint({ workspaceId, endpointId: endpoint.id, body: { description: FAILING } });
}

/** Waits for the channel's verdict on the item that its reviewers reject. */
export async function rejectedItem(stage: SeedStage): Promise<void> {
  const { client, workspaceId } = stage;
  await stage.until('the rejection of an item', async () => {
    const { products } = await client.listProducts({ workspaceId, status: 'rejected' });
    return products.find(({ externalId }) => externalId === REJECTED);
  });
}

/** Choices of customers at checkout. The store may have settings of its own. */
export interface Terms {
  /** Names of the active delivery areas; empty: pickup only. */
  readonly areas: readonly string[];
  readonly pickup: boolean;
  readonly cash: boolean;
  readonly wallet: string;
}

async function termsOf({ client, workspaceId }: SeedStage): Promise<Terms> {
  const delivery = await client.getDeliverySettings({ workspaceId });
  const { wallets } = await client.getPaymentSettings({ workspaceId });
  const active = delivery.areas.filter((area) => area.active).map(({ name }) => name);
  return {
    areas: delivery.deliveryEnabled ? active : [],
    pickup: delivery.pickupEnabled,
    cash: delivery.cashOnDelivery === true,
    wallet: wallets[0]!,
  };
}

/** Makes all that orders need, and returns what customers may choose. `now`: ms since 1970. */
export async function openShop(stage: SeedStage, now: number): Promise<Terms> {
  await fillCatalog(stage);
  await deliver(stage);
  await acceptPayments(stage);
  await promote(stage, now);
  await failingEndpoint(stage);
  return termsOf(stage);
}
