/** What customers send: messages, reactions, messages taken back. */
import type { Decision } from '../decider.js';
import type { ChannelCustomer, Contact, ConversationEvent } from './conversationEvents.js';
import { type RoutingTerms, routingOf } from './conversationRouting.js';
import { started } from './conversationSending.js';
import type { Conversation } from './conversationState.js';
import { type InboundMessage, Receiving } from './conversationTaking.js';

type Decide = Decision<Conversation, ConversationEvent>;

export interface ReceiveMessages {
  readonly numberId: string;
  /** At least one, in the order they arrived; at most 96, so that one append holds what they lead to. */
  readonly messages: readonly InboundMessage[];
  /** For a conversation that begins with them. */
  readonly contact?: Contact;
  /** Where `needsRouting` says so. */
  readonly routing?: RoutingTerms;
}

/** What is known of the customer, with what the channel told later. */
function customerWith(before: ChannelCustomer, told: readonly ChannelCustomer[]): ChannelCustomer {
  const customer = { ...before };
  for (const { phone, userId, name } of told)
    Object.assign(customer, phone && { phone }, userId && { userId }, name && { name });
  return customer;
}

const differs = (a: ChannelCustomer, b: ChannelCustomer): boolean =>
  a.phone !== b.phone || a.userId !== b.userId || a.name !== b.name;

/** The beginning of the conversation, or what is new about its customer. */
export function introduced(
  state: Conversation,
  told: readonly ChannelCustomer[],
  { numberId, contact }: { numberId: string; contact?: Contact | undefined },
): ConversationEvent[] {
  const before = state.customer;
  const customer = customerWith(before, told);
  if (!state.started) return started(state, { numberId, customer, contact });
  return differs(before, customer) ? [{ type: 'ConversationCustomerChanged', data: { customer, before } }] : [];
}

/** Who writes is to be heard: a closed or snoozed conversation opens. */
export const opened = ({ status: before, started: isStarted, merged }: Conversation): ConversationEvent[] =>
  !isStarted || before === 'open' || merged
    ? []
    : [{ type: 'ConversationStatusChanged', data: { status: 'open', before } }];

/**
 * A message that is known, or twice in the command, is received once. The first message asks which team the customer
 * wants (conversationRouting.ts); any opens a closed or snoozed conversation.
 */
export const receiveMessages =
  ({ numberId, messages, contact, routing }: ReceiveMessages): Decide =>
  (state) => {
    const receiving = new Receiving(state);
    for (const message of messages) receiving.take(message);
    const { events, contents } = receiving;
    if (events.length === 0) return [];
    const told = messages.map((message) => message.customer);
    const routed = routingOf(state, routing, contents, ({ messageId, content }) => ({
      type: 'MessageQueued',
      data: {
        messageId,
        numberId,
        to: customerWith(state.customer, told),
        content,
        purpose: { kind: 'routing_menu' },
      },
    }));
    return [
      ...introduced(state, told, { numberId, contact }),
      ...(contents.length === 0 ? [] : opened(state)),
      ...events,
      ...routed,
    ];
  };

/** The channel told something new of the customer, apart from any message. */
export const tellCustomer =
  (customer: ChannelCustomer): Decide =>
  (state) =>
    state.started ? introduced(state, [customer], { numberId: state.numberId }) : [];

// Queries -------------------------------------------------------------------------------------------------------------
/** Both ends of the conversation, with the newest that the channel told of the customer. Undefined before its start. */
export const partyOf = ({
  started: isStarted,
  numberId,
  customer,
  contact,
}: Conversation): { numberId: string; customer: ChannelCustomer; contact: Contact | undefined } | undefined =>
  isStarted ? { numberId, customer, contact } : undefined;
