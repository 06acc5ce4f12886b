import type { Reads } from '../../engine/projections/reads.js';
import { conversations } from '../../projections/conversations.js';
import type { ConversationAliases } from './inboundStatuses.js';

/** A phone that has been in many hands: only so many conversations are looked at. */
const MOST = 10;

export const conversationAliases = (reads: Reads): ConversationAliases => ({
  async byPhone(numberId, phone) {
    const found = await reads.find(conversations, { where: { numberId, phone }, limit: MOST });
    return found.map((document) => document.id);
  },
});
