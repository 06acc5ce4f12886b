import { payerAnswer } from '../../../application/payments/payerConfirmation.js';
import { readFormToken } from '../../../domain/orders/offeredForms.js';
import { eventsOfType } from './eventsOfType.js';
import type { Ended, Invariant } from './invariant.js';

interface Reply {
  readonly content: {
    readonly type: string;
    readonly fields?: { readonly flow_token?: string };
    /** Id of the tapped button. */
    readonly id?: string;
  };
}

/** Returns the order of a form, or of a question about a payer. */
function orderOf({ content: { fields, id = '' } }: Reply): string | undefined {
  const token = fields?.flow_token;
  return token === undefined ? payerAnswer(id)?.orderId : readFormToken(token)?.orderId;
}

/** Returns the target of each merged conversation, with the place of the merge in the log. */
function merges({ data }: Ended): ReadonlyMap<string, { readonly into: string; readonly at: number }> {
  const found = new Map<string, { readonly into: string; readonly at: number }>();
  for (const [at, { type, stream, data: text }] of data.log.events.entries()) {
    const { reason, mergedInto } = text as { readonly reason?: string; readonly mergedInto?: string };
    if (type === 'ConversationStatusChanged' && reason === 'merged' && mergedInto !== undefined)
      found.set(stream, { into: `conversation-${mergedInto}`, at });
  }
  return found;
}

/**
 * Every answer to a form or about a payer has an effect, unless the order was closed. This includes forms in a
 * conversation that was merged into the answer's conversation.
 */
export const formsAnswered: Invariant = (ended) => {
  const { log } = ended.data;
  const goesOn = merges(ended);
  const led = new Set(log.events.map(({ meta }) => meta.causationId));
  const placed = new Map(
    eventsOfType<{ readonly conversationId?: string }>(ended.data, 'OrderPlaced').map((one) => [one.streamId, one]),
  );
  const closed = new Set(
    eventsOfType<{ readonly to: string }>(ended.data, 'OrderStatusChanged')
      .filter((one) => ['cancelled', 'refunded'].includes(one.data.to))
      .map(({ streamId }) => streamId),
  );
  const wrong: string[] = [];
  for (const [at, { id, type, stream, data }] of log.events.entries()) {
    if (type !== 'MessageReceived' || ended.erased.has(id)) continue;
    const orderId = orderOf(data as Reply);
    if (orderId === undefined || closed.has(orderId) || led.has(id)) continue;
    let from = `conversation-${placed.get(orderId)?.data.conversationId}`;
    for (let next = goesOn.get(from); next !== undefined && next.at < at; next = goesOn.get(from)) from = next.into;
    if (from === stream) wrong.push(`the answer ${id} of ${stream} to a form of order ${orderId} led to nothing`);
  }
  return wrong;
};
