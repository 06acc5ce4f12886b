/** Reviews of many products at once: each is delivered once, in batches, when the views have caught up. */
import { expect } from 'chai';
import { productData } from '../../application/webhooks/productData.js';
import type { CatalogEvent, CatalogSyncEvent, SyncedItem } from '../../domain/catalog/catalogEvents.js';
import type { Position } from '../../engine/ports/eventStore.js';
import { createReads } from '../../engine/projections/documentReads.js';
import type { Reads } from '../../engine/projections/reads.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { categories } from '../../projections/categories.js';
import { products } from '../../projections/products.js';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';
import type { Body } from '../support/stages/webhookServer.js';
import { STORE, type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const COUNT = 60;
const names = Array.from({ length: COUNT }, (_, index) => `p${index}`);

const added = (externalId: string): CatalogEvent => ({
  type: 'ProductAdded',
  data: {
    externalId,
    product: {
      name: externalId,
      description: '',
      imageUrls: [],
      priceCents: 1,
      availability: 'in_stock',
      active: true,
      variants: [],
    },
    retailerIds: [externalId],
  },
});
const items = (of: readonly string[]): SyncedItem[] =>
  of.map((externalId) => ({
    retailerId: externalId,
    productExternalId: externalId,
    revision: names.indexOf(externalId),
  }));
const submitted = (of: readonly string[]): CatalogSyncEvent => ({
  type: 'CatalogItemsSubmitted',
  data: { handle: 'h', items: items(of), removals: [] },
});
const reviewed = (of: readonly string[], status: 'approved' | 'rejected'): CatalogSyncEvent => ({
  type: 'CatalogItemsReviewed',
  data: { items: items(of).map((item) => ({ ...item, status })) },
});

describe('webhooks of products', () => {
  let stage: WebhookStage;
  let target: Receiver;
  let views: ProjectionRuntime;
  let late: boolean;

  beforeEach(async () => {
    late = false;
    const passed = async (position: Position): Promise<boolean> =>
      !late && views.waitFor(['products', 'categories'], position, 5000);
    stage = await webhookStage({
      products: {
        changed: (event, some) =>
          productData({ reads: createReads(stage.processors.work), passed }).changed(event, some),
      },
    });
    const { eventStore, work } = stage.processors;
    views = createProjectionRuntime({ eventStore, readModels: work, projections: [products, categories] });
    await views.start();
    target = await receiver();
    await stage.endpoint(target.url, ['product.sync_changed']);
    await stage.processors.append(`catalog-${STORE}`, names.map(added), { workspaceId: STORE });
  });
  afterEach(async () => {
    await views.stop();
    await stage.close();
    await target.close();
  });

  const happen = (...events: readonly CatalogSyncEvent[]) =>
    stage.processors.append(`catalogSync-${STORE}`, events, { workspaceId: STORE });
  const notify = (): string[] =>
    target.received.map((one) => {
      const { product }: Body = eventOf(one).data;
      return `${product.externalId} ${product.sync.status}`;
    });

  it('are one per product with its own id, however many products an event is about', async () => {
    const running = await stage.start();
    await happen(submitted(names), reviewed(names, 'approved'));
    await until('all have arrived', () => target.received.length >= COUNT);
    await stage.quiet(running);
    expect(notify()).to.have.members(names.map((name) => `${name} approved`));
    expect(new Set(target.received.map((one) => eventOf(one).id))).to.have.lengthOf(COUNT);
  });

  it('report only current states if the views have passed the changes', async () => {
    await happen(submitted(names), reviewed(names, 'approved'), reviewed(names.slice(0, 2), 'rejected'));
    const running = await stage.start();
    await until('all have arrived', () => target.received.length >= COUNT);
    await stage.quiet(running);
    expect(notify()).to.have.members(names.map((name, index) => `${name} ${index < 2 ? 'rejected' : 'approved'}`));
  });

  it('wait while the answering build of the view does not know which event changed a product', async () => {
    const row = {
      id: 'p0',
      keys: {},
      revision: 1,
      json: '{}',
      body: { externalId: 'p0', sync: { status: 'approved' } },
    };
    const reads = {
      ...createReads(stage.processors.work),
      getMany: async () => new Map([['p0', row]]),
    } as unknown as Reads;
    await happen(reviewed(['p0'], 'approved'));
    const [event] = await stage.processors.eventStore.readStream(`catalogSync-${STORE}`);
    const { changed } = productData({ reads, passed: async () => true });
    const outcome = await changed(event!, ['p0']).then(
      () => 'told',
      ({ message }: Error) => message,
    );
    expect(outcome).to.equal('the product read model is being rebuilt');
  });

  it('wait for late views, and repeat the same ids after a crash', async () => {
    const first = await stage.start();
    late = true;
    await happen(submitted(['p0', 'p1']), reviewed(['p0', 'p1'], 'approved'));
    await until('it is recorded', async () => (await stage.processors.pending('webhooks')) === 1);
    expect(target.received).to.have.lengthOf(0);
    first.crash();
    late = false;
    await stage.processors.clock.advance(2000);
    target.answer('hang');
    const second = await stage.start();
    await until('both have arrived', () => target.received.length === 2);
    second.crash();
    target.answer(204);
    const third = await stage.start();
    await until('both have arrived again', () => target.received.length === 4);
    await stage.quiet(third);
    const ids = target.received.map((one) => eventOf(one).id);
    expect(new Set(ids.slice(2))).to.deep.equal(new Set(ids.slice(0, 2)));
    expect(notify().slice(2)).to.have.members(['p0 approved', 'p1 approved']);
  });
});
