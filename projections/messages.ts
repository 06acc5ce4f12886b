import type { ConversationEvent } from '../domain/channel/conversationEvents.js';
import { defined } from '../domain/defined.js';
import type { RecordedEvent } from '../engine/ports/eventStore.js';
import { defineProjection, type Handler, type Seen, seen } from '../engine/projections/projection.js';
import { extended } from './extendedBody.js';
import { type MessageBody, type MessageDetailsBody, type MessageMedia, movesOn } from './messageBodies.js';
import { inboundText, outboundText } from './messageContents.js';
import { without } from './withoutMembers.js';

export type { MessageBody } from './messageBodies.js';

type Of<T extends ConversationEvent['type']> = Seen<Extract<ConversationEvent, { type: T }>>;
type AboutMessage = Extract<ConversationEvent, { data: { messageId: string } }>;

// A message's first event ---------------------------------------------------------------------------------------------

function detailsOf({ details }: Of<'MessageReceived'>['data']): MessageDetailsBody | undefined {
  if (details === undefined) return undefined;
  const { edits, ...shown } = details;
  return { ...(edits === undefined ? {} : { edited: true }), ...shown };
}

/** A customer's message as it is when it comes in. */
function receivedMessage({ data, meta, streamId }: Of<'MessageReceived'>): MessageBody {
  const { type, text, contents } = inboundText(data.content);
  return defined({
    id: data.messageId,
    conversationId: streamId,
    direction: 'inbound' as const,
    type,
    text,
    status: 'received' as const,
    reactions: [],
    deleted: false,
    createdAt: meta.at,
    sentAt: data.sentAt,
    forwarded: data.forwarded,
    replyToMessageId: data.replyToMessageId,
    details: detailsOf(data),
    ...contents,
  });
}

/** Returns a notice of the channel as an entry of the chat. */
function noticeMessage({ data, meta, streamId }: Of<'NoticeReceived'>): MessageBody {
  const { messageId, notice, text = '', sentAt } = data;
  return {
    ...{ id: messageId, conversationId: streamId, direction: 'inbound', type: 'unsupported', text, status: 'received' },
    ...{ reactions: [], deleted: false, createdAt: meta.at, sentAt, details: { notice } },
  };
}

/** A call as an entry of the chat. */
function callMessage({ data, meta, streamId }: Of<'CallReceived'>): MessageBody {
  const { messageId, callId, missed, reason, at } = data;
  return {
    id: messageId,
    conversationId: streamId,
    direction: 'inbound',
    type: 'call',
    text: '',
    status: 'received',
    reactions: [],
    deleted: false,
    createdAt: meta.at,
    sentAt: at,
    call: defined({ callId, missed, reason }),
  };
}

function queuedMessage({ data, meta, streamId }: Of<'MessageQueued'>): MessageBody {
  const { type, text, contents } = outboundText(data.content);
  return defined({
    id: data.messageId,
    conversationId: streamId,
    direction: 'outbound' as const,
    type,
    text,
    status: 'pending' as const,
    reactions: [],
    deleted: false,
    createdAt: meta.at,
    clientMsgId: data.clientMsgId,
    sentByMemberId: data.sentByMemberId,
    replyToMessageId: data.replyToMessageId,
    ...contents,
  });
}

// What becomes of it --------------------------------------------------------------------------------------------------

/** Times and reasons that a status brings with it. */
const moved = (
  body: MessageBody,
  status: 'sent' | 'delivered' | 'read' | 'failed',
  more: Partial<MessageBody>,
): MessageBody => (movesOn(body.status, status) ? (extended({ ...body, status }, more) as MessageBody) : body);

const AT = { sent: 'sentAt', delivered: 'deliveredAt', read: 'readAt' } as const;

/** Returns `at`, or the time of the latest earlier step if that is later: the channel's clock has whole seconds, ours milliseconds. */
const notBefore = ({ sentAt = '', deliveredAt = '' }: MessageBody, at: string): string =>
  [sentAt, deliveredAt].reduce((latest, one) => (one > latest ? one : latest), at);

/** Returns the members that reveal nothing of the contents. */
function deleted(body: MessageBody): MessageBody {
  const { id, conversationId, direction, type, status, createdAt, clientMsgId, sentAt, deliveredAt, readAt } = body;
  const { failedAt, errorCode, errorMessage, forwarded, replyToMessageId, sentByMemberId } = body;
  return defined({
    ...{ id, conversationId, direction, type, text: '', status, reactions: [], deleted: true, createdAt },
    ...{ clientMsgId, sentAt, deliveredAt, readAt, failedAt, errorCode, errorMessage },
    ...{ forwarded, replyToMessageId, sentByMemberId },
  });
}

/** One reaction for each side: a later one takes its place. */
function reacted(body: MessageBody, by: 'contact', emoji: string | undefined): MessageBody {
  const others = body.reactions.filter((one) => one.by !== by);
  return { ...body, reactions: emoji === undefined ? others : [...others, { by, emoji }] };
}

/** The file of a message that still shows one: what the customer took back stays gone. */
const withMedia = (body: MessageBody, change: Partial<MessageMedia>, more: Partial<MessageBody> = {}): MessageBody =>
  body.media === undefined ? body : { ...body, ...more, media: { ...body.media, ...change } };

/**
 * Handlers of events about one message: the first, and what follows. A message that comes again, long after, as the channel may
 * deliver it, stays what it has become.
 */
const first = <E extends AboutMessage>(make: (event: Seen<E>) => MessageBody): Handler<MessageBody, E> => ({
  ids: ({ data }) => [data.messageId],
  evolve: (view, event) =>
    view ?? { keys: { conversationId: event.streamId, place: event.revision }, body: make(event) },
});

const then = <E extends AboutMessage>(
  change: (body: MessageBody, event: Seen<E>) => MessageBody,
): Handler<MessageBody, E> => ({
  ids: ({ data }) => [data.messageId],
  evolve(view, event) {
    if (view === undefined) return undefined;
    const body = change(view.body, event);
    return body === view.body ? view : { keys: view.keys, body };
  },
});

/**
 * One document a message, by its id. `place`: the revision of the event that it came with, so that a conversation's messages
 * have one order for ever, the newest is always the first, and a page begins where the one before ended.
 */
export const messages = defineProjection<MessageBody, ConversationEvent>({
  name: 'messages',
  version: 1,
  partitionedBy: 'store',
  perStream: true,
  categories: ['conversation'],
  keys: { conversationId: 'text', place: 'number' },
  indexes: [{ keys: ['conversationId', '-place'] }],
  on: {
    MessageReceived: first(receivedMessage),
    NoticeReceived: first(noticeMessage),
    CallReceived: first(callMessage),
    MessageQueued: first(queuedMessage),
    MessageAccepted: then((body, { meta }) => moved(body, 'sent', { sentAt: meta.at })),
    MessageStatusChanged: then((body, { data: { status, at } }) =>
      moved(body, status, { [AT[status]]: notBefore(body, at) }),
    ),
    MessageFailed: then((body, { data: { errorCode, reason }, meta }) =>
      moved(body, 'failed', { failedAt: meta.at, errorCode, errorMessage: reason }),
    ),
    MessageDeleted: then(deleted),
    MessageReactionChanged: then((body, { data: { by, emoji } }) => (body.deleted ? body : reacted(body, by, emoji))),
    MessageMediaStored: then((body, { data: { fileId, mimeType } }) =>
      withMedia(body, { status: 'ready', fileId, mimeType }),
    ),
    MessageMediaFailed: then((body, { data: { errorCode, reason } }) =>
      withMedia(body, { status: 'failed' }, { errorCode, errorMessage: reason }),
    ),
  },
});

// For deliveries about one event --------------------------------------------------------------------------------------------

/** Fields that each status lacks because a later status adds them. */
const LATER = {
  sent: ['deliveredAt', 'readAt', 'failedAt', 'errorCode', 'errorMessage'],
  delivered: ['readAt'],
  read: [],
} as const;

const asOfStatus = (body: MessageBody, status: keyof typeof LATER): MessageBody => ({
  ...without(body, ...LATER[status]),
  status,
});

/**
 * Returns a message as it was at one of its events, so that a repeated delivery of the event has the same body. Contents that
 * were deleted since stay deleted; fields that do not depend on the status are current.
 */
export function messageAsOf(body: MessageBody, event: RecordedEvent): MessageBody {
  const requested = seen(event) as unknown as Seen<ConversationEvent>;
  if (body.deleted) return body;
  switch (requested.type) {
    case 'MessageReceived':
      return receivedMessage(requested);
    case 'CallReceived':
      return callMessage(requested);
    case 'MessageAccepted':
      return asOfStatus(body, 'sent');
    case 'MessageStatusChanged':
      return asOfStatus(body, requested.data.status);
    default:
      return body;
  }
}
