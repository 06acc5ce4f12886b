import { sendMessage as decideSend } from '../../../domain/channel/memberMessages.js';
import { Json, operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { messageRules } from './rules.js';
import { MessageBody } from './schemas.js';
import { SendBody } from './sendingSchemas.js';
import { sendOnce } from './sendOnce.js';
import { visibleConversation } from './visibility.js';

/** (Specification 2, 'Inbox', rule 3.) */
export const sendMessage = operation({
  id: 'sendMessage',
  route: 'POST {W}/conversations/{conversationId}/messages',
  summary: 'Queues a message to the customer. Outside the 24-hour window only an approved template can be sent.',
  tag: 'Inbox',
  scope: 'inbox:reply',
  feature: 'channel.number',
  params: { conversationId: Uuid },
  body: SendBody,
  rules: messageRules,
  idempotent: true,
  answers: { 202: MessageBody },
  problems: [
    ...['not_found', 'window_closed', 'template_not_approved', 'template_not_sendable', 'template_parameters_invalid'],
    ...['no_channel_number', 'conversation_merged'],
  ],
  async handle(request) {
    const { body: shown } = await visibleConversation(request, request.params.conversationId);
    const target = {
      conversationId: shown.id,
      numberId: shown.numberId,
      // The decision takes the customer as the conversation knows them.
      to: {},
      at: 'body',
    };
    const json = await sendOnce(request, target, request.body, async (command) => decideSend(command, request.now));
    return { status: 202, body: new Json(json) };
  },
});
