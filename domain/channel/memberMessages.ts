/** Rules for messages that members and programs of a store send to a customer. */
import { type Decision, refuse } from '../decider.js';
import { KEPT_OUTBOUND } from './conversation.js';
import type { ConversationEvent } from './conversationEvents.js';
import { routeConversation, setConversationStatus } from './conversationRouting.js';
import { type QueueMessage, queueMessage, waitingMessages, windowEndsAt } from './conversationSending.js';
import type { Conversation } from './conversationState.js';

type Decide = Decision<Conversation, ConversationEvent>;

/** Maximum waiting messages of one conversation: more than an hour and a half at the channel's pace. */
export const MOST_WAITING = 1_000;

/** `known`: the message is retained. `perhaps`: it may be one of the evicted messages. `new`: otherwise. */
export function recall({ outbound }: Conversation, messageId: string): 'known' | 'perhaps' | 'new' {
  if (outbound.has(messageId)) return 'known';
  return outbound.size >= KEPT_OUTBOUND ? 'perhaps' : 'new';
}

function checkSendable(state: Conversation, { content }: QueueMessage, now: number): void {
  if (state.merged)
    refuse(
      'conversation_merged',
      'The customer was merged with another customer. Write to the conversation of that customer.',
    );
  if (content.type !== 'template' && (windowEndsAt(state) ?? 0) <= now)
    refuse('window_closed', 'The customer has not written within the last 24 hours. Only a template can be sent.');
  if (waitingMessages(state) >= MOST_WAITING)
    refuse('sending_queue_full', `This conversation already has ${MOST_WAITING} messages waiting to be sent.`);
}

/** Addresses the message to the customer's current details. */
const addressed = (state: Conversation, message: QueueMessage): QueueMessage =>
  state.started ? { ...message, numberId: state.numberId, to: state.customer } : message;

/**
 * Queues a message. A message that is retained has been queued already. `now`: ms since 1970. Refuses `window_closed`,
 * `conversation_merged` and `sending_queue_full`. (Specification 2, 'Inbox', rule 3.)
 */
export const sendMessage =
  (message: QueueMessage, now: number): Decide =>
  (state) => {
    if (state.outbound.has(message.messageId)) return [];
    checkSendable(state, message, now);
    return queueMessage(addressed(state, message))(state);
  };

export interface StartConversation {
  readonly message: QueueMessage;
  /** Requested team. `otherwise`: team for a conversation that has not been routed. */
  readonly teamId: string | undefined;
  readonly otherwise: string | undefined;
  /** Returns true if the caller may write in the conversations of a team. */
  readonly sees: (teamId: string | undefined) => boolean;
}

/** Routes to the requested team. Without one, a routed conversation stays with its team. */
function routed(state: Conversation, { teamId, otherwise }: StartConversation): readonly ConversationEvent[] {
  if (teamId === undefined && state.routing === 'routed') return [];
  return routeConversation({ teamId: teamId ?? otherwise, by: 'start' })(state);
}

/**
 * Opens the customer's conversation, new or existing, and queues the message. Refuses as `sendMessage`, and `permission_denied` for a
 * conversation of a team that the caller does not see. (Specification 2, 'Inbox', rule 2.)
 */
export const startConversation =
  (command: StartConversation, now: number): Decide =>
  (state) => {
    if (!command.sees(state.teamId))
      refuse('permission_denied', "The customer's conversation belongs to a team that is not yours.");
    const events = sendMessage(command.message, now)(state);
    if (events.length === 0) return [];
    const opened = state.started ? setConversationStatus({ status: 'open' })(state) : [];
    const place = events.findIndex(({ type }) => type === 'MessageQueued');
    return [...events.slice(0, place), ...opened, ...routed(state, command), ...events.slice(place)];
  };
