import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import type { Reads } from '../../engine/projections/reads.js';
import { conversations } from '../../projections/conversations.js';
import { messageAsOf, messages } from '../../projections/messages.js';

export interface MessageDataParts {
  readonly reads: Reads;
  /** Whether the views of conversations have passed a position; waits for them, for a bounded time. */
  readonly passed: (position: Position, store?: string) => Promise<boolean>;
}

/** Whether what an event tells is a message, or a conversation. */
export const isOfMessage = ({ stream }: RecordedEvent): boolean => stream.startsWith('conversation-');

/**
 * `data` of an event about a message, both objects as the API answers them: the message as it was at the event, the
 * conversation as it is. Undefined: the message is not known. Throws while the views are late. (Specification 2, 'Event types stated'.)
 */
export const messageData =
  ({ reads, passed }: MessageDataParts) =>
  async (event: RecordedEvent): Promise<object | undefined> => {
    const { messageId } = event.data as { messageId: string };
    if (!(await passed(event.position, event.meta.workspaceId))) throw new Error('the views of conversations are late');
    const message = await reads.get(messages, messageId);
    const conversation = await reads.get(conversations, seen(event).streamId);
    // What was taken back before it came is told of when it comes.
    if (message === undefined && event.type === 'MessageDeleted') return undefined;
    if (message === undefined || conversation === undefined)
      throw new Error(`the views do not show message ${messageId} yet`);
    return { message: messageAsOf(message.body, event), conversation: conversation.body };
  };
