/** Messages that processors queue to a customer: to whom, and under which id. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, MessagePurpose, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { customerOnNumber } from '../../domain/channel/conversationReceiving.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Cause, ProcessorContext, Task } from '../../engine/processors/processor.js';

/** A business number and the customer who writes to it. */
export interface CustomerOnNumber {
  readonly numberId: string;
  readonly customer: ChannelCustomer;
}

/** Both ends of a conversation. */
export type CustomerOf = (conversationId: string) => Promise<CustomerOnNumber>;

/** From the conversation itself, however far the read models are: the customer as the channel told of them last. */
export const customerFrom =
  (commands: Pick<CommandHandler, 'query'>): CustomerOf =>
  async (conversationId) => {
    const onNumber = await commands.query(conversation, conversationId, customerOnNumber);
    if (onNumber === undefined) throw new Error(`conversation ${conversationId} has no beginning`);
    return onNumber;
  };

/** Queues one message of a task. The same task queues it once, however often it is performed. */
export async function send(
  dependencies: { readonly customerOf: CustomerOf },
  context: ProcessorContext,
  task: Task<Cause>,
  to: { readonly conversationId: string; readonly messageId?: string },
  content: OutboundContent,
  purpose: MessagePurpose,
): Promise<void> {
  const { numberId, customer } = await dependencies.customerOf(to.conversationId);
  const messageId = to.messageId ?? messageIdOf(task);
  await context.commands.decide(
    context.contextFor(task, task.payload),
    conversation,
    to.conversationId,
    queueMessage({ messageId, numberId, to: customer, content, purpose }),
  );
}

/** The message that a task leads to. `orderMessage` stays, whoever sends: by another name, what was sent would be sent again. */
export const messageIdOf = (task: Task<unknown>): string => derivedId('orderMessage', task.id);
