/**
 * Messages between one business number and one customer. Read conversationEvents.ts first (the storage contract), then this file (what
 * decisions need to know, how events change it, how it is kept), then conversationReceiving.ts, conversationSending.ts and
 * conversationRouting.ts.
 */
import type { Aggregate, EventMeta, SnapshotCodec, WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import type {
  ChannelCustomer,
  Contact,
  ConversationEvent,
  ConversationStatus,
  MessagePurpose,
} from './conversationEvents.js';

/** Statuses never go back; `failed` ends them. (Specification 2, 'Message status'.) */
export type OutboundStatus = 'queued' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

export interface Outbound {
  readonly status: OutboundStatus;
  readonly channelMessageId?: string;
  readonly purpose?: MessagePurpose;
}

/** A customer's reaction; without an emoji it was taken back. `at`: RFC 3339. */
export interface Reaction {
  readonly emoji?: string;
  readonly at: string;
}

/** A reaction to a message that is not known yet. `shownAs`: the message that it stands alone as. */
export interface EarlyReaction extends Reaction {
  readonly shownAs?: string;
}

/** `none`: nobody has been asked yet, and no team has it. */
export type Routing = 'none' | 'awaiting_menu' | 'routed';

export interface Conversation {
  started: boolean;
  /** Empty before the start. */
  numberId: string;
  /** The whole of what the channel has told. */
  customer: ChannelCustomer;
  /** Absent in the oldest conversations. */
  contact: Contact | undefined;
  status: ConversationStatus;
  /** RFC 3339; with snoozed. */
  snoozedUntil: string | undefined;
  /** The customer turned out to be another one: their messages go to that one's conversation. */
  merged: boolean;
  /** That one's conversation; undefined also in the oldest that were merged. */
  mergedInto: string | undefined;
  routing: Routing;
  teamId: string | undefined;
  /** While a choice is awaited; `deadline` RFC 3339. */
  menu: { readonly teamIds: readonly string[]; readonly deadline: string } | undefined;
  assigneeMemberId: string | undefined;
  pinned: boolean;
  /**
   * The newest that the customer did, oldest first: the channel's id of each, by which a repeated delivery is recognised,
   * and the service's id of the message that it is or is about.
   */
  readonly inbound: Map<string, string>;
  /** By the service's message id, in the order they were queued. */
  readonly outbound: Map<string, Outbound>;
  /** Those of them that the channel has not taken, in the order in which they are to be sent. */
  readonly waiting: Set<string>;
  /** How far the channel's pace of messages to one customer is used up (conversationSending.ts), ms since 1970. */
  paceAt: number;
  /** Messages whose file is still to be copied, oldest first. */
  readonly pendingMedia: Set<string>;
  /** By message id, the least recently changed first. */
  readonly reactions: Map<string, Reaction>;
  /** By the channel's id of the message that is awaited, the oldest first. */
  readonly early: Map<string, EarlyReaction>;
  /** Messages that were taken back, oldest first. */
  readonly deleted: Set<string>;
  /** ms since 1970; 0 before the first message of the customer. */
  lastCustomerMessageAt: number;
}

const KEPT_INBOUND = 1_000;
export const KEPT_OUTBOUND = 300;
const KEPT_MARKS = 300;
const KEPT_EARLY = 100;

/** One message to a customer in so many ms is what the channel takes for long. (shared reference: 'Throughput'.) */
export const PACE_MS = 6_000;

export const MERGED = 'merged';

export const initial = (): Conversation => ({
  started: false,
  numberId: '',
  customer: {},
  contact: undefined,
  status: 'open',
  snoozedUntil: undefined,
  merged: false,
  mergedInto: undefined,
  routing: 'none',
  teamId: undefined,
  menu: undefined,
  assigneeMemberId: undefined,
  pinned: false,
  inbound: new Map(),
  outbound: new Map(),
  waiting: new Set(),
  paceAt: 0,
  pendingMedia: new Set(),
  reactions: new Map(),
  early: new Map(),
  deleted: new Set(),
  lastCustomerMessageAt: 0,
});

// Evolving -----------------------------------------------------------------------------------------------------------
function forgetFirst(kept: Map<string, unknown> | Set<string>, most: number): void {
  if (kept.size > most) kept.delete(kept.keys().next().value!);
}

/** Makes room: the oldest messages that the channel already has are forgotten first, waiting ones never. */
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

/** The message is there: what was awaited with an emoji follows as an event of its own, what was taken back is only known. */
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
};

export function evolve(state: Conversation, event: WithMeta<ConversationEvent>): Conversation {
  // Types that are younger than this code change nothing that it decides on.
  (APPLY[event.type] as Apply<typeof event.type> | undefined)?.(state, event.data as never, event.meta);
  return state;
}

// How it is kept between restarts -------------------------------------------------------------------------------------
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
    900 +
    inbound.size * 200 +
    outbound.size * 250 +
    (pendingMedia.size + reactions.size + early.size + deleted.size) * 120,
};

// Reactions that the channel delivers before the message that they are to ---------------------------------------------
/** Whether a reaction counts after the one before: the last by the customer's time does, of one second the last that came. */
export const isNews = (before: Reaction | undefined, after: Reaction): boolean =>
  before === undefined || after.at > before.at || (after.at === before.at && after.emoji !== before.emoji);

/** A reaction does not stand alone any more: its message shows it, another took its place, or it was taken back at `at`. */
export const leaves = (early: EarlyReaction | undefined, at: string): ConversationEvent[] =>
  early?.shownAs === undefined ? [] : [{ type: 'MessageDeleted', data: { messageId: early.shownAs, at } }];

/** The message that was awaited is this one: it shows the reaction. */
export function joined(early: EarlyReaction | undefined, messageId: string): ConversationEvent[] {
  if (early?.emoji === undefined) return [];
  const { emoji, at } = early;
  return [{ type: 'MessageReactionChanged', data: { messageId, by: 'contact', emoji, at } }, ...leaves(early, at)];
}
