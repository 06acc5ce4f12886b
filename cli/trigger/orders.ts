/** A customer's order, as far as an event needs it: from the cart to the money that goes back. */
import type { Answer } from '../../client/src/client.js';
import { UsageError } from '../../service/admin/declaration.js';
import { putSample } from './samples.js';
import { type Scene, until } from './scene.js';

type Order = Answer<'getOrder'>;

const PRICE_CENTS = 1_500;
const MOST = 1_000_000;

/** Throws UsageError. */
function wholeNumber({ set }: Scene, name: string, otherwise: number): number {
  const text = set(name);
  if (text === undefined) return otherwise;
  if (/^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST) return Number(text);
  throw new UsageError(`--set ${name}=${text}: it must be a whole number from 1 to ${MOST}`);
}

/** One that can be bought: the one that is named, or a sample of this command's own. */
async function productFor(scene: Scene): Promise<string> {
  const named = scene.set('product');
  if (named !== undefined) return named;
  return putSample(scene, 'suuq-trigger', { priceCents: wholeNumber(scene, 'amount', PRICE_CENTS) });
}

/** `order.created`. */
export async function placed(scene: Scene): Promise<Order> {
  const { client, workspaceId, customer } = scene;
  const item = { retailerId: await productFor(scene), quantity: wholeNumber(scene, 'quantity', 1) };
  await customer.send({ cart: { items: [item] } });
  const [row] = await until(
    'the order',
    async () => (await client.listOrders({ workspaceId, phone: customer.phone })).orders,
    (orders) => orders.length > 0,
  );
  return client.getOrder({ workspaceId, orderId: row!.id });
}

const readOrder =
  ({ client, workspaceId }: Scene, orderId: string) =>
  (): Promise<Order> =>
    client.getOrder({ workspaceId, orderId });

async function fulfilment({ client, workspaceId }: Scene): Promise<object> {
  const { pickupEnabled, areas } = await client.getDeliverySettings({ workspaceId });
  const area = areas.find(({ active }) => active);
  return pickupEnabled || area === undefined ? { fulfilment: 'pickup' } : { fulfilment: 'delivery', area: area.name };
}

/** The wallet that the form offers, unless the store takes no money by them. */
async function walletOf({ client, workspaceId }: Scene): Promise<string | undefined> {
  const { wallets } = await client.getPaymentSettings({ workspaceId });
  return wallets[0];
}

/** `order.checked_out`; with a wallet, where the store has one, paid from the customer's own number. */
export async function checkedOut(scene: Scene): Promise<Order> {
  const { id } = await placed(scene);
  const { customer } = scene;
  await customer.formFor(id);
  const wallet = await walletOf(scene);
  const paying = wallet === undefined ? {} : { wallet, wallet_phone: customer.phone.slice(1) };
  const answers = { name: scene.set('name') ?? 'Trigger', ...(await fulfilment(scene)), ...paying };
  await customer.send({ checkout: { flowToken: id, ...answers } });
  return until('the checkout', readOrder(scene, id), ({ checkedOutAt }) => checkedOutAt !== undefined);
}

/** An account at the sandbox's payment provider, where the store has none. */
async function takePayments({ client, workspaceId }: Scene): Promise<void> {
  const { wallets, saved } = await client.getPaymentSettings({ workspaceId });
  if (!saved) {
    const account = { merchantId: 'M0000001', apiKey: '1000001:suuq-trigger' };
    await client.savePaymentSettings({ workspaceId, body: account });
  }
  if (wallets.length === 0) await client.savePaymentWallets({ workspaceId, body: { wallets: ['evc_plus'] } });
}

/** `order.paid`. */
export async function paid(scene: Scene): Promise<Order> {
  await takePayments(scene);
  const { id } = await checkedOut(scene);
  return until('the payment', readOrder(scene, id), ({ status }) => status === 'paid');
}

/** `order.payment_failed`: the customer's number is one whose wallet has too little money. */
export async function notPaid(scene: Scene): Promise<Order> {
  await takePayments(scene);
  const { id } = await checkedOut(scene);
  return until('the failure of the payment', readOrder(scene, id), ({ events = [] }) =>
    events.some(({ kind }) => kind === 'payment_failed'),
  );
}

const STATUSES = ['preparing', 'out_for_delivery', 'delivered'] as const;

/** `order.status_changed`, as often as it takes. Throws UsageError. */
export async function moved(scene: Scene): Promise<Order> {
  const { client, workspaceId } = scene;
  const requested = scene.set('status') ?? 'preparing';
  const last = (STATUSES as readonly string[]).indexOf(requested);
  if (requested === 'cancelled') {
    const { id } = await placed(scene);
    return client.cancelOrder({ workspaceId, orderId: id, body: { reason: reasonOf(scene) } });
  }
  if (last === -1)
    throw new UsageError(`--set status=${requested}: it must be one of ${STATUSES.join(', ')}, cancelled`);
  const { id } = (await walletOf(scene)) === undefined ? await checkedOut(scene) : await paid(scene);
  // An order that is picked up is never out for delivery.
  for (const status of STATUSES.slice(0, last + 1)) {
    const { nextStatuses } = await readOrder(scene, id)();
    if (status === requested || nextStatuses.includes(status))
      await client.setOrderStatus({ workspaceId, orderId: id, body: { status } });
  }
  return readOrder(scene, id)();
}

const reasonOf = ({ set }: Scene): string => set('reason') ?? 'Made by suuq trigger';

/** `order.refunded`. */
export async function refunded(scene: Scene): Promise<Order> {
  const { id } = await paid(scene);
  await scene.client.cancelOrder({
    workspaceId: scene.workspaceId,
    orderId: id,
    body: { reason: reasonOf(scene) },
  });
  return until('the refund', readOrder(scene, id), ({ status }) => status === 'refunded');
}
