/** A store (workspace): identity, status, channel number, keys. Stream `store-{workspaceId}`. */

import type { Key } from '../access/keyEvents.js';
import { createKey, emptyKeyring, evolveKeyring, type Keyring, resealedKeyring, revokeKey } from '../access/keyring.js';
import { type Aggregate, type Decision, never, refuse, type WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import { resealedBy } from '../secrets/resealing.js';
import type { ChannelNumber, Locale, StoreEvent, StoreStatus } from './storeEvents.js';

// State ------------------------------------------------------------------------------------------------------------
export interface OpenedStore {
  readonly status: StoreStatus;
  readonly name: string;
  readonly planKey: string;
  readonly partnerId?: string;
  /** Suspension by its partner (`closed`) or by the operator, with the status to return to. */
  readonly suspended?: { readonly by: 'partner' | 'operator'; readonly before: StoreStatus };
  /** Start of the current period in which it is open, ms since 1970. Absent while it is closed. */
  readonly openSince?: number;
  readonly number?: ChannelNumber;
  /** True if the store refuses keys and sessions of the test mode. */
  readonly refusesTestKeys?: true;
  readonly keys: Keyring;
}
export type Store = { readonly status: 'absent' } | OpenedStore;

const absent: Store = { status: 'absent' };

const isOpened = (store: Store): store is OpenedStore => store.status !== 'absent';

/** Returns true if the store is read-only: no sales and no sessions. */
export const isClosedStore = ({ status }: Pick<Store, 'status'>): boolean =>
  status === 'suspended' || status === 'cancelled';

/** Returns true if the store is open, and has been open without interruption since `since` (ms since 1970), if given. */
export const isOpen = (store: Store, since = Number.POSITIVE_INFINITY): store is OpenedStore =>
  isOpened(store) && !isClosedStore(store) && store.openSince !== undefined && store.openSince <= since;

const suspended = ({ openSince: _, ...rest }: OpenedStore, by: 'partner' | 'operator', before: StoreStatus): Store => ({
  ...rest,
  status: 'suspended',
  suspended: { by, before },
});

function evolve(store: Store, event: WithMeta<StoreEvent>): Store {
  if (event.type === 'StoreCreated') {
    const { name, planKey, partnerId } = event.data;
    const openSince = Date.parse(event.meta.at);
    const of = defined({ partnerId });
    return { status: 'active', name, planKey, ...of, openSince, keys: emptyKeyring };
  }
  if (!isOpened(store)) return store;
  switch (event.type) {
    case 'StoreRenamed':
      return { ...store, name: event.data.name };
    case 'StoreClosed':
      return suspended(store, 'partner', event.data.before);
    case 'StoreSuspended':
      return suspended(store, 'operator', event.data.before);
    case 'StoreReopened':
    case 'StoreReinstated': {
      const { suspended: _, ...rest } = store;
      return { ...rest, status: event.data.status, openSince: Date.parse(event.meta.at) };
    }
    case 'StoreTestKeysChanged': {
      const { refusesTestKeys: _, ...rest } = store;
      return event.data.refused ? { ...rest, refusesTestKeys: true } : rest;
    }
    case 'ChannelNumberConnected':
      return { ...store, number: event.data };
    case 'KeyCreated':
    case 'KeyRevoked':
      return { ...store, keys: evolveKeyring(store.keys, event) };
    case 'SecretsResealed':
      return resealed(store, resealedBy(event));
    default:
      return never(event);
  }
}

function resealed({ number, ...store }: OpenedStore, sealedNow: (sealed: string) => string): OpenedStore {
  const keys = resealedKeyring(store.keys, sealedNow);
  const token = number?.accessTokenSealed;
  if (number === undefined || token === undefined) return { ...store, ...defined({ number }), keys };
  return { ...store, number: { ...number, accessTokenSealed: sealedNow(token) }, keys };
}

export const store: Aggregate<Store, StoreEvent> = { name: 'store', initial: () => absent, evolve };

// Decisions --------------------------------------------------------------------------------------------------------
export interface CreateStore {
  readonly name: string;
  readonly owner: { readonly email: string; readonly name: string };
  /** ISO 3166-1 alpha-2, in capitals. */
  readonly country: string;
  /** IANA name. */
  readonly timezone: string;
  readonly locale: Locale;
  readonly planKey: string;
  readonly partnerId?: string;
  readonly externalRef?: string;
}

/** Creates the store. Repeating it changes nothing. (Specification 2, 'Partner API', rule 1.) */
export const createStore =
  (command: CreateStore): Decision<Store, StoreEvent> =>
  (before) =>
    isOpened(before) ? [] : [{ type: 'StoreCreated', data: command }];

const existing =
  (decide: (store: OpenedStore) => readonly StoreEvent[]): Decision<Store, StoreEvent> =>
  (before) =>
    isOpened(before) ? decide(before) : refuse('not_found', 'There is no such store.');

function close(before: OpenedStore): readonly StoreEvent[] {
  if (before.suspended?.by === 'partner') return [];
  if (isClosedStore(before))
    refuse('store_not_closable', `The store is ${before.status}. Only an active store can be closed.`);
  return [{ type: 'StoreClosed', data: { before: before.status } }];
}

function reopen(before: OpenedStore): readonly StoreEvent[] {
  if (before.suspended?.by === 'partner') return [{ type: 'StoreReopened', data: { status: before.suspended.before } }];
  if (before.status === 'active') return [];
  refuse('store_not_reopenable', `The store is ${before.status}, but it was not closed by its partner.`);
}

/**
 * Closes the store: read-only, its data are retained. Closing a closed store changes nothing. (Specification 2, 'States and transitions'.)
 */
export const closeStore = (): Decision<Store, StoreEvent> => existing(close);

export interface ChangeStore {
  readonly name?: string;
  /** suspended: close the store. active: reopen a store that the partner closed. */
  readonly status?: 'active' | 'suspended';
}

/** Applies the partner's change, or none of it if one part is refused. */
export const changeStore = (command: ChangeStore): Decision<Store, StoreEvent> =>
  existing((before) => {
    const { name, status } = command;
    const renamed: StoreEvent[] =
      name === undefined || name === before.name ? [] : [{ type: 'StoreRenamed', data: { name, before: before.name } }];
    if (status === undefined) return renamed;
    return [...renamed, ...(status === 'suspended' ? close(before) : reopen(before))];
  });

/** Suspends the store for the operator. If its partner had closed it, only the operator can reopen it. */
export const suspendStore = (command: { reason?: string }): Decision<Store, StoreEvent> =>
  existing((before) => {
    if (before.suspended?.by === 'operator') return [];
    return [{ type: 'StoreSuspended', data: { ...command, before: before.suspended?.before ?? before.status } }];
  });

export const reinstateStore = (): Decision<Store, StoreEvent> =>
  existing((before) => {
    if (before.suspended?.by === 'operator')
      return [{ type: 'StoreReinstated', data: { status: before.suspended.before } }];
    if (before.status !== 'suspended') return [];
    refuse('store_not_reopenable', 'The store was closed by its partner. Only the partner can reopen it.');
  });

/** Makes the store refuse or accept test mode. Repeating it changes nothing. */
export const refuseTestKeys = (refused: boolean): Decision<Store, StoreEvent> =>
  existing((before) =>
    (before.refusesTestKeys ?? false) === refused ? [] : [{ type: 'StoreTestKeysChanged', data: { refused } }],
  );

export const createStoreKey = (key: Key): Decision<Store, StoreEvent> =>
  existing(({ keys }) => createKey('workspace', keys, key));

export const revokeStoreKey = (keyId: string): Decision<Store, StoreEvent> =>
  existing(({ keys }) => revokeKey(keys, keyId));
