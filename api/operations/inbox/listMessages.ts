import { messages } from '../../../projections/messages.js';
import { listJson, operation } from '../../contract/operation.js';
import { PageQuery, Uuid } from '../../contract/schemas.js';
import { ThreadOutputBody } from './schemas.js';
import { visibleConversation } from './visibility.js';

/** (Specification 2, 'Inbox'.) */
export const listMessages = operation({
  id: 'listMessages',
  route: 'GET {W}/conversations/{conversationId}/messages',
  summary: 'Messages of a conversation, newest first.',
  tag: 'Inbox',
  scope: 'inbox:reply',
  feature: 'channel.number',
  params: { conversationId: Uuid },
  query: PageQuery,
  answers: { 200: ThreadOutputBody },
  problems: ['not_found', 'invalid_cursor'],
  async handle(request) {
    const { id: conversationId } = await visibleConversation(request, request.params.conversationId);
    // Even the first message has a place: the bound excludes only messages without one.
    const where = { conversationId, place: { gte: 0 } };
    return {
      status: 200,
      body: listJson('messages', await request.read.page(messages, { where, sort: ['-place'], keys: [] })),
    };
  },
});
