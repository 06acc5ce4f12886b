import { createClient, type Events, type Schemas, type Suuq } from '../../client/src/index.js';
import { check, expect, money, refusal } from './client.js';
import { Customer } from './customer.js';
import { PATIENT, repeated } from './retries.js';
import { type Channel, eventually, type Stage, type WebhookReceiver } from './stage.js';

export type Print = (line: string) => void;

interface Scene {
  readonly stage: Stage;
  readonly receiver: WebhookReceiver;
  readonly print: Print;
  readonly partner: Suuq;
  readonly workspaceId: string;
  readonly channel: Channel;
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
  print: Print,
): Promise<Pick<Scene, 'partner' | 'workspaceId' | 'channel'>> {
  print('# A partner creates a store');
  const partner = createClient({ baseUrl: stage.keys.baseUrl, credential: stage.keys.partner.secretKey, ...PATIENT });
  const body = {
    externalRef: STORE_REF,
    name: "Hodan's Fashion",
    owner: { email: 'hodan@example.com', name: 'Hodan Ali' },
    country: 'SO',
    timezone: 'Africa/Mogadishu',
    locale: 'en',
  } as const;
  const created = await partner.createPartnerStore.answer({ body });
  // A repetition finds the store that the first try has made.
  const isNew = created.status === 201 || (created.status === 200 && repeated() !== undefined);
  check('createPartnerStore makes a store', isNew, created.status);
  expect('a second create with the same externalRef', (await partner.createPartnerStore.answer({ body })).status, 200);
  const { workspaceId } = created.body;
  print(`  createPartnerStore → ${created.status}, workspace ${workspaceId}; once more → 200 with the same store`);
  const channel = JSON.parse(
    stage.operator('admin', 'numbers', 'connect', '--workspace', workspaceId, '--json'),
  ) as Channel;
  print(`  the operator connects a channel number: ${channel.displayPhoneNumber}, catalog ${channel.catalogId}`);
  return { partner, workspaceId, channel };
}

export async function fillCatalog({ partner, workspaceId, print }: Scene): Promise<void> {
  print('# The store uploads its catalog');
  const categories = [
    { externalId: 'clothing', name: 'Clothing' },
    { externalId: 'accessories', name: 'Accessories' },
  ];
  await partner.upsertProductCategories({ workspaceId, body: { categories } });
  const { results } = await partner.upsertProducts({ workspaceId, body: { products } });
  expect('results', results.length, 40);
  const listed = await partner.listProducts({ workspaceId, limit: 200 });
  const statuses = new Set<string>(listed.products.map(({ sync }) => sync.status));
  check('new products are queued for the next push', statuses.has('queued') || statuses.has('in_review'), [
    ...statuses,
  ]);
  print('  2 categories, 40 products in one batch, 10 of them in three sizes');
  print(`  listProducts right after: ${[...statuses].join(', ')}`);

  const seen = new Set(statuses);
  const done = await eventually(
    'the catalog is reviewed',
    async () => {
      const all: Schemas['ProductBody'][] = [];
      for await (const product of partner.listProducts.each({ workspaceId, limit: 30 })) all.push(product);
      for (const { sync } of all) seen.add(sync.status);
      return all;
    },
    (page) => page.every((p) => p.sync.status === 'approved' || p.sync.status === 'rejected'),
  );
  // What comes before them lasts a moment, and may be over between two looks on a busy machine.
  for (const status of ['approved', 'rejected']) check(`listProducts showed '${status}'`, seen.has(status), [...seen]);
  const rejected = done.filter((p) => p.sync.status === 'rejected');
  expect('rejected products', rejected.length, 1);
  check('the rejection has a reason', Boolean(rejected[0]?.sync.reason), rejected[0]?.sync);
  print(`  pushed and reviewed: 39 approved, 1 rejected (${rejected[0]?.name}: ${rejected[0]?.sync.reason})`);
}

const EVENTS = [
  ...(['order.created', 'order.checked_out', 'order.paid', 'order.payment_failed', 'order.status_changed'] as const),
  ...(['message.received', 'message.updated', 'call.missed'] as const),
];

export async function settle({ partner, workspaceId, receiver, print }: Scene): Promise<void> {
  print('# The store sets its delivery areas and a webhook endpoint');
  const { saved } = await partner.saveDeliverySettings({
    workspaceId,
    body: {
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
    },
  });
  expect('saved', saved, true);
  // A partner key acts in its own stores through the workspace paths.
  const { endpoint, secret } = await partner.createWebhookEndpoint({
    workspaceId,
    body: { url: await receiver.listen(), events: EVENTS, description: 'The demo' },
  });
  receiver.secret = secret ?? '';
  print(`  two delivery areas; webhook endpoint ${endpoint.secretMasked} listens`);
}

export async function buy(scene: Scene): Promise<string> {
  const { partner, workspaceId, stage, channel, print } = scene;
  print('# A customer sends a cart, and checks out');
  const asha = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, '252615550101', 'Asha');
  await asha.sendCart([
    { retailerId: 'SKU-01-M', quantity: 2 },
    { retailerId: 'SKU-02', quantity: 1 },
    { retailerId: 'SKU-99', quantity: 1 },
  ]);
  const [row] = await eventually(
    'the cart is an order',
    async () => (await partner.listOrders({ workspaceId, phone: '+252615550101' })).orders,
    (orders) => orders.length === 1,
  );
  const placed = await partner.getOrder({ workspaceId, orderId: row!.id });
  expect('subtotal: 2 × $12.00 + $12.50', placed.subtotalCents, 3650);
  expect('status', placed.status, 'new');
  check('the note names the line that was left out', placed.note?.includes('SKU-99') === true, placed.note);
  print(`  order no. ${placed.number}: ${placed.itemCount} items, ${money(placed.totalCents)}; note: ${placed.note}`);
  const form = await asha.checkoutForm();
  print(`  ${asha.name} reads: "${form.text.replaceAll('\n', ' ')}"`);
  await asha.checkOut(form.token, { fulfilment: 'delivery', area: 'Wadajir', name: 'Asha Warsame' });
  const checkedOut = await eventually(
    'the order is checked out',
    () => partner.getOrder({ workspaceId, orderId: placed.id }),
    (order) => order.checkedOutAt !== undefined,
  );
  expect('delivery fee of Wadajir', checkedOut.deliveryFeeCents, 250);
  expect('total', checkedOut.totalCents, 3900);
  expect('name', checkedOut.customerName, 'Asha Warsame');
  print(`  checked out: delivery to ${checkedOut.deliveryArea}, ${money(checkedOut.totalCents)} with the fee`);

  await asha.reads('the confirmation', 1);
  const move = (status: 'preparing' | 'out_for_delivery' | 'delivered') =>
    partner.setOrderStatus({ workspaceId, orderId: placed.id, body: { status } });
  for (const status of ['preparing', 'out_for_delivery', 'delivered'] as const) {
    expect(`setOrderStatus ${status}`, (await move(status)).status, status);
    await asha.reads(`the message for ${status}`, 1);
  }
  expect('a move backwards', await refusal(move('preparing')), 'order_status_not_allowed');
  print(`  preparing → out for delivery → delivered; ${asha.name} got a message for each; backwards is refused`);
  return placed.id;
}

export async function cancel({ partner, workspaceId, stage, channel, print }: Scene): Promise<void> {
  print('# Another order is cancelled');
  const ismail = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, '252615550102', 'Ismail');
  await ismail.sendCart([{ retailerId: 'SKU-03', quantity: 1 }]);
  const [row] = await eventually(
    'the second order',
    async () => (await partner.listOrders({ workspaceId, phone: '+252615550102' })).orders,
    (orders) => orders.length === 1,
  );
  const reason = 'Out of indigo cloth';
  const cancelled = await partner.cancelOrder({ workspaceId, orderId: row!.id, body: { reason } });
  expect('cancelOrder', [cancelled.status, cancelled.cancelReason], ['cancelled', reason]);
  await ismail.reads('the message for cancelled', 2);
  print(`  order no. ${cancelled.number} cancelled: ${cancelled.cancelReason}`);
}

export async function checkWebhooks({ receiver, workspaceId, print }: Scene, orderId: string): Promise<void> {
  print('# The endpoint has received all events');
  const requested = ['preparing', 'out_for_delivery', 'delivered'];
  // Of this order: other orders' moves may arrive before or after.
  const events = await eventually(
    'order.status_changed for each move',
    async () =>
      receiver.events
        .filter((event): event is Events['order.status_changed'] => event.type === 'order.status_changed')
        .filter(({ data }) => data.order.id === orderId),
    (list) => list.length >= requested.length,
  );
  expect('wrongly signed deliveries', receiver.wronglySigned.length, 0);
  const statuses: string[] = events.map(({ data }) => data.order.status);
  expect('statuses at the time of each event', statuses.sort(), [...requested].sort());
  expect('envelope', [events[0]?.workspaceId, events[0]?.partner], [workspaceId, { storeExternalRef: STORE_REF }]);
  print(
    `  ${receiver.events.length} events, all with valid signatures: ${[...new Set(receiver.events.map((e) => e.type))].join(', ')}`,
  );
}

export async function showHistory({ partner, workspaceId, stage, print }: Scene, orderId: string): Promise<void> {
  print('# The history');
  const history = await eventually(
    'the history of the order is complete',
    async () => (await partner.getOrder({ workspaceId, orderId })).events ?? [],
    (list) => list.filter((e) => e.kind === 'customer_notified').length === 3,
  );
  const kinds: string[] = history.map((e) => e.kind);
  for (const kind of ['created', 'summary_sent', 'checkout', 'status_changed', 'customer_notified'])
    check(`getOrder's history has ${kind}`, kinds.includes(kind), kinds);
  print(`  getOrder: ${kinds.join(', ')}`);
  const preparing = history.find((e) => e.toStatus === 'preparing');
  const now = JSON.parse(stage.operator('history', 'order', orderId, '--json')) as { order: { status: string } };
  const then = JSON.parse(stage.operator('history', 'order', orderId, '--at', preparing?.at ?? '', '--json')) as {
    order: { status: string };
  };
  expect('suuq history order', now.order.status, 'delivered');
  expect(`suuq history order --at ${preparing?.at}`, then.order.status, 'preparing');
  print(`  suuq history order: delivered; --at ${preparing?.at}: ${then.order.status}`);
  for (const line of stage.operator('history', 'order', orderId).trimEnd().split('\n')) print(`    ${line}`);
}

export type { Scene };
