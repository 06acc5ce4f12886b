import type { Operation } from '../operation.js';
import { getConversation } from './getConversation.js';
import { listConversations } from './listConversations.js';
import { listMessages } from './listMessages.js';

export const inboxOperations: readonly Operation[] = [listConversations, getConversation, listMessages];
