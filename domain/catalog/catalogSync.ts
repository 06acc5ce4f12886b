/** How a store's items stand at the catalog provider: what was pushed, what the provider said. Events: catalogEvents.ts. */
import type { Aggregate, Decision } from '../decider.js';
import type { CatalogSyncEvent, SyncedItem } from './catalogEvents.js';

// State: only what decisions need --------------------------------------------------------------------------------
/** A push that the provider has accepted and not yet finished. */
export interface OpenBatch {
  readonly items: readonly SyncedItem[];
  readonly removals: readonly SyncedItem[];
}

type Status = Extract<CatalogSyncEvent, { type: 'CatalogStatusChanged' }>['data'];

export interface CatalogSync {
  /** By handle. Bounded by whoever pushes: a few at a time. */
  readonly open: Map<string, OpenBatch>;
  /** Undefined until the first push. */
  status: Status | undefined;
  /** The catalog that was pushed to last. */
  catalogId: string | undefined;
  /** Why the provider has refused whole calls, the newest last: tells such items of the oldest events from others. */
  readonly callReasons: Set<string>;
  /** The provider's verdicts are read again every day. */
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

/** Retailer ids of everything that the provider is still working on. */
export function busyItems({ open }: CatalogSync): Set<string> {
  const busy = new Set<string>();
  for (const { items, removals } of open.values())
    for (const { retailerId } of [...items, ...removals]) busy.add(retailerId);
  return busy;
}

// Decisions: what is known already leads to no event ---------------------------------------------------------------
type SyncDecision = Decision<CatalogSync, CatalogSyncEvent>;
type RefusedItem = SyncedItem & { readonly reason: string };
export type ReviewedItem = Extract<CatalogSyncEvent, { type: 'CatalogItemsReviewed' }>['data']['items'][number];

/** Items an event. */
const PART = 500;

function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += PART) yield items.slice(from, from + PART);
}

const sameStatus = (a: Status | undefined, b: Status): boolean =>
  a?.status === b.status && a.errorCode === b.errorCode && a.errorMessage === b.errorMessage;

const statusEvents = ({ status }: CatalogSync, after: Status): CatalogSyncEvent[] =>
  sameStatus(status, after) ? [] : [{ type: 'CatalogStatusChanged', data: after }];

/** The provider has taken a batch: the catalog works. */
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

/** The push of these items failed, each for its own reason; `call`: because the provider took nothing of the call. */
export const itemsRefused =
  (items: readonly RefusedItem[], more: { readonly call?: true } = {}): SyncDecision =>
  () =>
    refusals(items, more);

/** The provider refuses to work with this catalog: these items have failed with it. A push that it takes ends it. */
export const catalogRefused =
  (errorCode: string, errorMessage: string, items: readonly SyncedItem[] = []): SyncDecision =>
  (sync) => [
    ...refusals(
      items.map((item) => ({ ...item, reason: errorMessage })),
      { call: true },
    ),
    ...statusEvents(sync, { status: 'failed', errorCode, errorMessage }),
  ];

/** The provider has worked through a batch; `problems` by retailer id are items that it did not save. */
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
      // An item that the provider could not remove is one that it does not have.
      ...[...parts(batch.removals)].map(
        (items): CatalogSyncEvent => ({ type: 'CatalogItemsWithdrawn', data: { handle, items } }),
      ),
      { type: 'CatalogBatchFinished', data: { handle } },
    ];
  };

/** Nothing will be heard of this batch. With a reason its items have failed; without, they are pushed again. Removals are still owed. */
export const batchLost =
  (handle: string, reason?: string): SyncDecision =>
  ({ open }) => {
    const batch = open.get(handle);
    if (batch === undefined) return [];
    const refused = reason === undefined ? [] : batch.items.map((item) => ({ ...item, reason }));
    return [...refusals(refused), { type: 'CatalogBatchFinished', data: { handle } }];
  };

/** These items cost something else from now on, by themselves. */
export const itemsRepriced =
  (items: readonly SyncedItem[]): SyncDecision =>
  () =>
    [...parts(items)].map((part) => ({ type: 'CatalogItemsRepriced', data: { items: part } }));

export const itemsReviewed =
  (items: readonly ReviewedItem[]): SyncDecision =>
  () =>
    [...parts(items)].map((part) => ({ type: 'CatalogItemsReviewed', data: { items: part } }));

/** Once for each store. */
export const beginChecks: SyncDecision = ({ areChecked }) =>
  areChecked ? [] : [{ type: 'CatalogChecksBegun', data: {} }];
