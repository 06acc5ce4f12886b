import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import type { Reads } from '../../engine/projections/reads.js';
import { conversations } from '../../projections/conversations.js';
import { messageAsOf, messages } from '../../projections/messages.js';

export interface MessageDataParts {
  readonly reads: Reads;
  /** Waits, for a bounded time, until the views of conversations have passed a position. Returns false after the time. */
  readonly passed: (position: Position, store?: string) => Promise<boolean>;
}

/** Returns true if an event is about a message or a conversation. */
export const isOfMessage = ({ stream }: RecordedEvent): boolean => stream.startsWith('conversation-');

/**
 * Renders `data` of an event about a message, in the form of the API: the message at the event, and the current conversation. Undefined:
 * the message is unknown. Throws while the views lag. (Specification 2, 'Event types stated'.)
 */
export const messageData =
  ({ reads, passed }: MessageDataParts) =>
  async (event: RecordedEvent): Promise<object | undefined> => {
    const { messageId } = event.data as { messageId: string };
    if (!(await passed(event.position, event.meta.workspaceId)))
      throw new Error('the conversation read models lag behind');
    const message = await reads.get(messages, messageId);
    const conversation = await reads.get(conversations, seen(event).streamId);
    // A message that was deleted before it arrived is published when it arrives.
    if (message === undefined && event.type === 'MessageDeleted') return undefined;
    if (message === undefined || conversation === undefined)
      throw new Error(`message ${messageId} is not in the read model yet`);
    return { message: messageAsOf(message.body, event), conversation: conversation.body };
  };
