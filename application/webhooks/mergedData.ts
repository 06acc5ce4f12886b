import type { Clock } from '../../engine/ports/clock.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import { conversations } from '../../projections/conversations.js';
import type { MessageDataParts } from './messageData.js';

/** Time after a merge in which the continuing conversation is awaited, in ms: its first messages may be being stored. */
const STARTED_WITHIN_MS = 10_000;

/**
 * Renders `data` of `conversation.merged`: the id of the closed conversation, and the continuing one in its current state, in the form of
 * the API. It is absent if the customer has none with this number. Throws while the views lag.
 */
export const mergedData =
  ({ reads, passed, clock }: MessageDataParts & { readonly clock: Pick<Clock, 'now'> }) =>
  async (event: RecordedEvent): Promise<object> => {
    if (!(await passed(event.position, event.meta.workspaceId)))
      throw new Error('the conversation read models lag behind');
    const mergedConversationId = seen(event).streamId;
    const { mergedInto } = event.data as { mergedInto: string };
    const conversation = await reads.get(conversations, mergedInto);
    if (conversation !== undefined) return { conversation: conversation.body, mergedConversationId };
    if (clock.now() < Date.parse(event.meta.at) + STARTED_WITHIN_MS)
      throw new Error(`the merged conversation ${mergedInto} is not in the read model yet`);
    return { mergedConversationId };
  };
