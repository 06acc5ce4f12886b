import type { Reads } from '../../engine/projections/reads.js';
import { conversations } from '../../projections/conversations.js';
import type { ConversationAliases } from './inboundStatuses.js';

/** Maximum conversations to check, since a phone may have had many owners. */
const MOST = 10;

export const conversationAliases = (reads: Reads): ConversationAliases => ({
  async byPhone(numberId, phone) {
    const found = await reads.find(conversations, { where: { numberId, phone }, limit: MOST });
    return found.map((document) => document.id);
  },
});
