/** Stored for ever: prompts to customers' phones, stream `paymentPrompts-{workspaceId}`. Add fields as optional, never change a meaning. */
import { defineEvents, type EventsOf, event, Id, Personal, Text } from '../storedEvents.js';

const customer = Personal('derivedId', Text('Id of the conversation that the customer writes in.'));
const payer = Personal('account', Text("'+' and digits."));

export const paymentPromptEvents = defineEvents(
  {
    PaymentPromptAllowed: event('The provider may ask this phone for money: it counts against the bounds of prompts.', {
      reference: Id("What the provider knows the try by: a try's prompt counts once."),
      customer,
      payer,
    }),
    PayerConfirmed: event("The customer confirms a number to pay with that is not the chat's.", { customer, payer }),
  },
  { conversation: 'customer' },
);
export type PaymentPromptEvent = EventsOf<typeof paymentPromptEvents>;
