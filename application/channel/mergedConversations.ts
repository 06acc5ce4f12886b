/** Where a customer goes on who turned out to be another one. */
import { conversation } from '../../domain/channel/conversation.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { knownKey } from './contacts.js';

/** One customer after another may turn out to be the next: followed so far. */
const MOST = 10;

const ofMerging = ({ started, merged, mergedInto, numberId, customer }: Conversation) => ({
  ...{ started, merged, mergedInto, numberId },
  customer: { ...customer },
});

/**
 * The conversation that goes on for one that was merged, the last of a chain. Where the oldest events do not name it, it is that of the
 * customer as they are known today. Undefined: this one goes on itself, or the customer has not written in the other yet.
 */
export async function survivorOf(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  conversationId: string,
): Promise<string | undefined> {
  let id = conversationId;
  for (let hop = 0; hop < MOST; hop++) {
    const { started, merged, mergedInto, numberId, customer } = await commands.query(conversation, id, ofMerging);
    if (!started) return undefined;
    if (!merged) return id === conversationId ? undefined : id;
    const key = mergedInto === undefined ? await knownKey(commands, workspaceId, customer) : undefined;
    const next = mergedInto ?? (key === undefined ? undefined : conversationOfKey(numberId, key));
    if (next === undefined || next === id) return undefined;
    id = next;
  }
  return undefined;
}
