/** Messages that refer to one in an earlier conversation, from before the customer was identified: deletions and reactions. */
import { conversation } from '../../domain/channel/conversation.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { receiveMessages } from '../../domain/channel/conversationReceiving.js';
import { knowsMessage } from '../../domain/channel/conversationSending.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { ReceivedMessage } from './inboundUpdates.js';
import { withMerged } from './mergedConversations.js';
import { customerContext, messageIn, type WritingCustomer } from './writingCustomer.js';

/**
 * Returns the merged conversation that contains the referenced message. Undefined: the customer's current conversation contains it, or none
 * does.
 */
async function earlierConversation(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  own: string,
  channelMessageId: string,
): Promise<string | undefined> {
  const has = (id: string): Promise<boolean> =>
    commands.query(conversation, id, (state) => knowsMessage(state, channelMessageId));
  if (await has(own)) return undefined;
  for (const id of await withMerged(commands, workspaceId, own)) if (await has(id)) return id;
  return undefined;
}

/** Records the message in the merged conversation that it refers to. Returns false if it belongs to the customer's current conversation. */
export async function takenEarlier(
  commands: CommandHandler,
  { number, key }: WritingCustomer,
  message: ReceivedMessage,
  requestId: string,
): Promise<boolean> {
  const { content, channelMessageId, customer } = message;
  if (content.type !== 'revoke' && content.type !== 'reaction') return false;
  const { numberId, workspaceId } = number;
  const own = conversationOfKey(numberId, key);
  const id = await earlierConversation(commands, workspaceId, own, content.channelMessageId);
  if (id === undefined) return false;
  const context = customerContext(number, customer, requestId, 'earlier', id, channelMessageId);
  // The customer's details are updated only in their current conversation.
  const messages = [messageIn(id, { ...message, customer: {} })];
  await commands.decide(context, conversation, id, receiveMessages({ numberId, messages }));
  return true;
}
