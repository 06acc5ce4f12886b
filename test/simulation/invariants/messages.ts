import { WINDOW_CLOSED } from '../../../application/channel/failureReasons.js';
import { orderIdOf } from '../../../application/orders/placeOrder.js';
import { WINDOW_MS } from '../../../domain/channel/conversationSending.js';
import { ERASED_PHONE } from '../../../domain/erasure.js';
import { eventsOfType } from './eventsOfType.js';
import type { Ended, Invariant } from './invariant.js';

interface Output {
  readonly messageId: string;
  readonly channelMessageId: string;
  readonly content: { readonly type: string };
}

/** Returns the streams about forgotten people. Their remains cannot be compared. */
const forgottenStreams = ({ data, erased }: Ended): ReadonlySet<string> =>
  new Set(data.log.events.filter(({ id }) => erased.has(id)).map(({ stream }) => stream));

/** Each acknowledged message is stored once, in any conversation of its customer. */
function received(ended: Ended): string[] {
  const { data, shoppers, forgotten } = ended;
  const gone = forgottenStreams(ended);
  const stored = eventsOfType<Output>(data, 'MessageReceived').filter(({ stream }) => !gone.has(stream));
  const times = new Map<string, number>();
  for (const { data: text } of stored) times.set(text.channelMessageId, (times.get(text.channelMessageId) ?? 0) + 1);
  return shoppers.brought
    .filter(({ from }) => !forgotten.includes(from))
    .map(({ message: { channelMessageId: id } }) => [id, times.get(id) ?? 0] as const)
    .filter(([, count]) => count !== 1)
    .map(([id, count]) => `${id} was taken and is there ${count} times`);
}

/** Each cart leads to one order, and each order comes from one cart. */
function carts(ended: Ended): string[] {
  const { data, erased } = ended;
  const gone = forgottenStreams(ended);
  const sent = eventsOfType<Output>(data, 'MessageReceived').filter((one) => one.data.content?.type === 'order');
  const orderOf = new Map(
    sent.map(({ streamId, stream, data: { channelMessageId: id } }) => [orderIdOf(streamId, id), { id, stream }]),
  );
  const placed = new Set(eventsOfType(data, 'OrderPlaced').map(({ streamId }) => streamId));
  const none = [...orderOf].filter(([orderId, { stream }]) => !gone.has(stream) && !placed.has(orderId));
  const unknown = eventsOfType<{ readonly conversationId?: string }>(data, 'OrderPlaced').filter(
    ({ id, streamId, data: { conversationId } }) =>
      !erased.has(id) && !orderOf.has(streamId) && !gone.has(`conversation-${conversationId}`),
  );
  return [
    ...none.map(([orderId, { id, stream }]) => `the cart ${id} of ${stream} is no order (${orderId})`),
    ...unknown.map(({ streamId }) => `order ${streamId} is of no cart`),
  ];
}

/** A merged conversation receives no more messages, because no answer could be sent from it. */
function merged({ data }: Ended): string[] {
  const closed = new Set<string>();
  const wrong: string[] = [];
  for (const { stream, type, data: text } of data.log.events) {
    if (type === 'ConversationStatusChanged' && (text as { reason?: string }).reason === 'merged') closed.add(stream);
    if (type === 'MessageReceived' && closed.has(stream))
      wrong.push(`${(text as Output).channelMessageId} came into ${stream}, which was merged into another`);
  }
  return wrong;
}

/**
 * A merged conversation gets no message of the store because of anything that happened after the merge, once its
 * successor has started: the customer would miss it there, and its window counts no more.
 */
function queuedAfterMerge({ data }: Ended): string[] {
  const at = new Map<string, number>();
  const startedAt = new Map<string, number>();
  const merges = new Map<string, { readonly at: number; readonly into: string }>();
  const wrong: string[] = [];
  for (const [place, { id, stream, type, meta, data: text }] of data.log.events.entries()) {
    at.set(id, place);
    if (type === 'ConversationStarted') startedAt.set(stream, place);
    const { reason, mergedInto } = text as { readonly reason?: string; readonly mergedInto?: string };
    if (type === 'ConversationStatusChanged' && reason === 'merged' && mergedInto !== undefined)
      merges.set(stream, { at: place, into: `conversation-${mergedInto}` });
    const merge = merges.get(stream);
    const cause = at.get(meta.causationId ?? '');
    if (type !== 'MessageQueued' || merge === undefined || cause === undefined) continue;
    const since = Math.max(merge.at, startedAt.get(merge.into) ?? Number.POSITIVE_INFINITY);
    if (cause > since) wrong.push(`${(text as Output).messageId} was queued in ${stream}, which was merged before`);
  }
  return wrong;
}

/** A chat whose customer got the team menu is assigned to a team in the end. */
function routed({ data }: Ended): string[] {
  const requested = new Set<string>();
  for (const { stream, type } of data.log.events) {
    if (type === 'RoutingMenuOffered') requested.add(stream);
    if (type === 'ConversationRouted') requested.delete(stream);
  }
  return [...requested].map((stream) => `no team ever took ${stream}`);
}

/** Queued messages are sent in the order of their conversation, unless they failed. */
function sent(ended: Ended): string[] {
  const { data, people } = ended;
  const gone = forgottenStreams(ended);
  const wrong: string[] = [];
  const failed = new Set(eventsOfType<Output>(data, 'MessageFailed').map((one) => one.data.messageId));
  const first = new Map<string, number>();
  for (const [i, { message }] of people.messages.sent.entries())
    if (!first.has(message.messageId)) first.set(message.messageId, i);
  const last = new Map<string, number>();
  for (const { stream, data: queued } of eventsOfType<Output>(data, 'MessageQueued')) {
    if (gone.has(stream)) continue;
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

interface Failed {
  readonly messageId: string;
  readonly errorCode: string;
}

/** Time in ms after which a message of the customer counts for every later decision. */
const NOTED_MS = 500;

/** No message fails because the customer's window ended, if the customer wrote shortly before. */
function closedInOpenWindow({ data }: Ended): string[] {
  const wrote = new Map<string, { readonly at: number; readonly until: number }>();
  const wrong: string[] = [];
  for (const { stream, type, meta, data: text } of data.log.events) {
    const at = Date.parse(meta.at);
    if (type === 'MessageReceived') {
      const until = Date.parse((text as { readonly sentAt: string }).sentAt) + WINDOW_MS;
      if (until > (wrote.get(stream)?.until ?? 0)) wrote.set(stream, { at, until });
    }
    const last = wrote.get(stream);
    if (type !== 'MessageFailed' || (text as Failed).errorCode !== WINDOW_CLOSED || last === undefined) continue;
    if (last.at + NOTED_MS < at && last.until > at + WINDOW_MS / 2)
      wrong.push(`${(text as Failed).messageId} of ${stream} failed as too late, though the customer had just written`);
  }
  return wrong;
}

/** Lists messages that were sent to the placeholder number of forgotten customers. */
const nobodys = ({ people }: Ended): string[] =>
  people.messages.sent
    .filter(({ message }) => message.to.phone === ERASED_PHONE)
    .map(({ message }) => `${message.messageId} went to somebody who was forgotten`);

export const messages: Invariant = (ended) =>
  [received, carts, merged, queuedAfterMerge, routed, sent, closedInOpenWindow, nobodys].flatMap((invariant) =>
    invariant(ended),
  );
