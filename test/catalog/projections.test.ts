import { expect } from 'chai';
import type { CatalogEvent, CatalogSyncEvent, ProductContent, SyncedItem } from '../../domain/catalog/catalogEvents.js';
import { compact } from '../../domain/catalog/compact.js';
import type { DomainEvent } from '../../domain/decider.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../../engine/projections/projection.js';
import { type CatalogItemBody, catalogItems } from '../../projections/catalogItems.js';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { categories } from '../../projections/categories.js';
import { worstSync } from '../../projections/productSync.js';
import { type ProductBody, products } from '../../projections/products.js';
import { specMeta } from '../support/spec/given.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const PUSHED = '2026-03-01T09:00:00.000Z';

const shirt: ProductContent = {
  name: 'Linen Shirt',
  description: 'Cool.',
  imageUrls: ['https://cdn.example.com/shirt.jpg'],
  priceCents: 25_00,
  availability: 'in_stock',
  stock: 5,
  active: true,
  categoryExternalId: 'shirts',
  variants: [],
};
const sized: ProductContent = {
  ...shirt,
  variants: [
    { externalId: 'shirt-m', size: 'M' },
    { externalId: 'shirt-l', size: 'L', priceCents: 27_00, stock: 0 },
  ],
};
const ids = (content: ProductContent) =>
  content.variants.length === 0 ? ['shirt'] : content.variants.map(({ externalId }) => externalId);

/** Returns recorded events of a store. Catalog events get the revisions 0, 1, 2… of the catalog stream. */
function history(...events: (CatalogEvent | CatalogSyncEvent | DomainEvent)[]): RecordedEvent[] {
  const revisions = new Map<string, number>();
  return events.map((event, position) => {
    const category = event.type.startsWith('Catalog')
      ? 'catalogSync'
      : event.type.startsWith('Channel')
        ? 'store'
        : 'catalog';
    const stream = `${category}-${SHOP}`;
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    return { id: `event-${position}`, stream, revision, position, meta: specMeta, ...event };
  });
}

function views<B>(projection: AnyProjection, events: readonly RecordedEvent[]): Map<string, View<B>> {
  const found = new Map<string, View<B> | undefined>();
  for (const event of events) foldEvent(projection, found, event);
  return new Map([...found].filter((entry): entry is [string, View<B>] => entry[1] !== undefined));
}
const productAfter = (...events: DomainEvent[]) =>
  views<ProductBody>(products, history(...events)).get(`${SHOP}/shirt`);
const itemsAfter = (...events: DomainEvent[]) => views<CatalogItemBody>(catalogItems, history(...events));
const pendingAfter = (...events: DomainEvent[]) =>
  Object.fromEntries([...itemsAfter(...events)].map(([id, { keys }]) => [id.slice(SHOP.length + 1), keys.pending]));

const added = (product: ProductContent): CatalogEvent => ({
  type: 'ProductAdded',
  data: { externalId: 'shirt', product, retailerIds: ids(product) },
});
const revised = (
  changes: Partial<Record<keyof ProductContent, unknown>>,
  more: { retailerIds?: string[]; droppedRetailerIds?: string[]; product?: ProductContent } = {},
): DomainEvent => ({
  type: 'ProductRevised',
  data: { externalId: 'shirt', changes, before: {}, retailerIds: ['shirt'], droppedRetailerIds: [], ...more },
});
const removed = (...retailerIds: string[]): CatalogEvent => ({
  type: 'ProductRemoved',
  data: { externalId: 'shirt', retailerIds },
});
const item = (retailerId: string, revision: number): SyncedItem => ({
  retailerId,
  productExternalId: 'shirt',
  revision,
});
const submitted = (...items: SyncedItem[]): CatalogSyncEvent => ({
  type: 'CatalogItemsSubmitted',
  data: { handle: 'h1', items, removals: [] },
});
const reviewed = (status: 'approved' | 'rejected', items: SyncedItem[], reason?: string): CatalogSyncEvent => ({
  type: 'CatalogItemsReviewed',
  data: { items: items.map((one) => ({ ...one, status, ...(reason !== undefined && { reason }) })) },
});

describe('a revised product', () => {
  const full: ProductContent = { ...shirt, salePriceCents: 20_00, saleEndsAt: '2027-01-01T00:00:00.000Z' };
  const changes: Partial<Record<keyof ProductContent, unknown>>[] = [
    { priceCents: 30_00 },
    { name: 'Wool Shirt', description: '', imageUrls: [], priceCents: 1, salePriceCents: 0, stock: 0 },
    { availability: 'out_of_stock', saleEndsAt: '2028-01-01T00:00:00.000Z' },
    { saleStartsAt: '2026-01-01T00:00:00.000Z' },
    { salePriceCents: null, stock: null },
    { active: false, priceCents: 3 },
    { categoryExternalId: 'wool' },
    { categoryExternalId: null, name: 'Uncategorised' },
  ];
  for (const change of changes)
    it(`reads as if it had been stored whole: ${JSON.stringify(change)}`, () => {
      const content = { ...full, ...change } as Record<string, unknown>;
      for (const [name, value] of Object.entries(content)) if (value === null) delete content[name];
      // An event before `added` puts both contents at the same revision, which the pending push refers to.
      const whole = [removed('other'), added(content as unknown as ProductContent)];
      const one = productAfter(added(full), revised(change))!;
      const other = productAfter(...whole)!;
      expect(one.body).to.deep.equal(other.body);
      expect({ ...one.keys, syncChangedBy: '' }).to.deep.equal({ ...other.keys, syncChangedBy: '' });
      const items = itemsAfter(added(full), revised(change));
      expect([...items.values()].map(({ body }) => body)).to.deep.equal(
        [...itemsAfter(...whole).values()].map(({ body }) => body),
      );
      const pending = change.active === false ? 'delete' : 'update';
      expect([...items.values()].map(({ keys }) => keys)).to.deep.equal([
        { workspaceId: SHOP, pending, contentRevision: 1 },
      ]);
    });
});

describe('products view', () => {
  it('has exactly the shape of the API, without the category', () =>
    expect(productAfter(added(sized))).to.deep.equal({
      keys: {
        workspaceId: SHOP,
        nameKey: 'linen shirt',
        categoryExternalId: 'shirts',
        syncStatus: 'queued',
        contentRevision: 0,
        syncChangedBy: 'event-0',
      },
      body: {
        externalId: 'shirt',
        name: 'Linen Shirt',
        description: 'Cool.',
        imageUrls: ['https://cdn.example.com/shirt.jpg'],
        priceCents: 25_00,
        currency: 'USD',
        availability: 'in_stock',
        stock: 5,
        active: true,
        sync: { status: 'queued' },
        variants: [
          { externalId: 'shirt-m', size: 'M', sync: { status: 'queued' } },
          { externalId: 'shirt-l', size: 'L', priceCents: 27_00, stock: 0, sync: { status: 'queued' } },
        ],
        updatedAt: specMeta.at,
      },
    }));

  it('applies revised fields, removes cleared ones, and queues the product again', () => {
    const after = productAfter(
      added(shirt),
      submitted(item('shirt', 0)),
      revised({ priceCents: 30_00, stock: null, categoryExternalId: null }),
    )!;
    expect(after.keys).to.include({ categoryExternalId: null, syncStatus: 'queued', contentRevision: 1 });
    expect(after.body).to.include({ priceCents: 30_00 }).and.not.have.property('stock');
    expect(after.body).not.to.have.property('categoryExternalId');
    expect(after.body.sync).to.deep.equal({ status: 'queued', lastSyncedAt: PUSHED });
  });

  it('goes from queued to in_review to approved', () => {
    const first = [added(shirt), submitted(item('shirt', 0))];
    expect(productAfter(...first)!.body.sync).to.deep.equal({ status: 'in_review', lastSyncedAt: PUSHED });
    const after = productAfter(...first, reviewed('approved', [item('shirt', 0)]))!;
    expect(after.body.sync).to.deep.equal({ status: 'approved', lastSyncedAt: PUSHED });
    expect(after.keys.syncStatus).to.equal('approved');
  });

  it('shows a rejected size on the product, with the reason', () => {
    const both = [item('shirt-m', 0), item('shirt-l', 0)];
    const after = productAfter(
      added(sized),
      submitted(...both),
      reviewed('approved', [both[0]!]),
      reviewed('rejected', [both[1]!], 'The image shows text.'),
    )!;
    const rejected = { status: 'rejected', lastSyncedAt: PUSHED, reason: 'The image shows text.' };
    expect(after.body.sync).to.deep.equal(rejected);
    expect(after.body.variants.map(({ sync }) => sync.status)).to.deep.equal(['approved', 'rejected']);
    expect(after.keys.syncStatus).to.equal('rejected');
  });

  it('stores the id of the event that last changed its status or reason', () => {
    const both = [item('shirt-m', 0), item('shirt-l', 0)];
    const pushed = [added(sized), submitted(...both), reviewed('approved', [both[0]!])];
    const by = (...events: DomainEvent[]) => productAfter(...events)!.keys.syncChangedBy;
    // One size is still in review, and so is the product.
    expect(by(...pushed)).to.equal('event-1');
    expect(by(...pushed, reviewed('approved', [both[1]!]))).to.equal('event-3');
    expect(by(...pushed, reviewed('rejected', [both[1]!], 'Text.'), submitted())).to.equal('event-3');
    expect(by(...pushed, reviewed('rejected', [both[1]!], 'a'), reviewed('rejected', [both[1]!], 'b'))).to.equal(
      'event-4',
    );
    const off = [added(shirt), revised({ active: false })];
    expect(by(...off, revised({ name: 'Another' }))).to.equal('event-1');
  });

  it('stays queued after a verdict about content that has been replaced', () => {
    const late = [added(shirt), revised({ priceCents: 26_00 }), submitted(item('shirt', 0))];
    expect(productAfter(...late)!.body.sync.status).to.equal('queued');
    expect(productAfter(...late, reviewed('rejected', [item('shirt', 0)], 'Old.'))!.body.sync).to.deep.equal({
      status: 'queued',
    });
  });

  it('is inactive when switched off, whatever the provider’s verdict, and queued when switched on', () => {
    const off = [
      added(shirt),
      submitted(item('shirt', 0)),
      revised({ active: false }),
      reviewed('approved', [item('shirt', 0)]),
    ];
    expect(productAfter(...off)!.body.sync).to.deep.equal({ status: 'inactive', lastSyncedAt: PUSHED });
    expect(productAfter(...off, revised({ active: true }))!.body.sync.status).to.equal('queued');
  });

  it('ranks failed worst, then rejected, queued, in_review, approved, inactive', () => {
    const order = ['failed', 'rejected', 'queued', 'in_review', 'approved', 'inactive'] as const;
    for (let i = 0; i < order.length; i++)
      expect(
        worstSync(
          order
            .slice(i)
            .reverse()
            .map((status) => ({ status })),
        ).status,
      ).to.equal(order[i]);
  });
});

describe('catalog items view', () => {
  it('has one item per variant, which inherits the product’s values', () => {
    const items = itemsAfter(
      added(sized),
      revised({ priceCents: 20_00, stock: 9, name: 'Shirt' }, { retailerIds: ids(sized) }),
    );
    const [medium, large] = ['shirt-m', 'shirt-l'].map((id) => items.get(`${SHOP}/${id}`)!.body);
    expect(medium).to.include({
      groupId: 'shirt',
      name: 'Shirt',
      size: 'M',
      priceCents: 20_00,
      stock: 9,
      categoryExternalId: 'shirts',
    });
    expect(large).to.include({
      retailerId: 'shirt-l',
      name: 'Shirt',
      priceCents: 27_00,
      stock: 0,
      productExternalId: 'shirt',
    });
  });

  it('equals a view built from the same content, after any change', () => {
    const contents: ProductContent[] = [
      shirt,
      sized,
      { ...shirt, active: false },
      { ...sized, salePriceCents: 10_00, variants: sized.variants.slice(1) },
    ];
    for (const before of contents)
      for (const after of contents) {
        if (compact(before) === compact(after)) continue;
        const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof ProductContent)[];
        const changes = Object.fromEntries(fields.map((field) => [field, after[field] ?? null]));
        const droppedRetailerIds = ids(before).filter((id) => !ids(after).includes(id));
        const grows = ids(after).some((id) => !ids(before).includes(id));
        const change = revised(changes, {
          retailerIds: ids(after),
          droppedRetailerIds,
          ...(grows && { product: after }),
        });
        const live = [...itemsAfter(added(before), change).values()]
          .map(({ body }) => body)
          .filter(({ removed }) => !removed);
        expect(live).to.have.deep.members([...itemsAfter(added(after)).values()].map(({ body }) => body));
      }
  });

  it('has a pending update, then a pending review, then nothing', () => {
    expect(pendingAfter(added(sized))).to.deep.equal({ 'shirt-m': 'update', 'shirt-l': 'update' });
    const first = [
      added(sized),
      submitted(item('shirt-m', 0), item('shirt-l', 0)),
      reviewed('approved', [item('shirt-m', 0)]),
    ];
    expect(pendingAfter(...first)).to.deep.equal({ 'shirt-m': null, 'shirt-l': 'review' });
  });

  it('has a pending delete while the item may be in the channel catalog', () => {
    const gone = [added(shirt), submitted(item('shirt', 0)), removed('shirt')];
    expect(pendingAfter(...gone)).to.deep.equal({ shirt: 'delete' });
    expect(itemsAfter(...gone).get(`${SHOP}/shirt`)!.body).to.include({ active: false, removed: true });
    const withdrawn = { type: 'CatalogItemsWithdrawn', data: { handle: 'h2', items: [item('shirt', 1)] } };
    expect(pendingAfter(...gone, withdrawn)).to.deep.equal({});
    expect(pendingAfter(...gone, added(shirt), withdrawn)).to.deep.equal({ shirt: 'update' });
    expect(pendingAfter(added({ ...shirt, active: false }), removed('shirt'))).to.deep.equal({});
    expect(pendingAfter(added(shirt), revised({ active: false }), revised({ name: 'Off' }))).to.deep.equal({
      shirt: 'delete',
    });
  });

  it('assigns an id that moved within a batch to its new product, in either order', () => {
    const lose = revised(
      { variants: [] },
      { retailerIds: ['shirt'], droppedRetailerIds: ['shirt-m', 'shirt-l'], product: shirt },
    );
    const other = { ...shirt, variants: [{ externalId: 'shirt-m' }] };
    const win = { type: 'ProductAdded', data: { externalId: 'tee', product: other, retailerIds: ['shirt-m'] } };
    for (const order of [
      [lose, win],
      [win, lose],
    ]) {
      const items = itemsAfter(added(sized), ...order);
      expect(items.get(`${SHOP}/shirt-m`)).to.deep.include({
        keys: { workspaceId: SHOP, pending: 'update', contentRevision: 1 + order.indexOf(win) },
      });
      expect(items.get(`${SHOP}/shirt-m`)!.body).to.include({ productExternalId: 'tee', active: true });
      expect(items.get(`${SHOP}/shirt-l`)!.keys.pending).to.equal('delete');
    }
  });
});

describe('categories and catalog status views', () => {
  it('list categories by position with their current names', () => {
    const bodies = [
      ...views(
        categories,
        history(
          {
            type: 'CategoriesAdded',
            data: {
              categories: [
                { externalId: 'a', name: 'A', position: 0 },
                { externalId: 'b', name: 'B', position: 1 },
              ],
            },
          },
          { type: 'CategoriesRenamed', data: { categories: [{ externalId: 'a', name: 'Aa', before: 'A' }] } },
          { type: 'CategoriesReordered', data: { externalIds: ['b', 'a'] } },
        ),
      ).values(),
    ].map(({ body }) => body);
    expect(bodies).to.deep.equal([
      { externalId: 'a', name: 'Aa', position: 1 },
      { externalId: 'b', name: 'B', position: 0 },
    ]);
  });

  it('show the store’s status with the provider', () => {
    const number = { type: 'ChannelNumberConnected', data: { catalogId: 'c1' } };
    const changed = (data: object) => ({ type: 'CatalogStatusChanged', data });
    const statusAfter = (...events: DomainEvent[]) => views(catalogStatus, history(...events)).get(SHOP)?.body;
    expect(statusAfter(number)).to.deep.equal({ status: 'pending', metaCatalogId: 'c1' });
    expect(statusAfter(number, changed({ status: 'active' }))).to.deep.equal({ status: 'active', metaCatalogId: 'c1' });
    const failed = { status: 'failed', errorCode: '190', errorMessage: 'The token is invalid.' };
    expect(statusAfter(number, changed(failed))).to.deep.equal({ metaCatalogId: 'c1', ...failed });
    expect(statusAfter(number, changed({ status: 'active' }), { ...number, data: { catalogId: 'c2' } })).to.deep.equal({
      status: 'pending',
      metaCatalogId: 'c2',
    });
  });
});

describe('catalog projections', () => {
  it('produce the same documents when every event is applied twice', () => {
    const events = history(
      { type: 'CategoriesAdded', data: { categories: [{ externalId: 'shirts', name: 'Shirts', position: 0 }] } },
      added(sized),
      submitted(item('shirt-m', 1), item('shirt-l', 1)),
      revised({ variants: [] }, { droppedRetailerIds: ['shirt-m', 'shirt-l'], product: shirt }),
      reviewed('approved', [item('shirt-m', 1)]),
    );
    for (const projection of [products, catalogItems, categories, catalogStatus])
      expect(views(projection, [...events, ...events])).to.deep.equal(views(projection, events));
  });
});
