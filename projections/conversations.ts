import type { ConversationEvent } from '../domain/channel/conversationEvents.js';
import { defineProjection } from './projection.js';

export interface ConversationDocument {
  readonly id: string;
  readonly numberId: string;
  readonly phone?: string;
  readonly userId?: string;
  readonly createdAt: string;
}

/**
 * One document a conversation, found by the customer's phone also where it is kept under the user id: statuses of the
 * channel may name the phone alone.
 */
export const conversations = defineProjection<ConversationDocument, ConversationEvent>({
  name: 'conversations',
  version: 1,
  categories: ['conversation'],
  keys: { workspaceId: 'text', numberId: 'text', phone: 'text', createdAt: 'text' },
  indexes: [{ keys: ['numberId', 'phone'] }],
  on: {
    ConversationStarted: (_, { data, meta, streamId }) => ({
      keys: {
        workspaceId: meta.workspaceId ?? null,
        numberId: data.numberId,
        phone: data.customer.phone ?? null,
        createdAt: meta.at,
      },
      body: {
        id: streamId,
        numberId: data.numberId,
        ...(data.customer.phone === undefined ? {} : { phone: data.customer.phone }),
        ...(data.customer.userId === undefined ? {} : { userId: data.customer.userId }),
        createdAt: meta.at,
      },
    }),
  },
});
