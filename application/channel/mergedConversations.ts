/** Current conversation of a customer who was merged into another one. */
import { conversation } from '../../domain/channel/conversation.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { formerConversations, identityOf, knownKey } from './customerIdentity.js';

/** Maximum length of a chain of merges. */
const MOST = 10;

const ofMerging = ({ started, merged, mergedInto, numberId, customer }: Conversation) => ({
  ...{ started, merged, mergedInto, numberId },
  customer: { ...customer },
});

/**
 * Returns the conversation that continues a merged one, the last of a chain. The oldest events do not contain it, so it is found by the
 * customer's current key. Undefined: this conversation is current, or the customer has not written in the other one yet.
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

/** Returns the conversation in which the customer of this one is written to: the same, unless it was merged into another. */
export const currentConversation = async (
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  conversationId: string,
): Promise<string> => (await survivorOf(commands, workspaceId, conversationId)) ?? conversationId;

/** Returns true if both are conversations of one customer with one number: the same, or merged since. */
export async function isSameConversation(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  one: string | undefined,
  other: string,
): Promise<boolean> {
  if (one === undefined || one === other) return one === other;
  const [first, second] = await Promise.all([
    currentConversation(commands, workspaceId, one),
    currentConversation(commands, workspaceId, other),
  ]);
  return first === second;
}

/** Returns the conversation, and those of its customer that were merged into it. */
export async function withMerged(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  conversationId: string,
): Promise<readonly string[]> {
  const { started, numberId, customer } = await commands.query(conversation, conversationId, ofMerging);
  const key = started ? await knownKey(commands, workspaceId, customer) : undefined;
  if (key === undefined) return [conversationId];
  const { phones = [], userIds = [] } = await identityOf(commands, workspaceId, 'key', key);
  const names = [customer, ...phones.map((phone) => ({ phone })), ...userIds.map((userId) => ({ userId }))];
  const found = new Set([conversationId]);
  for (const name of names)
    for (const id of await formerConversations(commands, workspaceId, numberId, key, name))
      if (!found.has(id) && (await survivorOf(commands, workspaceId, id)) === conversationId) found.add(id);
  return [...found];
}
