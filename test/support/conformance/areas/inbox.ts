/**
 * Conformance rows for reads of the inbox, copied by hand from specification 2 ('Inbox' and its schemas), and how to
 * create its objects.
 */
import { operations } from '../../../../api/operations/index.js';
import type { Limit, Maker, Specified } from '../rows.js';
import { operationNamed } from '../stage.js';

const inbox = { scope: 'inbox:reply', feature: 'channel.number' };
const page = ['cursor', 'limit'];

export const inboxSpecified: readonly Specified[] = [
  {
    id: 'listConversations',
    route: 'GET {W}/conversations',
    ...inbox,
    query: ['status', 'teamId', 'assignee', ...page],
    answers: { 200: 'ConversationListOutputBody' },
    others: [],
  },
  {
    id: 'getConversation',
    route: 'GET {W}/conversations/{conversationId}',
    ...inbox,
    answers: { 200: 'ConversationBody' },
    others: [404, 422, 500],
  },
  {
    id: 'listMessages',
    route: 'GET {W}/conversations/{conversationId}/messages',
    ...inbox,
    query: page,
    answers: { 200: 'ThreadOutputBody' },
    others: [404, 422, 500],
  },
];

/** `mergedInto` is an addition to the specification. */
export const inboxSchemas: Readonly<Record<string, string>> = {
  ContactBody: 'id phone name language tags externalRef? channelName?',
  ConversationBody:
    'id numberId contact routingState status unreadCount lastMessageAt pinned createdAt updatedAt assigneeMemberId? closedAt? snoozedUntil? teamId? routingDeadline? windowExpiresAt? lastMessage? mergedInto?',
  ConversationListOutputBody: 'conversations next?',
  MessageBody:
    'id conversationId direction type text status reactions deleted createdAt clientMsgId? deliveredAt? sentAt? readAt? failedAt? errorCode? errorMessage? forwarded? replyToMessageId? sentByMemberId? locationRequest? call? choice? flow? flowReply? location? media? menu? order? products? template?',
  TemplateRefBody: 'templateId? name language',
  ThreadOutputBody: 'messages next?',
};

export const inboxQueryLimits: Readonly<Record<string, readonly Limit[]>> = {
  listConversations: [
    { at: 'status', accepts: ['active', 'open', 'snoozed', 'closed'], refuses: ['all', 'OPEN', ''] },
    { at: 'teamId', accepts: ['00000000-0000-4000-8000-00000000dead'], refuses: ['no-id', 'none', ''] },
    {
      at: 'assignee',
      accepts: ['none', 'me', '00000000-0000-4000-8000-00000000dead', '00000000-0000-4000-8000-00000000DEAD'],
      refuses: ['ME', 'nobody', 'no-id', ''],
    },
  ],
};

export const inboxMakers: Readonly<Record<string, Maker>> = {
  /** Creates an order and returns its conversation. */
  async conversationId(stage, store) {
    const orderId = await stage.order(store);
    const { body } = await stage.call(operationNamed(operations, 'getOrder'), { params: { orderId } }, store);
    return body.conversationId;
  },
};
