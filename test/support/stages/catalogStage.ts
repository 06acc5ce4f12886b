/** A store's catalog from commands to the provider, on the embedded engines with the real runtimes. */

import { catalogChecks } from '../../../application/catalog/catalogChecks.js';
import { catalogPush } from '../../../application/catalog/catalogPush.js';
import type { CatalogProvider } from '../../../application/ports/catalogProvider.js';
import { promotionsForPricing } from '../../../application/promotions/promotionsForPricing.js';
import { catalog } from '../../../domain/catalog/catalog.js';
import type { ProductFields } from '../../../domain/catalog/productContent.js';
import { deleteProduct, upsertProducts } from '../../../domain/catalog/upsertProducts.js';
import { derivedId } from '../../../domain/ids.js';
import { store } from '../../../domain/stores/store.js';
import type { StoreEvent } from '../../../domain/stores/storeEvents.js';
import type { CommandContext, CommandHandler } from '../../../engine/commandHandler/commands.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../../engine/processors/runtime.js';
import { tasksCollection } from '../../../engine/processors/tasks/taskDocuments.js';
import type { Reads } from '../../../engine/projections/reads.js';
import { automaticPromotions } from '../../../projections/automaticPromotions.js';
import { catalogItems } from '../../../projections/catalogItems.js';
import { catalogStatus } from '../../../projections/catalogStatus.js';
import { categories } from '../../../projections/categories.js';
import { type ProductBody, productId, products } from '../../../projections/products.js';
import { promotions } from '../../../projections/promotions.js';
import { unset } from '../doubles/fakeClock.js';
import { openStage } from './stage.js';

export const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
export const CATALOG = 'catalog-1';
const VIEWS = [products, catalogItems, categories, catalogStatus, promotions, automaticPromotions];
const VIEW_NAMES = VIEWS.map(({ name }) => name);

/** Speed of time, so that seconds of back-off take milliseconds of a test. */
const SPEED = 50;
const startedAt = Date.now();
/** Returns a clock that runs `speed` times as fast as real time. */
export function clockOf(speed: number): Clock {
  const now = (): number => startedAt + (Date.now() - startedAt) * speed;
  return unset({
    now,
    at(time: number, run: () => void) {
      const timer = setTimeout(run, Math.max(1, (time - now()) / speed));
      return () => clearTimeout(timer);
    },
  });
}
export const fastClock: Clock = clockOf(SPEED);

export interface CatalogStage {
  readonly events: EventStore;
  readonly commands: CommandHandler;
  readonly reads: Reads;
  readonly work: DocumentStore;
  readonly waitForViews: (position: number) => Promise<boolean>;
  /** Upserts products. Fields other than the external id have defaults. */
  put(...sent: (Partial<ProductFields> & { externalId: string })[]): Promise<void>;
  remove(externalId: string): Promise<void>;
  connectNumber(catalogId?: string): Promise<void>;
  product(externalId: string): Promise<ProductBody | undefined>;
  /** Returns the sync statuses of these products. */
  statuses(...externalIds: string[]): Promise<(string | undefined)[]>;
  /** `isEarlier`: starts a version of the push without daily checks. */
  startPush(provider: CatalogProvider, isEarlier?: boolean): Promise<{ stop(): Promise<void>; crash(): void }>;
  pending(): Promise<number>;
  /** Removes the tasks of the daily checks. */
  forgetChecks(): Promise<void>;
  close(): Promise<void>;
}

const forever = new Promise<never>(() => undefined);

/** Passes calls on until `dead`. Then every call hangs, as in a process that was killed. */
const mortal = <T extends object>(port: T, dead: () => boolean): T =>
  new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function'
        ? (...args: unknown[]): unknown => (dead() ? forever : member.apply(target, args))
        : member;
    },
  });

const bound = (store: EventStore): EventStore => ({
  append: store.append.bind(store),
  readStream: store.readStream.bind(store),
  readAll: store.readAll.bind(store),
  subscribe: store.subscribe.bind(store),
  head: store.head.bind(store),
  close: store.close.bind(store),
});

export async function catalogStage(clock = fastClock): Promise<CatalogStage> {
  const stage = await openStage('catalog', { projections: VIEWS, clock });
  const { eventStore: events, work, commands, projections, reads } = stage;
  const shelf = promotionsForPricing(reads);
  const running: { runtime: ProcessorRuntime; crash(): void }[] = [];
  let count = 0;
  let isStoreThere = false;
  const context = (): CommandContext => ({
    commandId: derivedId('test', count++),
    actor: { type: 'api_key' },
    correlationId: 'test',
    workspaceId: SHOP,
  });
  const waitForViews = (position: number) => projections.waitFor(VIEW_NAMES, position, 15_000);
  const product = async (externalId: string) => {
    await waitForViews(await events.head());
    return (await reads.get(products, productId(SHOP, externalId)))?.body;
  };
  return {
    events,
    commands,
    reads,
    work,
    waitForViews,
    product,
    async put(...sent) {
      const batch = sent.map(({ externalId, ...fields }) => ({
        externalId,
        fields: { name: externalId, imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 10_00, ...fields },
        at: 'body',
        idAt: 'path.externalId',
      }));
      await commands.decide(context(), catalog, SHOP, upsertProducts(batch, { maxProducts: undefined }));
    },
    async remove(externalId) {
      await commands.decide(context(), catalog, SHOP, deleteProduct(externalId));
    },
    async connectNumber(id = CATALOG) {
      const data = {
        catalogId: id,
        numberId: 'n',
        phoneNumberId: 'p',
        displayPhoneNumber: '1',
        businessAccountId: 'b',
      };
      const owner = { email: 'asha@example.com', name: 'Asha' };
      const shop = {
        name: 'Asha’s shop',
        owner,
        country: 'SO',
        timezone: 'UTC',
        locale: 'en',
        planKey: 'basic',
      } as const;
      const connected: StoreEvent = { type: 'ChannelNumberConnected', data };
      const created: StoreEvent = { type: 'StoreCreated', data: shop };
      // By the command handler that the push uses, which reads a stream only once.
      await commands.decide(context(), store, SHOP, () => (isStoreThere ? [connected] : [created, connected]));
      isStoreThere = true;
    },
    statuses: (...externalIds) => Promise.all(externalIds.map(async (id) => (await product(id))?.sync.status)),
    async startPush(provider, isEarlier = false) {
      let dead = false;
      let crash = (): void => undefined;
      const died = new Promise<void>((resolve) => {
        crash = () => {
          dead = true;
          resolve();
        };
      });
      const isDead = () => dead;
      // The store waits for its subscribers on close, and a crashed one must not block it.
      const eventStore: EventStore = {
        ...bound(events),
        subscribe: (after, filter, subscriber, options) => {
          const batch: typeof subscriber.batch = (some, through) =>
            Promise.race([died, subscriber.batch(some, through)]);
          return events.subscribe(after, filter, { ...subscriber, batch }, options);
        },
      };
      const push = catalogPush({
        provider: mortal(provider, isDead),
        storeName: async () => 'Asha’s shop',
        flashSales: shelf.flashSales,
        productLink: (workspaceId, id) => `https://shop.example.com/p/${workspaceId}/${id}`,
        async caughtUp() {
          if (!(await waitForViews(await events.head()))) throw new Error('the views are late');
        },
      });
      const runtime = createProcessorRuntime({
        eventStore,
        work: mortal(work, isDead),
        processors: isEarlier ? [push] : [push, catalogChecks()],
        commands: mortal(commands, isDead),
        reads,
        clock,
        log: silentLog,
      });
      running.push({ runtime, crash });
      await runtime.start();
      return { stop: () => runtime.stop(), crash };
    },
    // Without the daily checks of verdicts.
    async pending() {
      const tasks = await work.find(tasksCollection('catalogPush'), { sort: ['dueAt'], limit: 10_000 });
      return tasks.filter(({ keys }) => Number(keys.dueAt) < clock.now() + 12 * 3_600_000).length;
    },
    async forgetChecks() {
      const name = tasksCollection('catalogPush');
      const checks = (await work.find(name, { limit: 10_000 })).filter(({ id }) => id.startsWith('recheck/'));
      await work.write({ [name]: { remove: checks.map(({ id, revision }) => ({ id, revision })) } });
    },
    async close() {
      const aWhile = new Promise((resolve) => setTimeout(resolve, 50));
      for (const { crash } of running) crash();
      await Promise.all(running.map(({ runtime }) => Promise.race([runtime.stop(), aWhile])));
      await stage.close();
    },
  };
}
