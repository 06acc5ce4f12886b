/**
 * Baskets and stock: a small history with several documents per event, removals, and an event that can be made to fail.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DomainEvent } from '../../../domain/decider.js';
import { derivedId } from '../../../domain/ids.js';
import { type SteadyClock, steadyClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore, Position } from '../../../engine/ports/eventStore.js';
import { type AnyProjection, defineProjection, type View } from '../../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../../engine/projections/runtime.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';

export type BasketEvent =
  | DomainEvent<'ItemsAdded', { items: { sku: string; quantity: number }[] }>
  | DomainEvent<'BasketNamed', { name: string }>
  | DomainEvent<'BasketClosed', Record<string, never>>;

export interface BasketBody {
  name: string;
  quantity: number;
}
export interface StockBody {
  taken: number;
  baskets: number;
}

/** Throws on a basket named 'poison' while `poisoned` returns true. */
export const baskets = (version = 1, poisoned: () => boolean = () => false) =>
  defineProjection<BasketBody, BasketEvent>({
    name: 'baskets',
    version,
    categories: ['basket'],
    keys: { quantity: 'number' },
    indexes: [{ keys: ['-quantity'] }],
    on: {
      ItemsAdded: (view, { data }) => {
        const added = data.items.reduce((sum, item) => sum + item.quantity, 0);
        const quantity = (view?.body.quantity ?? 0) + added;
        return { keys: { quantity }, body: { name: view?.body.name ?? '', quantity } };
      },
      BasketNamed: (view, { data }) => {
        if (data.name === 'poison' && poisoned()) throw new Error('cannot read this name');
        const quantity = view?.body.quantity ?? 0;
        return { keys: { quantity }, body: { name: data.name, quantity } };
      },
      BasketClosed: () => undefined,
    },
  });

export const stock = defineProjection<StockBody, BasketEvent>({
  name: 'stock',
  version: 1,
  categories: ['basket'],
  keys: { taken: 'number' },
  indexes: [{ keys: ['taken'] }],
  on: {
    ItemsAdded: {
      ids: ({ data }) => [...new Set(data.items.map((item) => item.sku))],
      evolve: (view, { data }, sku) => {
        const added = data.items.filter((item) => item.sku === sku).reduce((sum, item) => sum + item.quantity, 0);
        const taken = (view?.body.taken ?? 0) + added;
        return { keys: { taken }, body: { taken, baskets: (view?.body.baskets ?? 0) + 1 } };
      },
    },
  },
});

export interface WaitingItemsBody {
  /** Items of a basket. */
  items?: { sku: string; quantity: number }[];
  /** Reserved amount of a stock item. */
  reserved?: number;
}

const skusOf = (items: readonly { sku: string }[] = []): string[] => [...new Set(items.map(({ sku }) => sku))];
const amount = (items: WaitingItemsBody['items'] = [], sku: string): number =>
  items.filter((item) => item.sku === sku).reduce((sum, item) => sum + item.quantity, 0);
const holding = (reserved: number): View<WaitingItemsBody> => ({ keys: { reserved }, body: { reserved } });

/** Amount of each item in open baskets. A basket that closes releases its items, which its own document lists. */
export const waitingItems = defineProjection<WaitingItemsBody, BasketEvent>({
  name: 'held',
  version: 1,
  categories: ['basket'],
  keys: { reserved: 'number' },
  indexes: [{ keys: ['reserved'] }],
  on: {
    ItemsAdded: {
      ids: ({ streamId, data }) => [streamId, ...skusOf(data.items)],
      evolve: (view, { streamId, data }, id) =>
        id === streamId
          ? { keys: { reserved: null }, body: { items: [...(view?.body.items ?? []), ...data.items] } }
          : holding((view?.body.reserved ?? 0) + amount(data.items, id)),
    },
    BasketClosed: {
      own: true,
      ids: ({ streamId }, own) => [streamId, ...skusOf(own?.body.items)],
      evolve: (view, { streamId }, id, own) =>
        id === streamId ? undefined : holding((view?.body.reserved ?? 0) - amount(own?.body.items, id)),
    },
  },
});

export interface Stage {
  readonly store: EventStore;
  readonly models: DocumentStore;
  readonly folder: string;
  append(basket: string, ...events: BasketEvent[]): Promise<Position>;
  start(projections: readonly AnyProjection[], models?: DocumentStore, clock?: SteadyClock): Promise<ProjectionRuntime>;
  openModels(): DocumentStore;
  close(): Promise<void>;
}

const meta = { at: '2026-01-01T00:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' };

export async function stage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'suuq-projections-'));
  const store = await openEmbeddedEventStore(folder, { writesHere: true });
  const openModels = () => openEmbeddedReadModels(join(folder, 'views.db'));
  const models = openModels();
  const runtimes: ProjectionRuntime[] = [];
  let count = 0;
  return {
    store,
    models,
    folder,
    openModels,
    async append(basket, ...events) {
      const data = events.map((event) => ({ ...event, id: derivedId('event', count++), meta }));
      return (await store.append(`basket-${basket}`, 'any', data)).position;
    },
    async start(projections, on = models, clock = steadyClock) {
      const runtime = createProjectionRuntime({ eventStore: store, readModels: on, projections, graceMs: 20, clock });
      runtimes.push(runtime);
      await runtime.start();
      return runtime;
    },
    async close() {
      await Promise.all(runtimes.map((runtime) => runtime.stop()));
      await store.close();
      await models.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const added = (...items: [string, number][]): BasketEvent => ({
  type: 'ItemsAdded',
  data: { items: items.map(([sku, quantity]) => ({ sku, quantity })) },
});
export const named = (name: string): BasketEvent => ({ type: 'BasketNamed', data: { name } });
export const closed: BasketEvent = { type: 'BasketClosed', data: {} };

/** Returns every document of a projection, by id. */
export async function everything(models: DocumentStore, name: string): Promise<Record<string, unknown>> {
  const found = await models.find(name, { limit: 10_000 });
  return Object.fromEntries(found.map(({ id, keys, body, revision }) => [id, { keys, body, revision }]));
}

/** Resolves when `holds` does. Checks every 5 ms, for at most `ms`. */
export async function eventually(holds: () => Promise<boolean>, ms = 50_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`still not so after ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
