/** The conversation as a unit of consistency, and how it is kept between restarts. */
import type { Aggregate, SnapshotCodec } from '../decider.js';
import type { ConversationEvent } from './conversationEvents.js';
import {
  type Conversation,
  type EarlyReaction,
  evolve,
  initial,
  type Outbound,
  type Reaction,
} from './conversationState.js';

type Collections = 'inbound' | 'outbound' | 'waiting' | 'pendingMedia' | 'reactions' | 'early' | 'deleted';

interface Snapshot extends Omit<Conversation, Collections> {
  readonly inbound: readonly (readonly [string, string])[];
  readonly outbound: readonly (readonly [string, Outbound])[];
  readonly waiting: readonly string[];
  readonly pendingMedia: readonly string[];
  readonly reactions: readonly (readonly [string, Reaction])[];
  readonly early: readonly (readonly [string, EarlyReaction])[];
  readonly deleted: readonly string[];
}

const snapshot: SnapshotCodec<Conversation> = {
  version: 3,
  every: 1_000,
  *write({ inbound, outbound, waiting, pendingMedia, reactions, early, deleted, ...fields }) {
    const chunk: Snapshot = {
      ...fields,
      inbound: [...inbound],
      outbound: [...outbound],
      waiting: [...waiting],
      pendingMedia: [...pendingMedia],
      reactions: [...reactions],
      early: [...early],
      deleted: [...deleted],
    };
    yield chunk;
  },
  read() {
    let state = initial();
    return {
      add(chunk) {
        const { inbound, outbound, waiting, pendingMedia, reactions, early, deleted, ...fields } = chunk as Snapshot;
        state = {
          ...state,
          ...fields,
          inbound: new Map(inbound),
          outbound: new Map(outbound),
          waiting: new Set(waiting),
          pendingMedia: new Set(pendingMedia),
          reactions: new Map(reactions),
          early: new Map(early),
          deleted: new Set(deleted),
        };
      },
      done: () => state,
    };
  },
};

/** Messages between one business number and one customer, stream `conversation-{conversationId}`. */
export const conversation: Aggregate<Conversation, ConversationEvent> = {
  name: 'conversation',
  initial,
  evolve,
  snapshot,
  weigh: ({ inbound, outbound, pendingMedia, reactions, early, deleted }) =>
    900 +
    inbound.size * 200 +
    outbound.size * 250 +
    (pendingMedia.size + reactions.size + early.size + deleted.size) * 120,
};
