/** Progress of a store's items at the catalog provider: pushed, refused, reviewed. Events: catalogEvents.ts. */
import type { Aggregate, Decision } from '../decider.js';
import type { CatalogSyncEvent, SyncedItem } from './catalogEvents.js';

// State: only what decisions need --------------------------------------------------------------------------------
/** A push that the provider accepted and has not finished. */
export interface OpenBatch {
  readonly items: readonly SyncedItem[];
  readonly removals: readonly SyncedItem[];
}

type Status = Extract<CatalogSyncEvent, { type: 'CatalogStatusChanged' }>['data'];

export interface CatalogSync {
  /** Open batches by handle. The pusher limits their number to a few. */
  readonly open: Map<string, OpenBatch>;
  /** Undefined until the first push. */
  status: Status | undefined;
  /** Catalog of the last push. */
  catalogId: string | undefined;
  /** Reasons for which the provider refused whole calls, the newest last. They identify such items in the oldest events. */
  readonly callReasons: Set<string>;
  /** True: the provider's verdicts are read every day. */
  areChecked: boolean;
}

const KEPT_REASONS = 50;

const nothingPushed = (): CatalogSync => ({
  open: new Map(),
  status: undefined,
  catalogId: undefined,
  callReasons: new Set(),
  areChecked: false,
});

function failedFor({ callReasons }: CatalogSync, reason: string): void {
  callReasons.delete(reason);
  callReasons.add(reason);
  if (callReasons.size > KEPT_REASONS) callReasons.delete(callReasons.keys().next().value!);
}

function evolve(sync: CatalogSync, event: CatalogSyncEvent): CatalogSync {
  switch (event.type) {
    case 'CatalogItemsSubmitted': {
      const { handle, items, removals, catalogId } = event.data;
      const before = sync.open.get(handle);
      sync.open.set(handle, {
        items: [...(before?.items ?? []), ...items],
        removals: [...(before?.removals ?? []), ...removals],
      });
      sync.catalogId = catalogId ?? sync.catalogId;
      return sync;
    }
    case 'CatalogBatchFinished':
      sync.open.delete(event.data.handle);
      return sync;
    case 'CatalogStatusChanged':
      sync.status = event.data;
      if (event.data.errorMessage !== undefined) failedFor(sync, event.data.errorMessage);
      return sync;
    case 'CatalogChecksBegun':
      sync.areChecked = true;
      return sync;
    default:
      return sync;
  }
}

interface Chunk {
  readonly open: readonly (readonly [string, OpenBatch])[];
  readonly status?: Status;
  readonly catalogId?: string;
  readonly callReasons?: readonly string[];
  readonly areChecked?: boolean;
}

const sizeOf = ({ open }: CatalogSync): number =>
  [...open.values()].reduce((size, { items, removals }) => size + items.length + removals.length, 0);

export const catalogSync: Aggregate<CatalogSync, CatalogSyncEvent> = {
  name: 'catalogSync',
  initial: nothingPushed,
  evolve,
  weigh: (sync) => 500 + 250 * sizeOf(sync),
  snapshot: {
    version: 2,
    every: 100,
    *write(sync): Generator<Chunk> {
      const { status, catalogId, callReasons, areChecked } = sync;
      const fields = { ...(status && { status }), ...(catalogId !== undefined && { catalogId }) };
      yield { open: [], callReasons: [...callReasons], areChecked, ...fields };
      for (const batch of sync.open) yield { open: [batch] };
    },
    read() {
      const sync = nothingPushed();
      return {
        add(chunk) {
          const { open, status, catalogId, callReasons = [], areChecked = false } = chunk as Chunk;
          for (const [handle, batch] of open) sync.open.set(handle, batch);
          for (const reason of callReasons) sync.callReasons.add(reason);
          sync.status ??= status;
          sync.catalogId ??= catalogId;
          sync.areChecked ||= areChecked;
        },
        done: () => sync,
      };
    },
  },
};

/** Retailer ids of all items in open batches. */
export function busyItems({ open }: CatalogSync): Set<string> {
  const busy = new Set<string>();
  for (const { items, removals } of open.values())
    for (const { retailerId } of [...items, ...removals]) busy.add(retailerId);
  return busy;
}

// Decisions: facts that are recorded already lead to no event ------------------------------------------------------
type SyncDecision = Decision<CatalogSync, CatalogSyncEvent>;
type RefusedItem = SyncedItem & { readonly reason: string };
export type ReviewedItem = Extract<CatalogSyncEvent, { type: 'CatalogItemsReviewed' }>['data']['items'][number];

/** Maximum items per event. */
const PART = 500;

function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += PART) yield items.slice(from, from + PART);
}

const sameStatus = (a: Status | undefined, b: Status): boolean =>
  a?.status === b.status && a.errorCode === b.errorCode && a.errorMessage === b.errorMessage;

const statusEvents = ({ status }: CatalogSync, after: Status): CatalogSyncEvent[] =>
  sameStatus(status, after) ? [] : [{ type: 'CatalogStatusChanged', data: after }];

/** Records that the provider accepted a batch, so the catalog works. */
export const batchSubmitted =
  (catalogId: string, handle: string, items: readonly SyncedItem[], removals: readonly SyncedItem[]): SyncDecision =>
  (sync) => {
    if (sync.open.has(handle)) return [];
    const submitted = (some: readonly SyncedItem[], gone: readonly SyncedItem[]): CatalogSyncEvent => ({
      type: 'CatalogItemsSubmitted',
      data: { handle, catalogId, items: some, removals: gone },
    });
    return [
      ...[...parts(items)].map((part) => submitted(part, [])),
      ...[...parts(removals)].map((part) => submitted([], part)),
      ...statusEvents(sync, { status: 'active' }),
    ];
  };

const refusals = (items: readonly RefusedItem[], more: { readonly call?: true } = {}): CatalogSyncEvent[] =>
  [...parts(items)].map((part) => ({ type: 'CatalogItemsRefused', data: { items: part, ...more } }));

/** Records that the push of these items failed, each with its reason. `call`: the provider refused the whole call. */
export const itemsRefused =
  (items: readonly RefusedItem[], more: { readonly call?: true } = {}): SyncDecision =>
  () =>
    refusals(items, more);

/** Records that the provider refuses this catalog, and that these items failed with it. The next accepted push clears the failure. */
export const catalogRefused =
  (errorCode: string, errorMessage: string, items: readonly SyncedItem[] = []): SyncDecision =>
  (sync) => [
    ...refusals(
      items.map((item) => ({ ...item, reason: errorMessage })),
      { call: true },
    ),
    ...statusEvents(sync, { status: 'failed', errorCode, errorMessage }),
  ];

/** Records that the provider finished a batch. `problems`: reasons by retailer id of items that the provider did not save. */
export const batchFinished =
  (handle: string, problems: ReadonlyMap<string, string>): SyncDecision =>
  ({ open }) => {
    const batch = open.get(handle);
    if (batch === undefined) return [];
    const refused = batch.items.flatMap((item) => {
      const reason = problems.get(item.retailerId);
      return reason === undefined ? [] : [{ ...item, reason }];
    });
    return [
      ...refusals(refused),
      // An item that the provider could not remove does not exist there.
      ...[...parts(batch.removals)].map(
        (items): CatalogSyncEvent => ({ type: 'CatalogItemsWithdrawn', data: { handle, items } }),
      ),
      { type: 'CatalogBatchFinished', data: { handle } },
    ];
  };

/**
 * Closes a batch whose outcome will never be known. With a reason its items have failed, otherwise they are pushed again. Removals stay
 * pending.
 */
export const batchLost =
  (handle: string, reason?: string): SyncDecision =>
  ({ open }) => {
    const batch = open.get(handle);
    if (batch === undefined) return [];
    const refused = reason === undefined ? [] : batch.items.map((item) => ({ ...item, reason }));
    return [...refusals(refused), { type: 'CatalogBatchFinished', data: { handle } }];
  };

/** Records that the price of these items changed, though the products did not. */
export const itemsRepriced =
  (items: readonly SyncedItem[]): SyncDecision =>
  () =>
    [...parts(items)].map((part) => ({ type: 'CatalogItemsRepriced', data: { items: part } }));

export const itemsReviewed =
  (items: readonly ReviewedItem[]): SyncDecision =>
  () =>
    [...parts(items)].map((part) => ({ type: 'CatalogItemsReviewed', data: { items: part } }));

/** Starts the daily checks, once per store. */
export const beginChecks: SyncDecision = ({ areChecked }) =>
  areChecked ? [] : [{ type: 'CatalogChecksBegun', data: {} }];
