import { defined } from '../domain/defined.js';
import { resealedBy } from '../domain/secrets/resealing.js';
import { numberOfToken } from '../domain/stores/channelNumber.js';
import type { ChannelNumber, StoreEvent } from '../domain/stores/storeEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

/** `accessTokenSealed` is still under the master key here. */
export interface ChannelNumberBody extends ChannelNumber {
  readonly workspaceId: string;
  /** Partner that runs the store, if any. */
  readonly partnerId?: string;
}

/** One document a number; the id is the channel's phoneNumberId, by which inbound webhooks are routed. */
export const channelNumbers = defineProjection<ChannelNumberBody, StoreEvent>({
  name: 'channelNumbers',
  version: 3,
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
    SecretsResealed: {
      ids: ({ data }) => data.secrets.flatMap(({ context }) => numberOfToken(context) ?? []),
      evolve(view, event) {
        const sealed = view?.body.accessTokenSealed;
        if (view === undefined || sealed === undefined) return view;
        return { ...view, body: { ...view.body, accessTokenSealed: resealedBy(event)(sealed) } };
      },
    },
  },
});
