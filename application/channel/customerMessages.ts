/** Messages that processors queue to a customer: recipient and message id. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, MessagePurpose, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { customerOnNumber } from '../../domain/channel/conversationReceiving.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { isErasedCustomer } from '../../domain/erasure.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Cause, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { currentConversation, withMerged } from './mergedConversations.js';

/** A business number and the customer who writes to it. */
export interface CustomerOnNumber {
  readonly numberId: string;
  readonly customer: ChannelCustomer;
}

/** Returns both ends of a conversation. Undefined: the customer was erased. */
export type CustomerOf = (conversationId: string) => Promise<CustomerOnNumber | undefined>;

/** Reads the conversation itself, so that the customer's details are current even if read models lag. */
export const customerFrom =
  (commands: Pick<CommandHandler, 'query'>): CustomerOf =>
  (conversationId) =>
    commands.query(conversation, conversationId, (state) => {
      const found = customerOnNumber(state);
      return found === undefined || isErasedCustomer(found.customer) ? undefined : found;
    });

/** Performance of a task that queues a message. */
export interface Queueing {
  readonly dependencies: { readonly customerOf: CustomerOf };
  readonly context: ProcessorContext;
  readonly task: Task<Cause>;
}

/**
 * Queues one message of a task, in the customer's current conversation. The same task queues it once, however often it is performed, even
 * if the conversation was merged in between. Nothing is queued to an erased customer.
 */
export async function send(
  { dependencies, context, task }: Queueing,
  to: { readonly conversationId: string; readonly messageId?: string },
  content: OutboundContent,
  purpose: MessagePurpose,
): Promise<void> {
  const { commands } = context;
  const messageId = to.messageId ?? messageIdOf(task);
  const { workspaceId } = task.payload;
  const conversationId = await currentConversation(commands, workspaceId, to.conversationId);
  const isMerged = conversationId !== to.conversationId;
  if (isMerged && (await isQueuedTo(commands, workspaceId, to.conversationId, messageId))) return;
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

/**
 * Returns whether the task has queued its message. The customer has then read an earlier decision, and this performance must not decide
 * otherwise, whatever has changed since.
 */
export const hasAnswered = (
  { commands }: Pick<ProcessorContext, 'commands'>,
  task: Task<Cause & { readonly conversationId: string }>,
): Promise<boolean> => isQueuedTo(commands, task.payload.workspaceId, task.payload.conversationId, messageIdOf(task));

/** Returns whether the message is in the conversation, in the customer's current one, or in any that was merged into that. */
async function isQueuedTo(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  conversationId: string,
  messageId: string,
): Promise<boolean> {
  const isQueuedIn = (id: string) => commands.query(conversation, id, ({ outbound }) => outbound.has(messageId));
  if (await isQueuedIn(conversationId)) return true;
  const current = await currentConversation(commands, workspaceId, conversationId);
  if (current === conversationId) return false;
  for (const id of await withMerged(commands, workspaceId, current)) if (await isQueuedIn(id)) return true;
  return false;
}

/** Id of a task's message. Do not change `orderMessage`: with another name, messages would be sent for the second time. */
export const messageIdOf = (task: Task<unknown>): string => derivedId('orderMessage', task.id);
