import type { ChannelCustomer } from '../../../domain/channel/conversationEvents.js';
import { numberOf, TWO_FORMS } from '../workload/wares.js';
import { eventsOfType } from './eventsOfType.js';
import type { Invariant } from './invariant.js';

/** A customer whose number has two forms has one conversation, and either form finds all their orders. */
export const oneCustomer: Invariant = ({ data, forgotten, listed, shoppers }) => {
  if (forgotten.includes(TWO_FORMS[0])) return [];
  const isTheirs = ({ phone = '' }: ChannelCustomer): boolean => numberOf(phone) === TWO_FORMS[0];
  const started = eventsOfType<{ readonly customer: ChannelCustomer }>(data, 'ConversationStarted');
  const [conversation, ...others] = started
    .filter((one) => isTheirs(one.data.customer))
    .map(({ streamId }) => streamId);
  const carts = shoppers.brought.filter(
    ({ message: { customer, content } }) => content.type === 'order' && isTheirs(customer),
  );
  const placed = eventsOfType<{ readonly conversationId?: string }>(data, 'OrderPlaced');
  const orders = placed.filter((one) => one.data.conversationId === conversation).map(({ streamId }) => streamId);
  const wrong = others.map((one) => `${TWO_FORMS[0]} has a second conversation, ${one}`);
  if (orders.length !== carts.length)
    wrong.push(`${carts.length} carts of one customer became ${orders.length} orders`);
  for (const form of TWO_FORMS) {
    const shown = listed.get(form) ?? [];
    const missing = orders.filter((id) => !shown.includes(id));
    if (missing.length > 0 || shown.length !== orders.length)
      wrong.push(`${form} finds ${shown.length} of ${orders.length} orders`);
  }
  return wrong;
};
