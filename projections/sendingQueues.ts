import type { ConversationEvent } from '../domain/channel/conversationEvents.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';

/** How many messages of a store wait to be sent. */
export interface SendingQueue {
  readonly waiting: number;
}

const storeOf = ({ meta: { workspaceId } }: Seen<ConversationEvent>): readonly string[] =>
  workspaceId === undefined ? [] : [workspaceId];

/** Returns the changed count, at least 0: some failures do not show whether the channel had accepted the message. */
const counted = (view: View<SendingQueue> | undefined, by: number): View<SendingQueue> => ({
  keys: {},
  body: { waiting: Math.max(0, (view?.body.waiting ?? 0) + by) },
});

/** Number of pending messages, one document per store by its id, so that a read costs the same however many there are. */
export const sendingQueues = defineProjection<SendingQueue, ConversationEvent>({
  name: 'sendingQueues',
  version: 1,
  partitionedBy: 'store',
  categories: ['conversation'],
  keys: {},
  indexes: [],
  on: {
    MessageQueued: { ids: storeOf, evolve: (view) => counted(view, 1) },
    MessageAccepted: { ids: storeOf, evolve: (view) => counted(view, -1) },
    MessageFailed: { ids: storeOf, evolve: (view, { data }) => counted(view, data.accepted ? 0 : -1) },
  },
});
