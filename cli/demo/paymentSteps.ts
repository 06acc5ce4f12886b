/** The demo's chapters on promotions and payments. */
import { text } from '../../application/texts/texts.js';
import type { Events, WebhookEvent } from '../../client/src/index.js';
import { Client, check, expect, money } from './client.js';
import { Customer } from './customer.js';
import { eventually } from './stage.js';
import type { Scene } from './story.js';

const LAYLA = '252615550103';
/** In the sandbox a wallet whose number ends like this has too little money. */
const EMPTY_WALLET = '252615559902';

/** A flash sale, a coupon, and a discount for the numbers of a list. */
export async function promote({ partner, workspaceId, print }: Scene): Promise<void> {
  print('# The store makes offers');
  const sale = { kind: 'flash_sale', scope: 'products', productExternalIds: ['SKU-07'], percentOff: 20 } as const;
  await partner.createPromotion({ workspaceId, body: { name: 'Eid sale', ...sale } });
  const coupon = { name: 'Welcome', kind: 'coupon', code: 'WELCOME', percentOff: 25 } as const;
  await partner.createPromotion({ workspaceId, body: coupon });
  const list = { name: 'Best customers', kind: 'uploaded', phones: [`+${LAYLA}`, '+252 61 5550199'] } as const;
  const { id: numberListId } = await partner.createNumberList({ workspaceId, body: list });
  const thanks = { name: 'Thank you', kind: 'number_list', numberListId, percentOff: 10 } as const;
  await partner.createPromotion({ workspaceId, body: thanks });
  print('  a flash sale of 20 % on SKU-07, the coupon WELCOME for 25 %, 10 % for two numbers');
}

/** The store's account at the provider, checked without charging anybody. */
async function takePayments({ partner, workspaceId, print }: Scene): Promise<void> {
  const key = '1000297:API-1901083745AHX';
  const account = { merchantId: 'M0912269', apiKey: key };
  const saved = await partner.savePaymentSettings({ workspaceId, body: account });
  expect('savePaymentSettings', saved, { saved: true, last4: '5AHX' });
  await partner.savePaymentWallets({ workspaceId, body: { wallets: ['evc_plus', 'zaad'] } });
  expect('checkPaymentKey', await partner.checkPaymentKey({ workspaceId }), { ok: true });
  const shown = await partner.getPaymentSettings({ workspaceId });
  check('the key is never shown', !JSON.stringify(shown).includes('1901083745'), shown);
  print(`  account ${shown.merchantId}, key ending in ${shown.last4}, wallets ${shown.wallets.join(', ')}`);
}

/** Payments in the provider's records. */
async function charged({ stage }: Scene, orderId: string): Promise<string[]> {
  const { body } = await new Client(stage.keys.sandbox.baseUrl).get('/sandbox/payments');
  return (body.payments as { reference: string; state: string; amount: string; asked: number; reversed: boolean }[])
    .filter(({ reference }) => reference.startsWith(orderId))
    .map(({ state, amount, asked, reversed }) => `${state} ${amount} ×${asked}${reversed ? ' refunded' : ''}`);
}

const isAboutPaying = (event: WebhookEvent): event is Events['order.paid'] | Events['order.payment_failed'] =>
  event.type === 'order.paid' || event.type === 'order.payment_failed';

/** A customer whose first payment fails, and whose second one succeeds; then the store cancels the order. */
export async function pay(scene: Scene): Promise<void> {
  const { partner, workspaceId, stage, channel, receiver, print } = scene;
  print('# A customer pays, at the second try');
  await takePayments(scene);
  const layla = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, LAYLA, 'Layla');
  await layla.sendCart([{ retailerId: 'SKU-07', quantity: 1 }]);
  const form = await layla.checkoutForm();
  print(`  ${layla.name} reads: "${form.text.replaceAll('\n', ' ')}"`);
  // The form's token is the order's id.
  const id = form.token;
  const order = { workspaceId, orderId: id };
  const until = (what: string, status: string) =>
    eventually(
      what,
      () => partner.getOrder(order),
      (seen) => seen.status === status,
    );
  const placed = await until('the order is shown', 'new');
  expect('the sale price, without her 10 %', placed.totalCents, 1200);
  const answers = { fulfilment: 'pickup', name: 'Layla Omar', coupon: 'welcome' };
  await layla.checkOut(form.token, { ...answers, wallet: 'evc_plus', wallet_phone: EMPTY_WALLET });
  const [, question] = await layla.reads('the confirmation, and the question about the other number', 2);
  print(`  ${layla.name} reads: "${question?.text?.replaceAll('\n', ' ')}"`);
  await layla.send({ choice: { title: text('en', 'payments.numberIsRight') } });
  const [, failure] = await layla.reads('the confirmation, and the reason of the failed payment', 2);
  const waiting = await until('the order waits', 'awaiting_payment');
  expect(
    'the coupon is better than the flash sale',
    [waiting.items?.[0]?.unitPriceCents, waiting.totalCents, waiting.discountReason],
    [1500, 1125, 'Welcome (WELCOME); not combinable with it: Eid sale, Thank you'],
  );
  print(`  checked out with the coupon: ${money(waiting.totalCents)}, ${waiting.status}`);
  print(`  ${layla.name} reads: "${failure?.text?.replaceAll('\n', ' ')}"`);
  await layla.checkOut(failure?.flow?.token ?? '', { wallet: 'zaad', wallet_phone: LAYLA });
  await until('the second payment arrives', 'paid');
  await layla.reads('the confirmation, and the receipt', 2);
  expect('charges', await charged(scene, id), ['DECLINED 11.25 ×1', 'APPROVED 11.25 ×1']);
  const reported = await eventually(
    'the endpoint receives events of both payments',
    async () => receiver.events.filter(isAboutPaying),
    (list) => list.length >= 2,
  );
  const bodies = reported.map(({ type, data }) => `${type}: ${data.order.status}`).sort();
  expect('webhooks', bodies, ['order.paid: paid', 'order.payment_failed: awaiting_payment']);
  print('  paid with another wallet, charged once; the endpoint got order.payment_failed and order.paid');

  const { status } = await partner.cancelOrder({ ...order, body: { reason: 'Sold in the shop' } });
  // The answer shows the order as it is by then: the money may be back already.
  check('it is cancelled', ['cancelled', 'refunded'].includes(status), status);
  const refunded = await until('the money is refunded', 'refunded');
  expect('charges', await charged(scene, id), ['DECLINED 11.25 ×1', 'APPROVED 11.25 ×1 refunded']);
  const kinds: string[] = (refunded.events ?? []).map(({ kind, toStatus }) => toStatus ?? kind);
  for (const step of ['awaiting_payment', 'payment_failed', 'paid', 'cancelled', 'refunded'])
    check(`the history has ${step}`, kinds.includes(step), kinds);
  print('  cancelled by the store: the payment and the order are refunded');
}

/** The flash sale in the channel's catalog. */
export async function onSale({ stage, channel, print }: Scene): Promise<void> {
  const sandbox = new Client(stage.keys.sandbox.baseUrl);
  const item = await eventually(
    'the flash sale is in the channel catalog',
    async () => {
      const { items } = (await sandbox.get(`/sandbox/catalogs/${channel.catalogId}/items`)).body;
      return (items as { retailerId: string; data: { price: string; sale_price?: string } }[]).find(
        ({ retailerId }) => retailerId === 'SKU-07',
      );
    },
    (found) => found?.data.sale_price !== undefined,
  );
  expect('price and sale price in the catalog', [item?.data.price, item?.data.sale_price], ['15.00 USD', '12.00 USD']);
  print(`  the channel catalog shows SKU-07 for ${item?.data.sale_price} instead of ${item?.data.price}`);
}
