import { happened } from './happened.js';
import type { Ended, Invariant } from './invariant.js';

interface Said {
  readonly messageId: string;
  readonly channelMessageId: string;
  readonly content: { readonly type: string };
}

/** What the channel was told to be stored is there once, and each cart is an order. */
function received({ data, shoppers }: Ended): string[] {
  const stored = happened<Said>(data, 'MessageReceived').map((one) => one.data);
  const times = (id: string): number => stored.filter(({ channelMessageId }) => channelMessageId === id).length;
  const wrong = shoppers.brought
    .filter(({ message }) => times(message.channelMessageId) !== 1)
    .map(({ message: { channelMessageId: id } }) => `${id} was taken and is there ${times(id)} times`);
  const carts = stored.filter(({ content }) => content.type === 'order').length;
  const orders = happened(data, 'OrderPlaced').length;
  return carts === orders ? wrong : [...wrong, `${carts} carts became ${orders} orders`];
}

/** What is queued reaches the customer, in its conversation's order, unless it failed. */
function sent({ data, people }: Ended): string[] {
  const wrong: string[] = [];
  const failed = new Set(happened<Said>(data, 'MessageFailed').map((one) => one.data.messageId));
  const first = new Map<string, number>();
  for (const [i, { message }] of people.messages.sent.entries())
    if (!first.has(message.messageId)) first.set(message.messageId, i);
  const last = new Map<string, number>();
  for (const { stream, data: queued } of happened<Said>(data, 'MessageQueued')) {
    const at = first.get(queued.messageId);
    const before = last.get(stream) ?? -1;
    if (at === undefined && !failed.has(queued.messageId))
      wrong.push(`${queued.messageId} of ${stream} was never sent`);
    if (at !== undefined && at < before)
      wrong.push(`${queued.messageId} of ${stream} was sent before those ahead of it`);
    last.set(stream, Math.max(before, at ?? before));
  }
  return wrong;
}

export const messages: Invariant = (ended) => [...received(ended), ...sent(ended)];
