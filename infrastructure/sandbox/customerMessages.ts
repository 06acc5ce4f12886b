/** Converts the acts of a person or a test as a customer into the channel's format. (shared reference: 'Inbound webhooks'.) */
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { record } from '../untypedJson.js';
import { WrongBody, words } from './bodyText.js';
import { button, choice } from './buttonReplies.js';
import type { ChatMessage } from './chats.js';
import { body, type CustomerContext, type CustomerMessage, type Make } from './customerContext.js';
import { customerMedia } from './customerMedia.js';

const newest = (messages: readonly ChatMessage[], direction: ChatMessage['direction']): string | undefined =>
  messages.findLast((one) => one.direction === direction)?.wamid;

/** The parameters of the newest form that the customer received (with this token). */
function newestForm(
  messages: readonly ChatMessage[],
  token?: unknown,
): { message: ChatMessage; token: string } | undefined {
  for (const message of messages.toReversed()) {
    const action = record(record(message.payload.interactive)?.action);
    const found = message.direction === 'received' ? record(action?.parameters)?.flow_token : undefined;
    if (typeof found === 'string' && (token === undefined || token === found)) return { message, token: found };
  }
  return undefined;
}

const cart: Make = (value, { priceOf, catalogId }) => {
  const given = body(value, 'cart');
  const items = Array.isArray(given.items) ? given.items.map(record) : [];
  if (items.length === 0) throw new WrongBody('cart.items needs at least one {retailerId, quantity}.');
  return {
    type: 'order',
    order: {
      catalog_id: given.catalogId ?? catalogId,
      ...defined({ text: given.text }),
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
};

const checkout: Make = (value, { messages }) => {
  const given = body(value, 'checkout');
  const form = newestForm(messages, given.flowToken);
  const token = given.flowToken ?? form?.token;
  if (typeof token !== 'string') throw new WrongBody('checkout needs flowToken: no form was received yet.');
  const { flowToken: _, phone, ...answers } = given;
  const fields = { flow_token: token, ...answers, ...defined({ contact_phone: phone }) };
  return {
    type: 'interactive',
    ...(form === undefined ? {} : { context: { id: form.message.wamid } }),
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(fields) },
    },
  };
};

const contacts: Make = (value) => {
  const cards = Array.isArray(value) ? value.map(record) : [];
  if (cards.length === 0) throw new WrongBody('contacts is a list of {name, phones}.');
  return {
    type: 'contacts',
    contacts: cards.map((card) => ({
      name: { formatted_name: card?.name ?? '' },
      phones: (Array.isArray(card?.phones) ? card.phones : []).map((phone) => ({
        phone,
        wa_id: String(phone).replace(/\D/g, ''),
        type: 'CELL',
      })),
    })),
  };
};

/** To the newest message that was received, unless `to` names one. Without an emoji it is taken back. */
const reaction: Make = (value, { messages }) => {
  const { to, emoji } = body(value, 'reaction');
  const target = to ?? newest(messages, 'received');
  if (typeof target !== 'string') throw new WrongBody('reaction needs to: no message was received yet.');
  return { type: 'reaction', reaction: { message_id: target, ...defined({ emoji }) } };
};

/** The newest of the customer's own messages, unless `wamid` names one. */
function ownMessage(value: unknown, messages: readonly ChatMessage[]): string {
  const named = record(value)?.wamid ?? newest(messages, 'sent');
  if (typeof named !== 'string') throw new WrongBody('Nothing was written yet that could be changed.');
  return named;
}

const changedNumber: Make = (value) => {
  if (typeof value !== 'string' || !/^\+?\d{5,15}$/.test(value)) throw new WrongBody('changedNumber is a phone.');
  const wa_id = value.replace('+', '');
  return { type: 'system', system: { type: 'user_changed_number', body: `The customer changed to ${wa_id}`, wa_id } };
};

/** The new phone in a message about a changed number. */
export const newPhone = (message: CustomerMessage): string => `+${record(message.system)?.wa_id}`;

/** Something that the channel delivers, word for word. */
const raw: Make = (value) => {
  const given = body(value, 'raw');
  if (typeof given.type !== 'string') throw new WrongBody('raw needs a type.');
  return given as CustomerMessage;
};

const MAKERS: Readonly<Record<string, Make>> = {
  cart,
  checkout,
  text: (value) => ({ type: 'text', text: { body: words(value, 'text') } }),
  location: (value) => ({ type: 'location', location: body(value, 'location') }),
  choice,
  button,
  image: customerMedia('image'),
  video: customerMedia('video'),
  audio: customerMedia('audio'),
  voice: customerMedia('voice'),
  document: customerMedia('document'),
  sticker: customerMedia('sticker'),
  contacts,
  reaction,
  revoke: (value, { messages }) => ({ type: 'revoke', revoke: { original_message_id: ownMessage(value, messages) } }),
  edit: (value, { messages }) => ({
    type: 'edit',
    edit: {
      original_message_id: ownMessage(value, messages),
      message: { type: 'text', text: { body: words(record(value)?.text, 'edit.text') } },
    },
  }),
  changedNumber,
  unsupported: () => ({
    type: 'unsupported',
    errors: [{ code: 131051, title: 'Message type unknown', message: 'Message type unknown' }],
  }),
  raw,
};

const MESSAGE_KINDS: readonly string[] = Object.keys(MAKERS);

/** `replyTo`: a wamid, or `last`: the newest one that was received. `forwarded`: true, or `often`. */
function contextOf({ replyTo, forwarded }: JsonObject, messages: readonly ChatMessage[]): JsonObject {
  const id = replyTo === 'last' ? newest(messages, 'received') : replyTo;
  if (replyTo !== undefined && typeof id !== 'string') throw new WrongBody('replyTo is a wamid, or last.');
  return {
    ...defined({ id }),
    ...(forwarded === true ? { forwarded } : {}),
    ...(forwarded === 'often' ? { forwarded: true, frequently_forwarded: true } : {}),
  };
}

/** Message of one of MESSAGE_KINDS, with the optional members of each. Throws `WrongBody`. */
export async function customerMessage(whole: JsonObject, context: CustomerContext): Promise<CustomerMessage> {
  const kind = MESSAGE_KINDS.find((name) => whole[name] !== undefined);
  if (kind === undefined) throw new WrongBody(`Give one of ${MESSAGE_KINDS.join(', ')}.`);
  const around = contextOf(whole, context.messages);
  const message = await MAKERS[kind]!(whole[kind], context);
  if (Object.keys(around).length === 0) return message;
  return { ...message, context: { ...record(message.context), ...around } };
}
