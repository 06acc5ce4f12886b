/** What a person or a test does as a customer, made into the channel's format. */
import type { ChatMessage } from './chats.js';

type Loose = Readonly<Record<string, unknown>>;

/** A mistake in the body, told in a sentence. */
export class WrongBody extends Error {}

const record = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;

/** The parameters of the newest form that the customer received (with this token). */
export function newestForm(
  messages: readonly ChatMessage[],
  token?: unknown,
): { message: ChatMessage; token: string } | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    const action = record(record(message.payload.interactive)?.action);
    const found = message.direction === 'received' ? record(action?.parameters)?.flow_token : undefined;
    if (typeof found === 'string' && (token === undefined || token === found)) return { message, token: found };
  }
  return undefined;
}

function cart(body: Loose, priceOf: (retailerId: string) => number | undefined, catalogId: string): object {
  const items = Array.isArray(body.items) ? body.items.map(record) : [];
  if (items.length === 0) throw new WrongBody('cart.items needs at least one {retailerId, quantity}.');
  return {
    type: 'order',
    order: {
      catalog_id: body.catalogId ?? catalogId,
      ...(body.text === undefined ? {} : { text: body.text }),
      product_items: items.map((item) => {
        if (typeof item?.retailerId !== 'string') throw new WrongBody('Each item needs a retailerId.');
        const cents = typeof item.itemPriceCents === 'number' ? item.itemPriceCents : priceOf(item.retailerId);
        return {
          product_retailer_id: item.retailerId,
          quantity: item.quantity ?? 1,
          item_price: (cents ?? 0) / 100,
          currency: 'USD',
        };
      }),
    },
  };
}

function checkout(body: Loose, messages: readonly ChatMessage[]): object {
  const form = newestForm(messages, body.flowToken);
  const token = body.flowToken ?? form?.token;
  if (typeof token !== 'string') throw new WrongBody('checkout needs flowToken: no form was received yet.');
  const { flowToken: _, phone, ...answers } = body;
  const fields = { flow_token: token, ...answers, ...(phone === undefined ? {} : { contact_phone: phone }) };
  return {
    type: 'interactive',
    ...(form === undefined ? {} : { context: { id: form.message.wamid } }),
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(fields) },
    },
  };
}

export interface CustomerContext {
  readonly messages: readonly ChatMessage[];
  readonly catalogId: string;
  priceOf(retailerId: string): number | undefined;
}

/** One of cart, checkout, text, location, choice. The channel's message, without id, sender and time. */
export function customerMessage(body: unknown, context: CustomerContext): object {
  const given = record(body);
  if (given === undefined) throw new WrongBody('The body is a JSON object.');
  const part = (name: string): Loose | undefined => record(given[name]);
  const [order, answer, location, choice] = ['cart', 'checkout', 'location', 'choice'].map(part);
  if (order !== undefined) return cart(order, context.priceOf, context.catalogId);
  if (answer !== undefined) return checkout(answer, context.messages);
  if (location !== undefined) return { type: 'location', location };
  if (choice !== undefined) return { type: 'interactive', interactive: { type: 'button_reply', button_reply: choice } };
  if (typeof given.text === 'string') return { type: 'text', text: { body: given.text } };
  throw new WrongBody('Give one of cart, checkout, text, location, choice.');
}
