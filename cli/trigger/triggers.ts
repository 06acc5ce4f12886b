/** How each type of webhook event is made to happen: as a customer in the sandbox, and as the store by the API. */
import { randomInt } from 'node:crypto';
import { refuse } from '../../domain/decider.js';
import type { EventType } from '../../domain/webhooks/eventTypes.js';
import { UsageError } from '../../service/admin/declaration.js';
import { checkedOut, moved, notPaid, paid, placed, refunded } from './orders.js';
import { putSample, readSample } from './samples.js';
import { type Scene, until } from './scene.js';

export interface Trigger {
  /** Names and descriptions of `--set`. */
  readonly set: Readonly<Record<string, string>>;
  /** Ending of the customer's phone, by which the sandbox knows how its wallet pays. */
  readonly ending?: string;
  /** Answers what came of it. */
  run(scene: Scene): Promise<object>;
}

const CUSTOMER = { phone: "the customer's number, digits alone" };
const CART = {
  ...CUSTOMER,
  product: 'the externalId of a product of yours',
  amount: "the sample product's price, in cents",
  quantity: 'of the product',
};
const CHECKOUT = { ...CART, name: "the customer's, at checkout" };

type Order = Awaited<ReturnType<typeof placed>>;

const ofOrder =
  (make: (scene: Scene) => Promise<Order>) =>
  async (scene: Scene): Promise<object> => {
    const { id, number, status, totalCents } = await make(scene);
    return { orderId: id, number, status, totalCents, phone: scene.customer.phone };
  };

/** New conversations are among the newest. */
const LOOKED = 50;

async function conversationOf({ client, workspaceId, customer }: Scene): Promise<object> {
  const isTheirs = ({ contact }: { readonly contact: { readonly phone?: string } }): boolean =>
    contact.phone === customer.phone;
  const found = await until(
    'the conversation',
    async () => (await client.listConversations({ workspaceId, limit: LOOKED })).conversations.find(isTheirs),
    (one) => one !== undefined,
  );
  return { conversationId: found!.id, phone: customer.phone };
}

async function received(scene: Scene): Promise<object> {
  await scene.customer.send({ text: scene.set('text') ?? 'Hello from suuq trigger' });
  return conversationOf(scene);
}

async function updated(scene: Scene): Promise<object> {
  const { customer } = scene;
  const before = await received(scene);
  await customer.send({ revoke: true });
  return before;
}

async function missed(scene: Scene): Promise<object> {
  await scene.customer.call();
  return conversationOf(scene);
}

async function merged(scene: Scene): Promise<object> {
  const { customer, client, workspaceId } = scene;
  const userId = `SO.${customer.phone.slice(1)}`;
  await customer.send({ text: 'Hello' });
  await customer.send({ text: 'Hello again, without a number' }, userId);
  const first = (await conversationOf(scene)) as { conversationId: string };
  await customer.send({ text: 'It is me', userId });
  const closed = await until(
    'the merge',
    () => client.getConversation({ workspaceId, conversationId: first.conversationId }),
    ({ mergedInto }) => mergedInto !== undefined,
  );
  return { mergedConversationId: closed.id, conversationId: closed.mergedInto, phone: customer.phone };
}

/** Prices that differ from those before, so that there is something to review. */
const CENTS = 1_000;

async function reviewed(scene: Scene): Promise<object> {
  const status = scene.set('status') ?? 'approved';
  if (status !== 'approved' && status !== 'rejected')
    throw new UsageError(`--set status=${status}: must be approved or rejected`);
  const sample = { priceCents: CENTS + randomInt(CENTS), ...(status === 'rejected' && { note: '[reject]' }) };
  const externalId = await putSample(scene, `suuq-trigger-${status}`, sample);
  const product = await until(
    "the channel's verdict",
    () => readSample(scene, externalId),
    (one) => one?.sync.status === status && one.priceCents === sample.priceCents,
  );
  return { externalId, status: product!.sync.status };
}

async function tested({ client, workspaceId, isPartner }: Scene): Promise<object> {
  const own = (await client.listWebhookEndpoints({ workspaceId })).endpoints;
  const partners = isPartner ? (await client.listPartnerWebhookEndpoints()).endpoints : [];
  if (own.length + partners.length === 0)
    return refuse('no_endpoint', "There is no endpoint to send a test to. Run 'suuq listen' to create one.");
  for (const { id } of own) await client.sendWebhookTest({ workspaceId, endpointId: id });
  for (const { id } of partners) await client.sendPartnerWebhookTest({ endpointId: id });
  return { endpoints: [...own, ...partners].map(({ id }) => id) };
}

/** Whose wallet has too little money, in the sandbox. */
const EMPTY_WALLET = '9902';

export const TRIGGERS: Readonly<Record<EventType, Trigger>> = {
  'message.received': { set: { ...CUSTOMER, text: 'of the message' }, run: received },
  'message.updated': { set: { ...CUSTOMER, text: 'of the message that is deleted' }, run: updated },
  'call.missed': { set: CUSTOMER, run: missed },
  'order.created': { set: CART, run: ofOrder(placed) },
  'order.checked_out': { set: CHECKOUT, run: ofOrder(checkedOut) },
  'order.paid': { set: CHECKOUT, run: ofOrder(paid) },
  'order.payment_failed': { set: CHECKOUT, ending: EMPTY_WALLET, run: ofOrder(notPaid) },
  'order.status_changed': {
    set: { ...CHECKOUT, status: 'preparing, out_for_delivery, delivered or cancelled', reason: 'of a cancellation' },
    run: ofOrder(moved),
  },
  'order.refunded': { set: { ...CHECKOUT, reason: 'of the cancellation' }, run: ofOrder(refunded) },
  'product.sync_changed': { set: { status: 'approved or rejected' }, run: reviewed },
  'conversation.merged': { set: CUSTOMER, run: merged },
  'webhook.test': { set: {}, run: tested },
};
