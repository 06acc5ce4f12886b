import { defined } from '../domain/defined.js';
import type { ChannelNumber, StoreEvent } from '../domain/stores/storeEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

/** `accessTokenSealed` is still under the master key here. */
export interface ChannelNumberBody extends ChannelNumber {
  readonly workspaceId: string;
  /** Of the store, when one runs it. */
  readonly partnerId?: string;
}

/** One document a number; the id is the channel's phoneNumberId, by which inbound webhooks are routed. */
export const channelNumbers = defineProjection<ChannelNumberBody, StoreEvent>({
  name: 'channelNumbers',
  version: 2,
  categories: ['store'],
  keys: { workspaceId: 'text', numberId: 'text', businessAccountId: 'text' },
  indexes: [{ keys: ['workspaceId'] }, { keys: ['numberId'] }, { keys: ['businessAccountId'] }],
  on: {
    ChannelNumberConnected: {
      ids: ({ data }) => [data.phoneNumberId],
      evolve: (_, { data, meta: { partnerId }, streamId }) => ({
        keys: { workspaceId: streamId, numberId: data.numberId, businessAccountId: data.businessAccountId },
        body: { ...data, workspaceId: streamId, ...defined({ partnerId }) },
      }),
    },
  },
});
