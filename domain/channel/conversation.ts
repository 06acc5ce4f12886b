/** Messages between one business number and one customer. The events are the storage contract: conversationEvents.ts. */
import type { Aggregate, Decision, SnapshotCodec, WithMeta } from '../decider.js';
import type {
  ChannelCustomer,
  ConversationEvent,
  InboundContent,
  MessagePurpose,
  OutboundContent,
} from './conversationEvents.js';

// State: only what decisions need ------------------------------------------------------------------------------------
/** Statuses never go back; `failed` ends them. (Specification 2, 'Message status'.) */
export type OutboundStatus = 'queued' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

interface Outbound {
  readonly status: OutboundStatus;
  readonly channelMessageId?: string;
  readonly purpose?: MessagePurpose;
}

export interface Conversation {
  started: boolean;
  /** Channel ids of the newest inbound messages, oldest first: how a repeated delivery is recognised. */
  readonly inbound: Set<string>;
  /** By the service's message id, in the order they were queued. */
  readonly outbound: Map<string, Outbound>;
  /** ms since 1970; 0 before the first message of the customer. */
  lastCustomerMessageAt: number;
}

const KEPT_INBOUND = 1_000;
const KEPT_OUTBOUND = 300;
const WINDOW_MS = 24 * 3_600_000;
const RANK: Readonly<Record<OutboundStatus, number>> = {
  queued: 0,
  accepted: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  failed: 5,
};

/** Makes room: the oldest messages that the channel already has are forgotten first, waiting ones never. */
function forgetOldest(outbound: Map<string, Outbound>): void {
  if (outbound.size <= KEPT_OUTBOUND) return;
  for (const [id, message] of outbound) {
    if (message.status === 'queued') continue;
    outbound.delete(id);
    return;
  }
}

function change(state: Conversation, messageId: string, fields: Partial<Outbound>): Conversation {
  const known = state.outbound.get(messageId);
  if (known !== undefined) state.outbound.set(messageId, { ...known, ...fields });
  return state;
}

export function evolve(state: Conversation, event: WithMeta<ConversationEvent>): Conversation {
  switch (event.type) {
    case 'ConversationStarted':
      state.started = true;
      return state;
    case 'MessageReceived': {
      state.inbound.add(event.data.channelMessageId);
      if (state.inbound.size > KEPT_INBOUND) state.inbound.delete(state.inbound.values().next().value!);
      state.lastCustomerMessageAt = Math.max(state.lastCustomerMessageAt, Date.parse(event.data.sentAt));
      return state;
    }
    case 'MessageQueued': {
      const { messageId, purpose } = event.data;
      state.outbound.set(messageId, { status: 'queued', ...(purpose === undefined ? {} : { purpose }) });
      forgetOldest(state.outbound);
      return state;
    }
    case 'MessageAccepted':
      return change(state, event.data.messageId, {
        status: 'accepted',
        channelMessageId: event.data.channelMessageId,
      });
    case 'MessageFailed':
      return change(state, event.data.messageId, { status: 'failed' });
    case 'MessageStatusChanged':
      return change(state, event.data.messageId, { status: event.data.status });
    default:
      return state;
  }
}

interface Snapshot {
  readonly started: boolean;
  readonly inbound: readonly string[];
  readonly outbound: readonly (readonly [string, Outbound])[];
  readonly lastCustomerMessageAt: number;
}

const snapshot: SnapshotCodec<Conversation> = {
  version: 1,
  every: 1_000,
  *write(state) {
    const { started, lastCustomerMessageAt } = state;
    yield { started, inbound: [...state.inbound], outbound: [...state.outbound], lastCustomerMessageAt };
  },
  read() {
    let state = initial();
    return {
      add(chunk) {
        const { started, inbound, outbound, lastCustomerMessageAt } = chunk as Snapshot;
        state = { started, inbound: new Set(inbound), outbound: new Map(outbound), lastCustomerMessageAt };
      },
      done: () => state,
    };
  },
};

const initial = (): Conversation => ({
  started: false,
  inbound: new Set(),
  outbound: new Map(),
  lastCustomerMessageAt: 0,
});

export const conversation: Aggregate<Conversation, ConversationEvent> = {
  name: 'conversation',
  initial,
  evolve,
  snapshot,
  weigh: (state) => 200 + state.inbound.size * 90 + state.outbound.size * 200,
};

// Commands and decisions: repeated commands that change nothing return no events --------------------------------------
export interface InboundMessage {
  readonly messageId: string;
  readonly channelMessageId: string;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly content: InboundContent;
  readonly repliesTo?: string;
  readonly customer: ChannelCustomer;
}

export interface ReceiveMessages {
  readonly numberId: string;
  /** At least one, in the order they arrived. */
  readonly messages: readonly InboundMessage[];
}

const started = (state: Conversation, numberId: string, customer: ChannelCustomer): ConversationEvent[] =>
  state.started ? [] : [{ type: 'ConversationStarted', data: { numberId, customer } }];

/** A message that is known, or twice in the command, is received once. */
export const receiveMessages =
  ({ numberId, messages }: ReceiveMessages): Decision<Conversation, ConversationEvent> =>
  (state) => {
    const seen = new Set<string>();
    const fresh = messages.filter(({ channelMessageId: id }) => {
      if (state.inbound.has(id) || seen.has(id)) return false;
      seen.add(id);
      return true;
    });
    if (fresh.length === 0) return [];
    const received = fresh.map((data): ConversationEvent => ({ type: 'MessageReceived', data }));
    return [...started(state, numberId, fresh[0]!.customer), ...received];
  };

export interface QueueMessage {
  /** Derived from what causes the message, so that a repeated command is recognised. */
  readonly messageId: string;
  readonly numberId: string;
  readonly to: ChannelCustomer;
  readonly content: OutboundContent;
  readonly purpose?: MessagePurpose;
}

/** Leaves the message to the outbox. Idempotent by messageId as long as it is among the newest 300. */
export const queueMessage =
  (command: QueueMessage): Decision<Conversation, ConversationEvent> =>
  (state) =>
    state.outbound.has(command.messageId)
      ? []
      : [...started(state, command.numberId, command.to), { type: 'MessageQueued', data: command }];

const purposeOf = ({ purpose }: Outbound): { purpose?: MessagePurpose } => (purpose === undefined ? {} : { purpose });

export interface AcceptMessage {
  readonly messageId: string;
  readonly channelMessageId: string;
}

/** The channel took the message. Nothing when a status told so before. */
export const acceptMessage =
  ({ messageId, channelMessageId }: AcceptMessage): Decision<Conversation, ConversationEvent> =>
  (state) => {
    const message = state.outbound.get(messageId);
    if (message?.status !== 'queued') return [];
    return [{ type: 'MessageAccepted', data: { messageId, channelMessageId, ...purposeOf(message) } }];
  };

export interface FailMessage {
  readonly messageId: string;
  readonly errorCode: string;
  /** In words for the store. */
  readonly reason: string;
}

/** The message will not arrive. What was delivered cannot fail any more. */
export const failMessage =
  (command: FailMessage): Decision<Conversation, ConversationEvent> =>
  (state) => {
    const message = state.outbound.get(command.messageId);
    if (message === undefined || RANK[message.status] >= RANK.delivered) return [];
    return [{ type: 'MessageFailed', data: { ...command, ...purposeOf(message) } }];
  };

/** News of a sent message. Found by the service's message id, or else by the channel's. */
export interface StatusUpdate {
  readonly messageId?: string;
  readonly channelMessageId: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** RFC 3339. */
  readonly at: string;
  /** With `failed`. */
  readonly errorCode?: string;
  readonly reason?: string;
}

function find(state: Conversation, update: StatusUpdate): string | undefined {
  if (update.messageId !== undefined && state.outbound.has(update.messageId)) return update.messageId;
  for (const [id, message] of state.outbound) if (message.channelMessageId === update.channelMessageId) return id;
  return undefined;
}

/** Whether the status is about a message of this conversation. */
export const concerns = (state: Conversation, update: StatusUpdate): boolean => find(state, update) !== undefined;

/**
 * Statuses come repeated, out of order and with gaps: only one that leads further counts. One that arrives before the
 * answer to the sending also tells that the channel took the message.
 */
export const updateStatus =
  (update: StatusUpdate): Decision<Conversation, ConversationEvent> =>
  (state) => {
    const messageId = find(state, update);
    if (messageId === undefined) return [];
    if (update.status === 'failed') {
      const { errorCode = 'unknown', reason = 'The channel could not deliver the message.' } = update;
      return failMessage({ messageId, errorCode, reason })(state);
    }
    const { status, at, channelMessageId } = update;
    if (RANK[status] <= RANK[state.outbound.get(messageId)!.status]) return [];
    return [
      ...acceptMessage({ messageId, channelMessageId })(state),
      { type: 'MessageStatusChanged', data: { messageId, status, at } },
    ];
  };

// Queries -------------------------------------------------------------------------------------------------------------
/** Undefined: not a message of this conversation, or long done. */
export const outboundStatus = (state: Conversation, messageId: string): OutboundStatus | undefined =>
  state.outbound.get(messageId)?.status;

/** The message that is next to be sent: messages leave in the order they were queued. */
export function nextToSend(state: Conversation): string | undefined {
  for (const [id, message] of state.outbound) if (message.status === 'queued') return id;
  return undefined;
}

/** Until then (ms since 1970) any message may be sent, afterwards only a template. (Specification 2, 'Inbox'.) */
export const windowEndsAt = (state: Conversation): number | undefined =>
  state.lastCustomerMessageAt === 0 ? undefined : state.lastCustomerMessageAt + WINDOW_MS;
