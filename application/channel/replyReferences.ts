/** The channel's ids of messages that are replied to. */

import { conversation } from '../../domain/channel/conversation.js';
import { channelMessageIdOf } from '../../domain/channel/conversationSending.js';
import { refuse } from '../../domain/decider.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { type EventStore, streamName } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import { messages } from '../../projections/messages.js';

/** Number of events after a message's own that are searched for the channel's answer. */
const FOLLOWING = 200;

export interface Replying {
  readonly read: Pick<Reads, 'get'>;
  readonly commands: Pick<CommandHandler, 'query'>;
  readonly eventStore: Pick<EventStore, 'readStream'>;
}

/** Searches the history for an id that the conversation does not retain any more. `place`: revision of the message's event. */
async function inHistory(
  eventStore: Replying['eventStore'],
  conversationId: string,
  messageId: string,
  place: number,
): Promise<string | undefined> {
  const stream = streamName(conversation.name, conversationId);
  const events = await eventStore.readStream(stream, { from: place, limit: FOLLOWING });
  const named = events
    .map(({ data }) => data as { messageId?: string; channelMessageId?: string })
    .find((data) => data.messageId === messageId && data.channelMessageId !== undefined);
  return named?.channelMessageId;
}

/**
 * Returns the channel's id of a message in the conversation. Undefined: it has none yet, or never had one, so that the reply has no
 * reference, or one that is known when it is sent. Refuses `validation_failed` for a message of another conversation, or one that cannot be
 * replied to. `at`: location of the message in the request.
 */
export async function repliedTo(
  { read, commands, eventStore }: Replying,
  conversationId: string,
  messageId: string,
  at: string,
): Promise<string | undefined> {
  const found = await read.get(messages, messageId);
  const isHere = found?.keys.conversationId === conversationId;
  if (!isHere || found.body.type === 'call' || found.body.direction === 'internal') {
    const message = isHere ? 'Replies to this message are not possible.' : 'The conversation has no such message.';
    return refuse('validation_failed', message, [{ message, location: `${at}.replyToMessageId`, value: messageId }]);
  }
  const known = await commands.query(conversation, conversationId, (state) => channelMessageIdOf(state, messageId));
  return known ?? inHistory(eventStore, conversationId, messageId, found.keys.place as number);
}
