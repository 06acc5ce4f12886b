/**
 * Messages between one business number and one customer. Read conversationEvents.ts first (the storage contract) and conversationState.ts
 * (the state of decisions), then this file (how events change the state, and its snapshot), then conversationReceiving.ts,
 * conversationSending.ts and conversationRouting.ts.
 */
import type { Aggregate, EventMeta, SnapshotCodec, WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import type { ConversationEvent } from './conversationEvents.js';
import { type Conversation, type EarlyReaction, initial, type Outbound, type Reaction } from './conversationState.js';

const KEPT_INBOUND = 1_000;
export const KEPT_OUTBOUND = 300;
const KEPT_MARKS = 300;
const KEPT_EARLY = 100;

/** Milliseconds per message that the channel accepts on average from one number to one customer. (shared reference: 'Throughput'.) */
export const PACE_MS = 6_000;

export const MERGED = 'merged';

// Evolving -----------------------------------------------------------------------------------------------------------
function forgetFirst(retained: Map<string, unknown> | Set<string>, most: number): void {
  if (retained.size > most) retained.delete(retained.keys().next().value!);
}

/** Evicts the oldest message that the channel has already accepted. Waiting messages are never evicted. */
function forgetOldest(outbound: Map<string, Outbound>): void {
  if (outbound.size <= KEPT_OUTBOUND) return;
  for (const [id, message] of outbound) {
    if (message.status === 'queued') continue;
    outbound.delete(id);
    return;
  }
}

function seen(state: Conversation, channelMessageId: string | undefined, messageId: string): void {
  if (channelMessageId === undefined) return;
  state.inbound.set(channelMessageId, messageId);
  forgetFirst(state.inbound, KEPT_INBOUND);
}

function awaits(state: Conversation, about: string, reaction: EarlyReaction): void {
  state.early.delete(about);
  state.early.set(about, reaction);
  forgetFirst(state.early, KEPT_EARLY);
}

/**
 * Applies a reaction that arrived before its message. A reaction with an emoji follows as an event of its own, so only a withdrawn one is
 * recorded here.
 */
function awaited(state: Conversation, channelMessageId: string, messageId: string): void {
  const early = state.early.get(channelMessageId);
  if (early === undefined) return;
  state.early.delete(channelMessageId);
  if (early.emoji === undefined) mark(state, messageId, { at: early.at });
}

function received(state: Conversation, data: Of<'MessageReceived'>): void {
  const { messageId, channelMessageId, sentAt, content } = data;
  seen(state, channelMessageId, messageId);
  if (content.type === 'reaction')
    awaits(state, content.channelMessageId, { emoji: content.emoji, at: sentAt, shownAs: messageId });
  else awaited(state, channelMessageId, messageId);
  if ('channelMediaId' in content) {
    state.pendingMedia.add(messageId);
    forgetFirst(state.pendingMedia, KEPT_INBOUND);
  }
  state.lastCustomerMessageAt = Math.max(state.lastCustomerMessageAt, Date.parse(sentAt));
}

function mark(state: Conversation, messageId: string, reaction: Reaction): void {
  state.reactions.delete(messageId);
  state.reactions.set(messageId, reaction);
  forgetFirst(state.reactions, KEPT_MARKS);
}

function reacted(state: Conversation, { messageId, emoji, at, channelMessageId }: Of<'MessageReactionChanged'>): void {
  seen(state, channelMessageId, messageId);
  mark(state, messageId, emoji === undefined ? { at } : { emoji, at });
}

function takenBack(state: Conversation, { messageId, channelMessageId }: Of<'MessageDeleted'>): void {
  seen(state, channelMessageId, messageId);
  state.pendingMedia.delete(messageId);
  state.deleted.add(messageId);
  forgetFirst(state.deleted, KEPT_MARKS);
}

function queued(state: Conversation, { messageId, purpose }: Of<'MessageQueued'>): void {
  state.outbound.set(messageId, { status: 'queued', ...defined({ purpose }) });
  state.waiting.add(messageId);
  forgetOldest(state.outbound);
}

function change(state: Conversation, messageId: string, fields: Partial<Outbound>): void {
  const known = state.outbound.get(messageId);
  if (known !== undefined) state.outbound.set(messageId, { ...known, ...fields });
}

type Of<T extends ConversationEvent['type']> = Extract<ConversationEvent, { type: T }>['data'];
type Apply<T extends ConversationEvent['type']> = (state: Conversation, data: Of<T>, meta: EventMeta) => void;

const APPLY: { readonly [T in ConversationEvent['type']]: Apply<T> } = {
  ConversationStarted(state, { numberId, customer, contact }) {
    Object.assign(state, { started: true, numberId, customer, contact });
  },
  ConversationCustomerChanged(state, { customer }) {
    state.customer = customer;
  },
  MessageReceived: received,
  NoticeReceived: (state, { channelMessageId, messageId }) => seen(state, channelMessageId, messageId),
  MessageReactionChanged: reacted,
  EarlyReactionTakenBack: (state, { about, at }) => awaits(state, about, { at }),
  MessageDeleted: takenBack,
  MessageMediaStored: (state, { messageId }) => state.pendingMedia.delete(messageId),
  MessageMediaFailed: (state, { messageId }) => state.pendingMedia.delete(messageId),
  CallReceived: (state, { channelCallId, messageId }) => seen(state, channelCallId, messageId),
  MessageQueued: queued,
  MessageAccepted(state, { messageId, channelMessageId }, meta) {
    change(state, messageId, { status: 'accepted', channelMessageId });
    awaited(state, channelMessageId, messageId);
    state.waiting.delete(messageId);
    state.paceAt = Math.max(state.paceAt, Date.parse(meta.at)) + PACE_MS;
  },
  MessageFailed(state, { messageId }) {
    change(state, messageId, { status: 'failed' });
    state.waiting.delete(messageId);
  },
  MessageStatusChanged: (state, { messageId, status }) => change(state, messageId, { status }),
  RoutingMenuOffered(state, { teamIds, deadline }) {
    Object.assign(state, { routing: 'awaiting_menu', menu: { teamIds, deadline } });
  },
  ConversationRouted(state, { teamId }) {
    Object.assign(state, { routing: 'routed', menu: undefined, teamId });
  },
  ConversationAssigned(state, { memberId }) {
    state.assigneeMemberId = memberId;
  },
  ConversationStatusChanged(state, { status, until, reason, mergedInto }) {
    Object.assign(state, { status, snoozedUntil: until, merged: status === 'closed' && reason === MERGED, mergedInto });
  },
  ConversationPinned(state, { pinned }) {
    state.pinned = pinned;
  },
  // Only the read model counts unread messages.
  ConversationRead: () => undefined,
};

export function evolve(state: Conversation, event: WithMeta<ConversationEvent>): Conversation {
  // Types of newer releases do not affect decisions of this code.
  (APPLY[event.type] as Apply<typeof event.type> | undefined)?.(state, event.data as never, event.meta);
  return state;
}

// Snapshots ---------------------------------------------------------------------------------------------------------
type Collections = 'inbound' | 'outbound' | 'waiting' | 'pendingMedia' | 'reactions' | 'early' | 'deleted';

interface Snapshot extends Omit<Conversation, Collections> {
  readonly inbound: readonly (readonly [string, string])[];
  readonly outbound: readonly (readonly [string, Outbound])[];
  readonly waiting: readonly string[];
  readonly pendingMedia: readonly string[];
  readonly reactions: readonly (readonly [string, Reaction])[];
  readonly early: readonly (readonly [string, EarlyReaction])[];
  readonly deleted: readonly string[];
}

const snapshot: SnapshotCodec<Conversation> = {
  version: 3,
  every: 1_000,
  *write({ inbound, outbound, waiting, pendingMedia, reactions, early, deleted, ...fields }) {
    const chunk: Snapshot = {
      ...fields,
      inbound: [...inbound],
      outbound: [...outbound],
      waiting: [...waiting],
      pendingMedia: [...pendingMedia],
      reactions: [...reactions],
      early: [...early],
      deleted: [...deleted],
    };
    yield chunk;
  },
  read() {
    let state = initial();
    return {
      add(chunk) {
        const { inbound, outbound, waiting, pendingMedia, reactions, early, deleted, ...fields } = chunk as Snapshot;
        state = {
          ...state,
          ...fields,
          inbound: new Map(inbound),
          outbound: new Map(outbound),
          waiting: new Set(waiting),
          pendingMedia: new Set(pendingMedia),
          reactions: new Map(reactions),
          early: new Map(early),
          deleted: new Set(deleted),
        };
      },
      done: () => state,
    };
  },
};

/** Messages between one business number and one customer, stream `conversation-{conversationId}`. */
export const conversation: Aggregate<Conversation, ConversationEvent> = {
  name: 'conversation',
  initial,
  evolve,
  snapshot,
  weigh: ({ inbound, outbound, pendingMedia, reactions, early, deleted }) =>
    // The seven empty collections take 1,300 of these bytes.
    2_000 +
    inbound.size * 200 +
    outbound.size * 250 +
    (pendingMedia.size + reactions.size + early.size + deleted.size) * 120,
};
