/** Calls of customers, as they end. */
import type { Decision } from '../decider.js';
import type { ChannelCustomer, Contact, ConversationEvent } from './conversationEvents.js';
import { introduced, opened } from './conversationReceiving.js';
import type { Conversation } from './conversationState.js';

export interface EndedCall {
  readonly messageId: string;
  readonly callId: string;
  readonly channelCallId: string;
  readonly missed: boolean;
  readonly reason?: string;
  /** RFC 3339. */
  readonly at: string;
  readonly customer: ChannelCustomer;
}

export interface ReceiveCalls {
  readonly numberId: string;
  /** At least one, at most 96. */
  readonly calls: readonly EndedCall[];
  /** For a conversation that begins with them. */
  readonly contact?: Contact;
}

/** Each call is taken once. A missed one opens a closed or snoozed conversation; none opens the 24-hour window. */
export const receiveCalls =
  ({ numberId, calls, contact }: ReceiveCalls): Decision<Conversation, ConversationEvent> =>
  (state) => {
    const fresh = new Map(
      calls.flatMap((call) => (state.inbound.has(call.channelCallId) ? [] : [[call.channelCallId, call] as const])),
    );
    if (fresh.size === 0) return [];
    const ended = [...fresh.values()];
    const told = ended.map((call) => call.customer);
    return [
      ...introduced(state, told, { numberId, contact }),
      ...(ended.some(({ missed }) => missed) ? opened(state) : []),
      ...ended.map((data): ConversationEvent => ({ type: 'CallReceived', data })),
    ];
  };
