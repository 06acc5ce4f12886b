import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { catalogOperations } from '../../api/operations/catalog/index.js';
import type { Principal } from '../../application/access/principal.js';
import { systemClock } from '../../engine/ports/clock.js';
import { until } from '../support/doubles/fakeClock.js';
import { fakeProvider } from '../support/doubles/fakeProvider.js';
import {
  type ApiServer,
  apiServer,
  openBox,
  secretKey,
  shopDirectory,
  testCursors,
} from '../support/stages/apiServer.js';
import { CATALOG, type CatalogStage, catalogStage, SHOP } from '../support/stages/catalogStage.js';

const OTHER = '5f0c7a9e-1111-4000-8000-000000000002';
const LIMIT = 60;

const keyOf = (workspaceId: string, ...scopes: string[]): Principal => secretKey(workspaceId, workspaceId, scopes);
const KEYS: Record<string, Principal> = {
  sk_test_shop: keyOf(SHOP, 'commerce:manage'),
  sk_test_view: keyOf(SHOP, 'orders:view'),
  sk_test_other: keyOf(OTHER, 'commerce:manage'),
};
const features = {
  has: () => true,
  limit: (key: string) => (key === 'commerce.products.max' ? LIMIT : undefined),
};

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers as any client without types would
type Body = any;

const shirt = { name: 'Shirt', imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 10_00 };
const locations = (body: Body): string[] => body.errors.map((one: { location: string }) => one.location);

describe('catalog over HTTP', () => {
  let stage: CatalogStage;
  let server: ApiServer;
  let url: string;

  beforeEach(async () => {
    stage = await catalogStage();
    server = await apiServer({
      operations: catalogOperations,
      services: {
        clock: systemClock,
        eventStore: stage.events,
        commandHandler: stage.commands,
        reads: stage.reads,
        work: stage.work,
        directory: shopDirectory((key) => KEYS[key], [SHOP, OTHER], { features }),
        secretBox: openBox,
        cursors: testCursors,
      },
      progress: { waitFor: (_, position) => stage.waitForViews(position) },
    });
    url = server.url;
  });
  afterEach(async () => {
    await server.close();
    await stage.close();
  });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    more: { key?: string; store?: string; idempotencyKey?: string } = {},
  ) {
    const { key = 'sk_test_shop', store = SHOP, idempotencyKey } = more;
    const answer = await fetch(`${url}/api/v1/workspaces/${store}/commerce${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
      headers: answer.headers,
    };
  }
  /** Sends the path unchanged. `fetch` would resolve its dots. */
  const rawPut = async (externalId: string): Promise<{ status: number; body: Body }> => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({
      method: 'PUT',
      hostname,
      port,
      path: `/api/v1/workspaces/${SHOP}/commerce/products/${externalId}`,
      headers: { authorization: 'Bearer sk_test_shop', 'content-type': 'application/json' },
    });
    request.end(JSON.stringify(shirt));
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return { status: answer.statusCode!, body: await json(answer) };
  };
  const batch = (...products: object[]) => call('POST', '/products/batch', { products });
  const list = async (query = '') => (await call('GET', `/products${query}`)).body;
  const idsOf = (body: Body): string[] => body.products.map((one: { externalId: string }) => one.externalId);
  const categories = (...names: string[]) => ({
    categories: names.map((name) => ({ externalId: name.toLowerCase(), name })),
  });

  it('creates, reorders and renames categories, and keeps those left out', async () => {
    expect((await call('GET', '/categories')).body).to.deep.equal({ categories: [] });
    expect((await call('PUT', '/categories', categories('A', 'B', 'C'))).status).to.equal(200);
    const put = await call('PUT', '/categories', {
      categories: [
        { externalId: 'c', name: 'Sea' },
        { externalId: 'd', name: 'D' },
      ],
    });
    const expected = [
      { externalId: 'c', name: 'Sea', position: 0 },
      { externalId: 'd', name: 'D', position: 1 },
      { externalId: 'a', name: 'A', position: 2 },
      { externalId: 'b', name: 'B', position: 3 },
    ];
    expect(put.body).to.deep.equal({ categories: expected });
    expect((await call('GET', '/categories')).body).to.deep.equal({ categories: expected });
    const twice = await call('PUT', '/categories', categories('A', 'A'));
    expect([twice.status, locations(twice.body)]).to.deep.equal([422, ['body.categories[1].externalId']]);
    expect((await call('PUT', '/categories', categories())).status).to.equal(422);
  });

  it('answers 201 for a new product and 200 for a change, and reports when nothing changed', async () => {
    const created = await call('PUT', '/products/shirt', shirt);
    expect([created.status, created.body]).to.deep.equal([201, { externalId: 'shirt', result: 'created' }]);
    const same = await call('PUT', '/products/shirt', { ...shirt, variants: null, currency: 'USD' });
    expect([same.status, same.body]).to.deep.equal([200, { externalId: 'shirt', result: 'unchanged' }]);
    const changed = await call('PUT', '/products/shirt', { ...shirt, stock: 3 });
    expect([changed.status, changed.body]).to.deep.equal([200, { externalId: 'shirt', result: 'updated' }]);
    const revisions = await stage.events.readStream(`catalog-${SHOP}`);
    expect(revisions.map(({ type, meta }) => [type, meta.actor.type])).to.deep.equal([
      ['ProductAdded', 'api_key'],
      ['ProductRevised', 'api_key'],
    ]);
  });

  for (const externalId of ['.', '..'])
    it(`rejects the new product id ${externalId}, which cannot appear in a path, in a batch and in a path`, async () => {
      const answer = await batch({ externalId: 'fine', ...shirt }, { externalId, ...shirt });
      expect([answer.status, answer.body.code]).to.deep.equal([422, 'validation_failed']);
      expect(locations(answer.body)).to.deep.equal(['body.products[1].externalId']);
      const put = await rawPut(externalId);
      expect([put.status, locations(put.body)]).to.deep.equal([422, ['path.externalId']]);
      expect((await list()).products).to.deep.equal([]);
      expect((await batch({ externalId: '...', ...shirt })).status).to.equal(200);
    });

  it('replays the first response for a repeated Idempotency-Key, also if the product is no longer new', async () => {
    const put = (idempotencyKey: string, fields = {}) =>
      call('PUT', '/products/shirt', { ...shirt, ...fields }, { idempotencyKey });
    const first = await put('one');
    const again = await put('one');
    expect([first.status, first.headers.get('idempotent-replayed')]).to.deep.equal([201, null]);
    expect([again.status, again.body]).to.deep.equal([201, { externalId: 'shirt', result: 'created' }]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect((await put('two')).status).to.equal(200);
    expect((await put('one', { stock: 1 })).body.code).to.equal('idempotency_key_reused');
    const keyed = () => call('PUT', '/categories', categories('A'), { idempotencyKey: 'three' });
    expect((await keyed()).status).to.equal(200);
    await call('PUT', '/categories', categories('B'));
    expect((await keyed()).body.categories).to.have.length(1);
  });

  it('answers a batch in its order, and stores nothing if one product is invalid', async () => {
    await call('PUT', '/categories', categories('Shirts'));
    const first = await batch(
      { externalId: 'b', ...shirt },
      { externalId: 'a', ...shirt, categoryExternalId: 'shirts' },
    );
    const results = [
      { externalId: 'b', result: 'created' },
      { externalId: 'a', result: 'created' },
    ];
    expect([first.status, first.body]).to.deep.equal([200, { results }]);
    const wrong = await batch(
      { externalId: 'c', ...shirt },
      { externalId: 'd', ...shirt, categoryExternalId: 'hats' },
      { externalId: 'e', ...shirt, salePriceCents: 10_00 },
    );
    expect(wrong.status).to.equal(422);
    expect(wrong.body.code).to.equal('validation_failed');
    expect(locations(wrong.body)).to.have.members([
      'body.products[1].categoryExternalId',
      'body.products[2].salePriceCents',
    ]);
    const shapeless = await batch(
      { externalId: 'c', ...shirt, name: '' },
      { externalId: 'e', ...shirt, imageUrls: ['https://127.0.0.1/x.jpg'] },
    );
    expect(locations(shapeless.body), 'a URL is judged with the shape of the body').to.have.members([
      'body.products[0].name',
      'body.products[1].imageUrls[0]',
    ]);
    expect(idsOf(await list())).to.deep.equal(['a', 'b']);
  });

  it('rejects what the schema forbids, and accepts values at the limits', async () => {
    const at = {
      ...shirt,
      name: 'n'.repeat(200),
      description: 'd'.repeat(5000),
      priceCents: 100_000_000_000,
      stock: 2_147_483_647,
    };
    expect(
      (await call('PUT', `/products/${'x'.repeat(100)}`, { ...at, imageUrls: Array(10).fill(shirt.imageUrls[0]) }))
        .status,
    ).to.equal(201);
    const beyond: Record<string, object> = {
      name: { name: 'n'.repeat(201) },
      description: { description: 'd'.repeat(5001) },
      imageUrls: { imageUrls: null },
      priceCents: { priceCents: 100_000_000_001 },
      stock: { stock: -1 },
      currency: { currency: 'EUR' },
      variants: { variants: Array.from({ length: 51 }, (_, i) => ({ externalId: `v${i}` })) },
      categoryExternalId: { categoryExternalId: 'no spaces' },
      saleEndsAt: { saleEndsAt: 'tomorrow' },
      colour: { colour: 'red' },
    };
    for (const [field, value] of Object.entries(beyond)) {
      const { status, body } = await call('PUT', '/products/a', { ...shirt, ...value });
      expect([status, locations(body)], field).to.deep.equal([422, [`body.${field}`]]);
    }
    expect((await call('PUT', '/products/a%20b', shirt)).status).to.equal(422);
    expect((await call('POST', '/products/batch', { products: null })).status).to.equal(422);
    expect((await batch()).status).to.equal(422);
    expect(
      (await batch(...Array.from({ length: 501 }, (_, i) => ({ externalId: `p${i}`, ...shirt })))).status,
    ).to.equal(422);
  });

  it('keeps retailer ids unique within the store', async () => {
    await call('PUT', '/products/shirt', { ...shirt, variants: [{ externalId: 'm' }] });
    const taken = await call('PUT', '/products/m', shirt);
    expect([taken.status, taken.body.code, taken.body.errors]).to.deep.equal([
      409,
      'retailer_id_taken',
      [{ message: 'Product shirt has an item with this retailer id.', location: 'path.externalId', value: 'm' }],
    ]);
    expect((await call('PUT', '/products/m', shirt, { key: 'sk_test_other', store: OTHER })).status).to.equal(201);
  });

  it('enforces the plan’s limit exactly, also when clients compete for the last places', async () => {
    await batch(...Array.from({ length: LIMIT - 3 }, (_, i) => ({ externalId: `p${i}`, ...shirt })));
    const racing = await Promise.all(Array.from({ length: 12 }, (_, i) => call('PUT', `/products/new${i}`, shirt)));
    expect(racing.map(({ status }) => status).filter((status) => status === 201)).to.have.length(3);
    expect(
      new Set(racing.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${body.code}`)),
    ).to.deep.equal(new Set(['403 plan_limit_reached']));
    expect((await call('PUT', '/products/p0', { ...shirt, stock: 1 })).status).to.equal(200);
    expect((await call('DELETE', '/products/p0')).status).to.equal(204);
    expect((await call('PUT', '/products/p0', shirt)).status).to.equal(201);
  });

  it('lets the last of many writers of a product win, and answers each correctly', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call('PUT', '/products/shirt', { ...shirt, stock: i })),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.every(({ status }) => status === 201 || status === 200)).to.equal(true);
    const stream = await stage.events.readStream(`catalog-${SHOP}`);
    const last = stream.at(-1)!.data as { product?: { stock: number }; changes?: { stock: number } };
    expect((await list()).products[0].stock).to.equal(last.product?.stock ?? last.changes?.stock);
    expect(stream).to.have.length(20);
  });

  it('answers 204 to a delete, and 404 if the product does not exist or belongs to another store', async () => {
    await call('PUT', '/products/shirt', shirt);
    expect((await call('DELETE', '/products/shirt', undefined, { key: 'sk_test_other' })).status).to.equal(404);
    expect((await call('DELETE', '/products/shirt')).status).to.equal(204);
    expect((await call('DELETE', '/products/shirt')).body.code).to.equal('not_found');
    expect(await list()).to.deep.equal({ catalog: { status: 'no_number' }, products: [] });
    expect((await call('GET', '/products', undefined, { key: 'sk_test_view' })).status).to.equal(403);
  });

  it('lists products by name in pages, with the current name of the category', async () => {
    await call('PUT', '/categories', categories('Shirts', 'Shoes'));
    const kinds = ['shirts', 'shoes', ''];
    await batch(
      ...Array.from({ length: 25 }, (_, i) => ({
        externalId: `p${i}`,
        ...shirt,
        name: `${i % 2 ? 'item' : 'Item'} ${String(i).padStart(2, '0')}`,
        categoryExternalId: kinds[i % 3],
      })),
    );
    await call('PUT', '/categories', { categories: [{ externalId: 'shirts', name: 'Tops' }] });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page: Body = await list(`?limit=10${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...idsOf(page));
      cursor = page.next;
      pages++;
    } while (cursor !== undefined);
    expect([seen, pages]).to.deep.equal([Array.from({ length: 25 }, (_, i) => `p${i}`), 3]);
    const shirts = await list('?category=shirts&status=queued');
    expect(idsOf(shirts)).to.deep.equal(['p0', 'p3', 'p6', 'p9', 'p12', 'p15', 'p18', 'p21', 'p24']);
    expect(shirts.products[0].category).to.deep.equal({ externalId: 'shirts', name: 'Tops' });
    expect((await list()).products[2]).not.to.have.property('category');
    expect((await list('?category=none')).products).to.deep.equal([]);
    expect((await list('?status=approved')).products).to.deep.equal([]);
    expect((await call('GET', '/products?status=lost')).status).to.equal(422);
    expect((await call('GET', '/products?cursor=made-up')).body.code).to.equal('invalid_cursor');
  });

  it('shows the provider’s status of the store and its items', async () => {
    const provider = fakeProvider();
    provider.review = ({ title }) =>
      title === 'Bad' ? { status: 'rejected', reasons: ['No.'] } : { status: 'approved', reasons: [] };
    await batch(
      { externalId: 'bad', ...shirt, name: 'Bad' },
      { externalId: 'good', ...shirt },
      { externalId: 'off', ...shirt, active: false },
    );
    expect((await list()).catalog).to.deep.equal({ status: 'no_number' });
    await stage.connectNumber();
    await stage.waitForViews(await stage.events.head());
    expect((await list()).catalog).to.deep.equal({ status: 'pending', metaCatalogId: CATALOG });
    await stage.startPush(provider);
    await until('the verdicts are shown', async () => (await list('?status=rejected')).products.length === 1);
    await until('the other verdicts are shown', async () => idsOf(await list('?status=approved')).join() === 'good');
    const [bad] = (await list('?status=rejected')).products;
    expect(bad.sync).to.include({ status: 'rejected', reason: 'No.' });
    expect(idsOf(await list('?status=inactive'))).to.deep.equal(['off']);
    expect((await list()).catalog).to.deep.equal({ status: 'active', metaCatalogId: CATALOG });
  });

  it('replays a batch by its Idempotency-Key', async () => {
    const body = { products: [{ externalId: 'a', ...shirt }] };
    const first = await call('POST', '/products/batch', body, { idempotencyKey: 'k1' });
    const again = await call('POST', '/products/batch', body, { idempotencyKey: 'k1' });
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const other = await call(
      'POST',
      '/products/batch',
      { products: [{ externalId: 'b', ...shirt }] },
      { idempotencyKey: 'k1' },
    );
    expect([other.status, other.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });
});
