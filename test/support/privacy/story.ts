/**
 * One customer with every kind of personal data: what she does at a store and receives, in every possible way, with
 * values that occur nowhere else.
 */
import { randomUUID } from 'node:crypto';
import { text } from '../../../application/texts/texts.js';
import { Customer } from '../../../cli/demo/customer.js';
import { createClient } from '../../../client/src/index.js';
import type { PersonalKind } from '../../../domain/personalFields.js';
import type { Demo } from '../../../harness/service/serviceProcess.js';
import { PIXEL } from '../conformance/areas/files.js';
import type { Receiver } from '../doubles/receiver.js';
import { until } from '../tools/until.js';

/** Values to search for, as they appear in JSON, by meaning. Phones have no `+`, since some places omit it. */
export const FAADUMO = {
  phone: '252615553377',
  name: 'Faadumo Ciise',
  channelName: 'Faadumo on the channel',
  contactPhone: '252615553388',
  wallet: '252615553399',
  address: 'Guriga cagaaran, Xamar Weyne 7',
  area: 'Xamar Weyne',
  latitude: 2.037_512,
  longitude: 45.343_217,
  place: 'Masjidka Arbaca Rukun',
  question: 'Do you have the green one in my size?',
  caption: 'This is the dress I mean',
  filename: 'faadumos-garden.pdf',
  friend: 'Saciid Walaalkeed',
  friendPhone: '252615553366',
  answer: 'Yes Faadumo, we have kept one for you.',
  cancelReason: 'She will come herself tomorrow',
} as const;

const KINDS: Readonly<Record<keyof typeof FAADUMO, PersonalKind>> = {
  phone: 'phone',
  name: 'name',
  channelName: 'name',
  contactPhone: 'phone',
  wallet: 'account',
  address: 'address',
  area: 'address',
  latitude: 'place',
  longitude: 'place',
  place: 'place',
  question: 'text',
  caption: 'text',
  filename: 'file',
  friend: 'name',
  friendPhone: 'phone',
  answer: 'text',
  cancelReason: 'text',
};

/**
 * Returns the kinds of her personal data that a text contains. The area alone is a setting of the store. `derived`: ids
 * derived from her number.
 */
export function kindsIn(text: string, derived: readonly string[] = []): readonly PersonalKind[] {
  const found = Object.entries(FAADUMO).filter(([name, value]) => name !== 'area' && text.includes(String(value)));
  const kinds = found.map(([name]) => KINDS[name as keyof typeof FAADUMO]);
  const isDerived = derived.some((id) => text.includes(id));
  return [...new Set([...kinds, ...(isDerived ? ['derivedId' as const] : [])])].sort();
}

/** Ids derived from her number: of her conversation and of her as a customer. */
interface Played {
  readonly derived: readonly string[];
}

/** Plays the story and returns when all of it is done. `target`: receives every event. */
export async function playStory(baseUrl: string, demo: Demo, target: Receiver): Promise<Played> {
  const { workspaceId } = demo.store;
  const store = createClient({ baseUrl, credential: demo.store.secretKey });
  const her = new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, FAADUMO.phone, FAADUMO.channelName);
  await store.createWebhookEndpoint({
    workspaceId,
    body: {
      url: target.url,
      description: 'All of it',
      events: ['order.created', 'order.checked_out', 'order.status_changed', 'message.received', 'message.updated'],
    },
  });
  const product = { name: 'Green dress', imageUrls: ['https://img.example.com/1.jpg'], priceCents: 1200 };
  await store.upsertProducts({ workspaceId, body: { products: [{ ...product, externalId: 'DRESS' }] } });
  await store.saveDeliverySettings({
    workspaceId,
    body: {
      deliveryEnabled: true,
      pickupEnabled: true,
      pickupAddress: 'Maka al-Mukarama Road 12',
      requestLocation: true,
      notifyStatuses: ['preparing', 'cancelled'],
      areas: [{ name: FAADUMO.area, feeCents: 150, active: true }],
    },
  });
  const list = { name: 'Best customers', kind: 'uploaded', phones: [`+${FAADUMO.phone}`] } as const;
  const { id: numberListId } = await store.createNumberList({ workspaceId, body: list });
  const thanks = { name: 'Thank you', kind: 'number_list', numberListId, percentOff: 10 } as const;
  await store.createPromotion({ workspaceId, body: thanks });
  await store.savePaymentSettings({
    workspaceId,
    body: { merchantId: 'M0912269', apiKey: '1000297:API-1901083745AHX' },
  });
  await store.savePaymentWallets({ workspaceId, body: { wallets: ['evc_plus'] } });

  const orders = async () => (await store.listOrders({ workspaceId, phone: `+${FAADUMO.phone}` })).orders;
  async function placed(before: readonly string[]): Promise<string> {
    await her.sendCart([{ retailerId: 'DRESS', quantity: 1 }]);
    let found: string | undefined;
    await until('her cart is an order', async () => {
      found = (await orders()).find(({ id }) => !before.includes(id))?.id;
      return found !== undefined;
    });
    return found!;
  }
  const orderId = await placed([]);
  // The form comes with the summary.
  await her.checkoutForm();
  const form = { fulfilment: 'delivery', area: FAADUMO.area, name: FAADUMO.name, address: FAADUMO.address };
  await her.checkOut(orderId, {
    ...form,
    phone: `+${FAADUMO.contactPhone}`,
    wallet: 'evc_plus',
    wallet_phone: FAADUMO.wallet,
  });
  const order = { workspaceId, orderId };
  await her.reads('the confirmation, and the question about the other number', 2);
  await her.send({ choice: { title: text('en', 'payments.numberIsRight') } });
  await until('it is checked out', async () => (await store.getOrder(order)).checkedOutAt !== undefined);
  await her.send({
    location: {
      latitude: FAADUMO.latitude,
      longitude: FAADUMO.longitude,
      name: FAADUMO.place,
      address: FAADUMO.address,
    },
  });
  await until('her pin is there', async () => (await store.getOrder(order)).location !== undefined);
  await her.send({ text: FAADUMO.question });
  await her.send({ image: { base64: PIXEL.toString('base64'), mimeType: 'image/png', caption: FAADUMO.caption } });
  const page = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n').toString('base64');
  await her.send({ document: { base64: page, mimeType: 'application/pdf', filename: FAADUMO.filename } });
  await her.send({ contacts: [{ name: FAADUMO.friend, phones: [`+${FAADUMO.friendPhone}`] }] });
  await her.calls();
  const { conversations } = await store.listConversations({ workspaceId });
  const { id: conversationId, contact } = conversations[0]!;
  const chat = { workspaceId, conversationId };
  await store.sendMessage({ ...chat, body: { clientMsgId: randomUUID(), type: 'text', text: FAADUMO.answer } });
  await until('she has paid', async () => (await store.getOrder(order)).status === 'paid');
  const second = { workspaceId, orderId: await placed([orderId]) };
  await store.cancelOrder({ ...second, body: { reason: FAADUMO.cancelReason } });
  await until('the endpoint has received the cancellation', async () =>
    target.received.some(({ raw }) => raw.includes(FAADUMO.cancelReason)),
  );
  await until('her files are copied', async () => {
    const { messages } = await store.listMessages({ ...chat, limit: 100 });
    return messages.filter(({ media }) => media?.status === 'ready').length === 2;
  });
  return { derived: [conversationId, contact.id] };
}
