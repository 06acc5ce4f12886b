import type { StorageEvent } from '../domain/files/storageEvents.js';
import { defineProjection, type Handler } from '../engine/projections/projection.js';

/** How many bytes a store has, and files and recordings that need them. */
export interface StorageBody {
  /** Absent: of all stores. */
  readonly workspaceId?: string;
  readonly bytes: number;
  readonly items: number;
}

/** The document of all stores together. */
export const ALL_STORES = 'all';

const counted = <E extends StorageEvent>(more: (data: E['data']) => StorageBody): Handler<StorageBody, E> => ({
  ids: ({ streamId }) => [streamId, ALL_STORES],
  evolve(view, { data }, id) {
    const { bytes, items } = more(data);
    const sums = { bytes: (view?.body.bytes ?? 0) + bytes, items: (view?.body.items ?? 0) + items };
    const isOne = id !== ALL_STORES;
    return {
      keys: { kind: isOne ? 'store' : 'all', bytes: sums.bytes },
      body: isOne ? { workspaceId: id, ...sums } : sums,
    };
  },
});

/** One document a store, by its id, and one of them all. */
export const storage = defineProjection<StorageBody, StorageEvent>({
  name: 'storage',
  version: 1,
  categories: ['storage'],
  keys: { kind: 'text', bytes: 'number' },
  indexes: [{ keys: ['kind', '-bytes'] }],
  on: {
    ContentKept: counted(({ added }) => ({ bytes: added, items: 1 })),
    ContentReleased: counted(({ freed }) => ({ bytes: -freed, items: -1 })),
  },
});
