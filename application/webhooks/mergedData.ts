import type { Clock } from '../../engine/ports/clock.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import { conversations } from '../../projections/conversations.js';
import type { MessageDataParts } from './messageData.js';

/** So long after a merge the conversation that goes on is waited for: what the customer wrote there is just being taken. */
const STARTED_WITHIN_MS = 10_000;

/**
 * `data` of `conversation.merged`: the id of the conversation that was closed, and the one that goes on as it is, as the API
 * answers it. The customer may have none with this number: then it is absent. Throws while the views are late.
 */
export const mergedData =
  ({ reads, passed, clock }: MessageDataParts & { readonly clock: Pick<Clock, 'now'> }) =>
  async (event: RecordedEvent): Promise<object> => {
    if (!(await passed(event.position, event.meta.workspaceId))) throw new Error('the views of conversations are late');
    const mergedConversationId = seen(event).streamId;
    const { mergedInto } = event.data as { mergedInto: string };
    const conversation = await reads.get(conversations, mergedInto);
    if (conversation !== undefined) return { conversation: conversation.body, mergedConversationId };
    if (clock.now() < Date.parse(event.meta.at) + STARTED_WITHIN_MS)
      throw new Error(`conversation ${mergedInto}, which goes on, is not shown yet`);
    return { mergedConversationId };
  };
