import type { Operation } from '../../contract/operation.js';
import { getConversation } from './getConversation.js';
import { listConversations } from './listConversations.js';
import { listMessages } from './listMessages.js';
import { sendMessage } from './sendMessage.js';
import { startConversation } from './startConversation.js';
import { updateConversation } from './updateConversation.js';

export const inboxOperations: readonly Operation[] = [
  listConversations,
  startConversation,
  getConversation,
  listMessages,
  sendMessage,
  updateConversation,
];
