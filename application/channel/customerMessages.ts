/** Messages that processors queue to a customer: to whom, and under which id. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, MessagePurpose, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { partyOf } from '../../domain/channel/conversationReceiving.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Cause, ProcessorContext, Task } from '../../engine/processors/processor.js';

/** A business number and the customer who writes to it. */
export interface Party {
  readonly numberId: string;
  readonly customer: ChannelCustomer;
}

/** Both ends of a conversation. */
export type PartyOf = (conversationId: string) => Promise<Party>;

/** From the conversation itself, however far the read models are: the customer as the channel told of them last. */
export const partyFrom =
  (commands: Pick<CommandHandler, 'query'>): PartyOf =>
  async (conversationId) => {
    const party = await commands.query(conversation, conversationId, partyOf);
    if (party === undefined) throw new Error(`conversation ${conversationId} has no beginning`);
    return party;
  };

/** Queues one message of a task. The same task queues it once, however often it is performed. */
export async function send(
  dependencies: { readonly partyOf: PartyOf },
  context: ProcessorContext,
  task: Task<Cause>,
  to: { readonly conversationId: string; readonly messageId?: string },
  content: OutboundContent,
  purpose: MessagePurpose,
): Promise<void> {
  const { numberId, customer } = await dependencies.partyOf(to.conversationId);
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
