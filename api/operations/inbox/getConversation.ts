import { Json, operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { ConversationBody } from './schemas.js';
import { shownConversation, visibleConversation } from './visibility.js';

/** (Specification 2, 'Inbox'.) */
export const getConversation = operation({
  id: 'getConversation',
  route: 'GET {W}/conversations/{conversationId}',
  summary: 'One conversation with its customer and the last message.',
  tag: 'Inbox',
  scope: 'inbox:reply',
  feature: 'channel.number',
  params: { conversationId: Uuid },
  answers: { 200: ConversationBody },
  problems: ['not_found'],
  async handle(request) {
    const found = await visibleConversation(request, request.params.conversationId);
    return { status: 200, body: new Json(await shownConversation(request, found)) };
  },
});
