/** Stored for ever: prompts to customers' phones, stream `paymentPrompts-{workspaceId}`. Add fields as optional, never change a meaning. */
import { defineEvents, type EventsOf, event, Id, Personal, Text } from '../storedEvents.js';

const customer = Personal('derivedId', Text('Id of the conversation of the customer.'));
const payer = Personal('account', Text("'+' and digits."));

export const paymentPromptEvents = defineEvents(
  {
    PaymentPromptAllowed: event('A payment prompt to this phone is allowed. It counts towards the limits.', {
      reference: Id('Reference of the attempt at the provider. Each attempt counts once.'),
      customer,
      payer,
    }),
    PayerConfirmed: event('The customer confirms a wallet number other than the number of the chat.', {
      customer,
      payer,
    }),
  },
  { conversation: 'customer' },
);
export type PaymentPromptEvent = EventsOf<typeof paymentPromptEvents>;
