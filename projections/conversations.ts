import { MERGED } from '../domain/channel/conversation.js';
import type { ChannelCustomer, ConversationEvent } from '../domain/channel/conversationEvents.js';
import { contactIdOf, keyOf } from '../domain/channel/conversationIds.js';
import { WINDOW_MS } from '../domain/channel/conversationSending.js';
import { defined } from '../domain/defined.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';
import type { ContactBody, ConversationBody, LastMessage } from './conversationBodies.js';
import { extended } from './extendedBody.js';
import { movesOn } from './messageBodies.js';
import { type DescribedMessage, inboundText, outboundText } from './messageContents.js';

export type { ConversationBody } from './conversationBodies.js';

type Of<T extends ConversationEvent['type']> = Seen<Extract<ConversationEvent, { type: T }>>;
type ConversationView = View<ConversationBody>;
type Keys = ConversationView['keys'];
type Change = Partial<ConversationBody>;

/** Larger than any time in ms, so that pinned conversations sort first. */
const PINNED = 1e14;

/** The one number that lists are in the order of, the highest first: pinned ones, then the latest. */
const rankOf = ({ pinned, lastMessageAt }: ConversationBody): number =>
  Date.parse(lastMessageAt) + (pinned ? PINNED : 0);

/** Returns the keys by which a conversation is found and listed. */
export const keysOf = (body: ConversationBody): Keys => ({
  phone: body.contact.phone === '' ? null : body.contact.phone,
  status: body.status,
  teamId: body.teamId ?? null,
  assignee: body.assigneeMemberId ?? null,
  rank: rankOf(body),
});

/** Returns when the first message came that nobody has read, in ms since 1970; null where none is unread, or it is closed. */
const waitingSince = ({ keys }: ConversationView, { unreadCount, status, updatedAt }: ConversationBody) =>
  unreadCount === 0 || status === 'closed' ? null : (keys.waitingSince ?? Date.parse(updatedAt));

/** The conversation with these members, and without those that are named undefined. Every change counts as an update. */
function changed(
  view: ConversationView | undefined,
  { meta }: Seen<ConversationEvent>,
  change: (body: ConversationBody) => Change | undefined,
  keys: Keys = {},
): ConversationView | undefined {
  if (view === undefined) return undefined;
  const members = change(view.body);
  if (members === undefined) return view;
  const body = defined({ ...(extended(view.body, members) as ConversationBody), updatedAt: meta.at });
  return { keys: { ...view.keys, ...keysOf(body), waitingSince: waitingSince(view, body), ...keys }, body };
}

const contactOf = (id: string, language: ContactBody['language'], customer: ChannelCustomer): ContactBody =>
  defined({
    id,
    phone: customer.phone ?? '',
    name: customer.name ?? '',
    language,
    tags: [],
    channelName: customer.name,
  });

function started({ data, meta, streamId }: Of<'ConversationStarted'>): ConversationView {
  const { numberId, customer, contact } = data;
  const contactId = contact?.contactId ?? contactIdOf(meta.workspaceId ?? '', keyOf(customer));
  const body: ConversationBody = {
    id: streamId,
    numberId,
    contact: contactOf(contactId, contact?.language ?? 'en', customer),
    routingState: 'routed',
    status: 'open',
    unreadCount: 0,
    lastMessageAt: meta.at,
    pinned: false,
    createdAt: meta.at,
    updatedAt: meta.at,
  };
  return {
    keys: {
      workspaceId: meta.workspaceId ?? null,
      ...{ numberId, lastMessageId: null, merged: null, waitingSince: null },
      ...keysOf(body),
    },
    body,
  };
}

const last = (
  direction: LastMessage['direction'],
  { type, text }: DescribedMessage,
  status: LastMessage['status'],
) => ({
  lastMessage: { direction, type, text, status, deleted: false },
});

/** Open for a day after what the customer sent last; messages may come late and in any order. */
function windowAfter({ windowExpiresAt = '' }: ConversationBody, sentAt: string): { windowExpiresAt: string } {
  const expires = new Date(Date.parse(sentAt) + WINDOW_MS).toISOString();
  return { windowExpiresAt: expires > windowExpiresAt ? expires : windowExpiresAt };
}

/** Folds a received message. A reaction neither counts as unread nor becomes the last message. */
function received(view: ConversationView | undefined, event: Of<'MessageReceived'>) {
  const { content, sentAt, messageId } = event.data;
  if (content.type === 'reaction') return changed(view, event, (body) => windowAfter(body, sentAt));
  return changed(
    view,
    event,
    (body) => ({
      ...windowAfter(body, sentAt),
      ...last('inbound', inboundText(content), 'received'),
      unreadCount: body.unreadCount + 1,
      lastMessageAt: event.meta.at,
    }),
    { lastMessageId: messageId },
  );
}

/** A missed call waits to be seen as a message does. */
function called(view: ConversationView | undefined, event: Of<'CallReceived'>) {
  const { messageId, missed } = event.data;
  return changed(
    view,
    event,
    (body) => ({
      ...last('inbound', { type: 'call', text: '', contents: {} }, 'received'),
      unreadCount: body.unreadCount + (missed ? 1 : 0),
      lastMessageAt: event.meta.at,
    }),
    { lastMessageId: messageId },
  );
}

/** Folds a queued message. A sender who uses the API has read the conversation; automatic messages leave it unread. */
function queued(view: ConversationView | undefined, event: Of<'MessageQueued'>) {
  const { messageId, content, clientMsgId, sentByMemberId } = event.data;
  const written = clientMsgId !== undefined || sentByMemberId !== undefined;
  return changed(
    view,
    event,
    () => ({
      ...last('outbound', outboundText(content), 'pending'),
      ...(written ? { unreadCount: 0 } : {}),
      lastMessageAt: event.meta.at,
    }),
    { lastMessageId: messageId },
  );
}

type AboutMessage = Seen<Extract<ConversationEvent, { data: { messageId: string } }>>;

/** Updates the last message. A conversation shows the status of no other message. */
function onLast(
  view: ConversationView | undefined,
  event: AboutMessage,
  change: (message: LastMessage) => LastMessage | undefined,
) {
  if (view?.keys.lastMessageId !== event.data.messageId) return view;
  return changed(view, event, ({ lastMessage }) => {
    const after = lastMessage && change(lastMessage);
    return after && { lastMessage: after };
  });
}

const toStatus = (status: 'sent' | 'delivered' | 'read' | 'failed') => (message: LastMessage) =>
  movesOn(message.status, status) ? { ...message, status } : undefined;

function statusChanged(view: ConversationView | undefined, event: Of<'ConversationStatusChanged'>) {
  const { status, until, reason, mergedInto } = event.data;
  const change = {
    status,
    closedAt: status === 'closed' ? event.meta.at : undefined,
    snoozedUntil: status === 'snoozed' ? until : undefined,
    mergedInto,
  };
  return changed(view, event, () => change, { merged: reason === MERGED ? MERGED : null });
}

/**
 * One document per conversation. Lists are ordered by `rank`. Each filter and each combination uses all keys of one of these indexes:
 * where a list has an assignee but no status, the query names every status and the engine merges the ranges in order. It
 * does the same with a member's teams (api/operations/inbox/listConversations.ts makes the queries). `numberId` and `phone`: how statuses of the channel
 * that name the phone alone find the conversation. `merged`: set where the customer goes on in another one.
 */
export const conversations = defineProjection<ConversationBody, ConversationEvent>({
  name: 'conversations',
  version: 5,
  partitionedBy: 'store',
  categories: ['conversation'],
  keys: {
    workspaceId: 'text',
    numberId: 'text',
    phone: 'text',
    status: 'text',
    teamId: 'text',
    assignee: 'text',
    rank: 'number',
    lastMessageId: 'text',
    merged: 'text',
    waitingSince: 'number',
  },
  indexes: [
    { keys: ['numberId', 'phone'] },
    { keys: ['workspaceId', '-rank'] },
    { keys: ['workspaceId', 'status', '-rank'] },
    { keys: ['workspaceId', 'teamId', '-rank'] },
    { keys: ['workspaceId', 'teamId', 'status', '-rank'] },
    { keys: ['workspaceId', 'assignee', 'status', '-rank'] },
    { keys: ['workspaceId', 'teamId', 'assignee', 'status', '-rank'] },
    { keys: ['workspaceId', 'waitingSince'] },
  ],
  on: {
    ConversationStarted: (view, event) => view ?? started(event),
    ConversationCustomerChanged: (view, event) =>
      changed(view, event, ({ contact: { id, language } }) => ({
        contact: contactOf(id, language, event.data.customer),
      })),
    MessageReceived: received,
    CallReceived: called,
    MessageQueued: queued,
    MessageAccepted: (view, event) => onLast(view, event, toStatus('sent')),
    MessageStatusChanged: (view, event) => onLast(view, event, toStatus(event.data.status)),
    MessageFailed: (view, event) => onLast(view, event, toStatus('failed')),
    MessageDeleted: (view, event) => onLast(view, event, (message) => ({ ...message, text: '', deleted: true })),
    RoutingMenuOffered: (view, event) =>
      changed(view, event, () => ({ routingState: 'awaiting_menu', routingDeadline: event.data.deadline })),
    ConversationRouted: (view, event) =>
      changed(view, event, () => ({
        routingState: 'routed',
        teamId: event.data.teamId,
        routingDeadline: undefined,
      })),
    ConversationAssigned: (view, event) => changed(view, event, () => ({ assigneeMemberId: event.data.memberId })),
    ConversationStatusChanged: statusChanged,
    ConversationPinned: (view, event) => changed(view, event, () => ({ pinned: event.data.pinned })),
    ConversationRead: (view, event) =>
      changed(view, event, ({ unreadCount }) => (unreadCount === 0 ? undefined : { unreadCount: 0 })),
  },
});
