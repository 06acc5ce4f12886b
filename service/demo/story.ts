import { Client, expect, holds, money } from './client.js';
import { Customer } from './customer.js';
import { type Channel, eventually, type Stage, type WebhookReceiver } from './stage.js';

export type Tell = (line: string) => void;

interface Scene {
  readonly stage: Stage;
  readonly receiver: WebhookReceiver;
  readonly tell: Tell;
  readonly partner: Client;
  readonly workspaceId: string;
  readonly channel: Channel;
  /** Paths of the new store. */
  readonly W: string;
  readonly C: string;
}

export const STORE_REF = 'hodan-fashion';
const COLOURS = ['Indigo', 'Sand', 'Coral', 'Olive'];
const KINDS = ['Dress', 'Shawl', 'Shirt', 'Scarf', 'Skirt', 'Jacket', 'Abaya', 'Hat', 'Belt', 'Bag'];

/** Forty products, some with sizes; one that the provider will refuse. */
const products = Array.from({ length: 40 }, (_, n) => {
  const kind = KINDS[n % KINDS.length]!;
  const name = `${COLOURS[Math.floor(n / KINDS.length)]} ${kind.toLowerCase()}`;
  return {
    externalId: `SKU-${String(n + 1).padStart(2, '0')}`,
    name: n === 39 ? `${name} [reject]` : name,
    description: `A ${name} from this season, made in Mogadishu.`,
    imageUrls: [`https://images.example.com/${kind.toLowerCase()}/${n}.jpg`],
    priceCents: 1200 + n * 50,
    categoryExternalId: n % 2 === 0 ? 'clothing' : 'accessories',
    ...(n % 4 === 0
      ? {
          variants: ['S', 'M', 'L'].map((size, i) => ({
            externalId: `SKU-${String(n + 1).padStart(2, '0')}-${size}`,
            size,
            color: COLOURS[Math.floor(n / KINDS.length)],
            ...(i === 2 ? { priceCents: 1400 + n * 50 } : {}),
          })),
        }
      : {}),
  };
});

export async function createStore(
  stage: Stage,
  tell: Tell,
): Promise<Pick<Scene, 'partner' | 'workspaceId' | 'channel' | 'W' | 'C'>> {
  tell('# A partner creates a store');
  const partner = new Client(stage.keys.baseUrl, stage.keys.partner.secretKey);
  const order = {
    externalRef: STORE_REF,
    name: "Hodan's Fashion",
    owner: { email: 'hodan@example.com', name: 'Hodan Ali' },
    country: 'SO',
    timezone: 'Africa/Mogadishu',
    locale: 'en',
  };
  const created = await partner.post('/api/v1/partner/stores', order);
  expect('createPartnerStore', created.status, 201);
  expect(
    'a second create with the same externalRef',
    (await partner.post('/api/v1/partner/stores', order)).status,
    200,
  );
  const workspaceId: string = created.body.workspaceId;
  tell(`  createPartnerStore → 201, workspace ${workspaceId}; once more → 200 with the same store`);
  const channel = JSON.parse(
    stage.operator('admin', 'numbers', 'connect', '--workspace', workspaceId, '--json'),
  ) as Channel;
  tell(`  the operator connects a channel number: ${channel.displayPhoneNumber}, catalog ${channel.catalogId}`);
  const W = `/api/v1/workspaces/${workspaceId}`;
  return { partner, workspaceId, channel, W, C: `${W}/commerce` };
}

export async function fillCatalog({ partner, C, tell }: Scene): Promise<void> {
  tell('# The store uploads its catalog');
  const put = await partner.put(`${C}/categories`, {
    categories: [
      { externalId: 'clothing', name: 'Clothing' },
      { externalId: 'accessories', name: 'Accessories' },
    ],
  });
  expect('upsertProductCategories', put.status, 200);
  const batch = await partner.post(`${C}/products/batch`, { products });
  expect('upsertProducts', batch.status, 200);
  expect('results', batch.body.results.length, 40);
  const listed = await partner.get(`${C}/products?limit=200`);
  const statuses = new Set(listed.body.products.map((p: { sync: { status: string } }) => p.sync.status));
  holds('new products are queued for the next push', statuses.has('queued') || statuses.has('in_review'), [
    ...statuses,
  ]);
  tell('  2 categories, 40 products in one batch, 10 of them in three sizes');
  tell(`  listProducts right after: ${[...statuses].join(', ')}`);

  const seen = new Set<string>(statuses as Set<string>);
  const done = await eventually(
    'the catalog is reviewed',
    async () => {
      const page = (await partner.get(`${C}/products?limit=200`)).body.products as ListedProduct[];
      for (const p of page) seen.add(p.sync.status);
      return page;
    },
    (page) => page.every((p) => p.sync.status === 'approved' || p.sync.status === 'rejected'),
  );
  for (const status of ['queued', 'in_review', 'approved', 'rejected'])
    holds(`listProducts showed '${status}'`, seen.has(status), [...seen]);
  const rejected = done.filter((p) => p.sync.status === 'rejected');
  expect('rejected products', rejected.length, 1);
  holds('the rejection has a reason', Boolean(rejected[0]?.sync.reason), rejected[0]?.sync);
  tell(`  pushed and reviewed: 39 approved, 1 rejected (${rejected[0]?.name}: ${rejected[0]?.sync.reason})`);
}

interface ListedProduct {
  readonly name: string;
  readonly sync: { readonly status: string; readonly reason?: string };
}

export async function settle({ partner, W, C, receiver, tell }: Scene): Promise<void> {
  tell('# The store says how it delivers, and where it wants to be told');
  const saved = await partner.put(`${C}/delivery`, {
    deliveryEnabled: true,
    pickupEnabled: true,
    pickupAddress: 'Maka al-Mukarama Road 12, Mogadishu',
    requestLocation: false,
    notifyStatuses: ['paid', 'preparing', 'out_for_delivery', 'delivered', 'cancelled', 'refunded'],
    areas: [
      { name: 'Hodan', feeCents: 150, active: true },
      { name: 'Wadajir', feeCents: 250, active: true },
    ],
    freeDeliveryAboveCents: 50_000,
  });
  expect('saveDeliverySettings', saved.status, 200);
  expect('saved', saved.body.saved, true);
  const endpoint = await partner.post(`${W}/webhook-endpoints`, {
    url: await receiver.listen(),
    events: [
      ...['order.created', 'order.checked_out', 'order.paid', 'order.payment_failed', 'order.status_changed'],
      ...['message.received', 'message.updated', 'call.missed'],
    ],
    description: 'The demo',
  });
  // A partner key acts in its own stores through the workspace paths.
  expect('createWebhookEndpoint', endpoint.status, 201);
  receiver.secret = endpoint.body.secret;
  tell(`  two delivery areas; webhook endpoint ${endpoint.body.endpoint.secretMasked} listens`);
}

export async function buy(scene: Scene): Promise<string> {
  const { partner, C, stage, channel, tell } = scene;
  tell('# A customer sends a cart, and checks out');
  const asha = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, '252615550101', 'Asha');
  await asha.sendCart([
    { retailerId: 'SKU-01-M', quantity: 2 },
    { retailerId: 'SKU-02', quantity: 1 },
    { retailerId: 'SKU-99', quantity: 1 },
  ]);
  const [row] = await eventually(
    'the cart is an order',
    async () => (await partner.get(`${C}/orders?phone=%2B252615550101`)).body.orders as { id: string }[],
    (orders) => orders.length === 1,
  );
  const placed = (await partner.get(`${C}/orders/${row?.id}`)).body;
  expect('subtotal: 2 × $12.00 + $12.50', placed.subtotalCents, 3650);
  expect('status', placed.status, 'new');
  holds('the note names the line that was left out', placed.note?.includes('SKU-99'), placed.note);
  tell(`  order no. ${placed.number}: ${placed.itemCount} items, ${money(placed.totalCents)}; note: ${placed.note}`);
  const form = await asha.checkoutForm();
  tell(`  ${asha.name} reads: "${form.text.replaceAll('\n', ' ')}"`);
  await asha.checkOut(form.token, { fulfilment: 'delivery', area: 'Wadajir', name: 'Asha Warsame' });
  const checkedOut = await eventually(
    'the order is checked out',
    async () => (await partner.get(`${C}/orders/${placed.id}`)).body,
    (order) => order.checkedOutAt !== undefined,
  );
  expect('delivery fee of Wadajir', checkedOut.deliveryFeeCents, 250);
  expect('total', checkedOut.totalCents, 3900);
  expect('name', checkedOut.customerName, 'Asha Warsame');
  tell(`  checked out: delivery to ${checkedOut.deliveryArea}, ${money(checkedOut.totalCents)} with the fee`);

  await asha.reads('the confirmation', 1);
  for (const status of ['preparing', 'out_for_delivery', 'delivered']) {
    const moved = await partner.post(`${C}/orders/${placed.id}/status`, { status });
    expect(`setOrderStatus ${status}`, [moved.status, moved.body.status], [200, status]);
    await asha.reads(`the message for ${status}`, 1);
  }
  const back = await partner.post(`${C}/orders/${placed.id}/status`, { status: 'preparing' });
  expect('a move backwards', [back.status, back.body.code], [409, 'order_status_not_allowed']);
  tell(`  preparing → out for delivery → delivered; ${asha.name} got a message for each; backwards is refused`);
  return placed.id;
}

export async function cancel({ partner, C, stage, channel, tell }: Scene): Promise<void> {
  tell('# Another order is cancelled');
  const ismail = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, '252615550102', 'Ismail');
  await ismail.sendCart([{ retailerId: 'SKU-03', quantity: 1 }]);
  const [row] = await eventually(
    'the second order',
    async () => (await partner.get(`${C}/orders?phone=%2B252615550102`)).body.orders as { id: string }[],
    (orders) => orders.length === 1,
  );
  const cancelled = await partner.post(`${C}/orders/${row?.id}/cancel`, { reason: 'Out of indigo cloth' });
  expect('cancelOrder', [cancelled.status, cancelled.body.status], [200, 'cancelled']);
  expect('reason', cancelled.body.cancelReason, 'Out of indigo cloth');
  await ismail.reads('the message for cancelled', 2);
  tell(`  order no. ${cancelled.body.number} cancelled: ${cancelled.body.cancelReason}`);
}

export async function checkWebhooks({ receiver, workspaceId, tell }: Scene, orderId: string): Promise<void> {
  tell('# The endpoint has heard of all of it');
  const wanted = ['preparing', 'out_for_delivery', 'delivered'];
  // Of this order: other orders' moves may arrive before or after.
  const events = await eventually(
    'order.status_changed for each move',
    async () =>
      receiver.events.filter(
        ({ type, data }) => type === 'order.status_changed' && (data.order as { id: string }).id === orderId,
      ),
    (list) => list.length >= wanted.length,
  );
  expect('wrongly signed deliveries', receiver.wronglySigned.length, 0);
  const statuses = events.map(({ data }) => (data.order as { status: string }).status);
  expect('statuses as they were then', statuses.sort(), [...wanted].sort());
  expect('envelope', [events[0]?.workspaceId, events[0]?.partner], [workspaceId, { storeExternalRef: STORE_REF }]);
  tell(
    `  ${receiver.events.length} events, every signature right: ${[...new Set(receiver.events.map((e) => e.type))].join(', ')}`,
  );
}

export async function lookBack({ partner, C, stage, tell }: Scene, orderId: string): Promise<void> {
  tell('# The history');
  const history = await eventually(
    'the history of the order is complete',
    async () =>
      (await partner.get(`${C}/orders/${orderId}`)).body.events as { kind: string; toStatus?: string; at: string }[],
    (list) => list.filter((e) => e.kind === 'customer_notified').length === 3,
  );
  const kinds = history.map((e) => e.kind);
  for (const kind of ['created', 'summary_sent', 'checkout', 'status_changed', 'customer_notified'])
    holds(`getOrder's history has ${kind}`, kinds.includes(kind), kinds);
  tell(`  getOrder: ${kinds.join(', ')}`);
  const preparing = history.find((e) => e.toStatus === 'preparing');
  const now = JSON.parse(stage.operator('history', 'order', orderId, '--json')) as { order: { status: string } };
  const then = JSON.parse(stage.operator('history', 'order', orderId, '--at', preparing?.at ?? '', '--json')) as {
    order: { status: string };
  };
  expect('suuq history order', now.order.status, 'delivered');
  expect(`suuq history order --at ${preparing?.at}`, then.order.status, 'preparing');
  tell(`  suuq history order: delivered; --at ${preparing?.at}: ${then.order.status}`);
  for (const line of stage.operator('history', 'order', orderId).trimEnd().split('\n')) tell(`    ${line}`);
}

export type { Scene };
