import { defined } from '../domain/defined.js';
import type { Locale, StoreEvent, StoreStatus } from '../domain/stores/storeEvents.js';
import { defineProjection, type View } from '../engine/projections/projection.js';

/** Exactly the API's `StoreBody`; a store that no partner runs has no `externalRef`. (Specification 2, 'Store'.) */
export interface StoreBody {
  readonly workspaceId: string;
  readonly externalRef?: string;
  readonly name: string;
  readonly owner: { readonly email: string; readonly name: string };
  readonly country: string;
  readonly timezone: string;
  readonly locale: Locale;
  readonly status: StoreStatus;
  readonly createdAt: string;
  /** Set while the partner has closed the store. */
  readonly closedAt?: string;
}

/** The key `testKeys` of a store that refuses them. */
export const REFUSED = 'refused';

type StoreView = View<StoreBody>;

function moved(view: StoreView | undefined, status: StoreStatus, closedAt?: string): StoreView | undefined {
  if (view === undefined) return undefined;
  const { closedAt: _, ...body } = view.body;
  return {
    keys: { ...view.keys, status },
    body: { ...body, status, ...defined({ closedAt }) },
  };
}

/** One document a store: found by its partner's reference, listed newest first. `planKey` is a key, not for answers. */
export const stores = defineProjection<StoreBody, StoreEvent>({
  name: 'stores',
  version: 2,
  categories: ['store'],
  keys: {
    partnerId: 'text',
    externalRef: 'text',
    createdAt: 'text',
    status: 'text',
    planKey: 'text',
    testKeys: 'text',
  },
  indexes: [{ keys: ['partnerId', '-createdAt'] }, { keys: ['partnerId', 'externalRef'] }, { keys: ['-createdAt'] }],
  on: {
    StoreCreated(_, { data, meta: { at }, streamId }) {
      const { partnerId, externalRef, name, owner, country, timezone, locale, planKey } = data;
      return {
        keys: {
          partnerId: partnerId ?? null,
          externalRef: externalRef ?? null,
          createdAt: at,
          status: 'active',
          planKey,
          testKeys: null,
        },
        body: {
          workspaceId: streamId,
          ...defined({ externalRef }),
          name,
          owner,
          country,
          timezone,
          locale,
          status: 'active',
          createdAt: at,
        },
      };
    },
    // No part of the API's `StoreBody`.
    StoreTestKeysChanged: (view, { data: { refused } }) =>
      view && { ...view, keys: { ...view.keys, testKeys: refused ? REFUSED : null } },
    StoreRenamed: (view, { data: { name } }) => view && { ...view, body: { ...view.body, name } },
    StoreClosed: (view, { meta }) => moved(view, 'suspended', meta.at),
    StoreReopened: (view, { data }) => moved(view, data.status),
    StoreSuspended: (view) => moved(view, 'suspended'),
    StoreReinstated: (view, { data }) => moved(view, data.status),
  },
});
