/** Messages that processors queue to a customer: to whom, and under which id. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, MessagePurpose, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { customerOnNumber } from '../../domain/channel/conversationReceiving.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Cause, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { currentConversation } from './mergedConversations.js';

/** A business number and the customer who writes to it. */
export interface CustomerOnNumber {
  readonly numberId: string;
  readonly customer: ChannelCustomer;
}

/** Both ends of a conversation. Undefined: there is none, since the customer was forgotten. */
export type CustomerOf = (conversationId: string) => Promise<CustomerOnNumber | undefined>;

/** From the conversation itself, however far the read models are: the customer as the channel told of them last. */
export const customerFrom =
  (commands: Pick<CommandHandler, 'query'>): CustomerOf =>
  (conversationId) =>
    commands.query(conversation, conversationId, customerOnNumber);

/**
 * Queues one message of a task, in the conversation in which the customer goes on. The same task queues it once, however often
 * it is performed, also when the conversation was merged in between. Nothing is queued to somebody who was forgotten.
 */
export async function send(
  dependencies: { readonly customerOf: CustomerOf },
  context: ProcessorContext,
  task: Task<Cause>,
  to: { readonly conversationId: string; readonly messageId?: string },
  content: OutboundContent,
  purpose: MessagePurpose,
): Promise<void> {
  const { commands } = context;
  const messageId = to.messageId ?? messageIdOf(task);
  const conversationId = await currentConversation(commands, task.payload.workspaceId, to.conversationId);
  if (conversationId !== to.conversationId) {
    const isQueued = await commands.query(conversation, to.conversationId, ({ outbound }) => outbound.has(messageId));
    if (isQueued) return;
  }
  const found = await dependencies.customerOf(conversationId);
  if (found === undefined) return;
  const { numberId, customer } = found;
  await commands.decide(
    context.contextFor(task, task.payload),
    conversation,
    conversationId,
    queueMessage({ messageId, numberId, to: customer, content, purpose }),
  );
}

/** The message that a task leads to. `orderMessage` stays, whoever sends: by another name, what was sent would be sent again. */
export const messageIdOf = (task: Task<unknown>): string => derivedId('orderMessage', task.id);
