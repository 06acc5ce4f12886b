/**
 * A single process that handles all commands: a command is answered once durable, and a read waits for the changes it
 * must show.
 */

import { expect } from 'chai';
import { catalogOperations } from '../../api/operations/catalog/index.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { categories } from '../../projections/categories.js';
import { products } from '../../projections/products.js';
import { type ApiServer, secretKey, shopDirectory } from '../support/stages/apiServer.js';
import { openStage, type Stage } from '../support/stages/stage.js';

const BUSY = '5f0c7a9e-1111-4000-8000-000000000001';
const QUIET = '5f0c7a9e-1111-4000-8000-000000000002';
const KEYS: Record<string, ReturnType<typeof secretKey>> = {
  sk_test_busy: secretKey(BUSY, BUSY, ['commerce:manage', 'orders:view']),
  sk_test_quiet: secretKey(QUIET, QUIET, ['commerce:manage', 'orders:view']),
};
const keyOf: Record<string, string> = { [BUSY]: 'sk_test_busy', [QUIET]: 'sk_test_quiet' };
const shirt = { name: 'Shirt', imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 10_00 };
const WITHIN = 1_000;
/** The products view stops at this name. */
const POISON = 'Poison';
const added = products.on.ProductAdded as unknown as { ids: unknown; evolve(...parts: unknown[]): unknown };
const poisoned = {
  ...products,
  on: {
    ...products.on,
    ProductAdded: {
      ids: added.ids,
      evolve(...parts: unknown[]) {
        if (JSON.stringify(parts[1]).includes(POISON)) throw new Error('cannot read this name');
        return added.evolve(...parts);
      },
    },
  },
} as AnyProjection;

describe('reads that wait for acknowledged changes', () => {
  let stage: Stage;
  let server: ApiServer;
  let release: (error?: Error) => void;

  beforeEach(async () => {
    stage = await openStage('reads-wait', {
      projections: [poisoned, categories, catalogStatus],
      readsWait: { withinMs: WITHIN, bounds: { scope: 20, all: 50 } },
    });
    server = await stage.serve({
      operations: catalogOperations,
      directory: shopDirectory((key) => KEYS[key], [BUSY, QUIET]),
    });
    release = () => undefined;
  });
  afterEach(async () => {
    release();
    await stage.close();
  });

  async function call(method: string, store: string, path: string, body?: unknown) {
    const answer = await fetch(`${server.url}/api/v1/workspaces/${store}/commerce${path}`, {
      method,
      headers: { authorization: `Bearer ${keyOf[store]}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }
  const put = (store: string, id: string) => call('PUT', store, `/products/${id}`, shirt);
  const ids = async (store: string): Promise<string[]> => {
    const { status, body } = await call('GET', store, '/products?limit=200');
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.products.map(({ externalId }: { externalId: string }) => externalId).sort();
  };
  const first = (...works: Promise<unknown>[]) => Promise.race(works.map((work, index) => work.then(() => index)));

  it('show each change once acknowledged, to every client, however many write', async () => {
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const store = i % 3 === 0 ? QUIET : BUSY;
        expect((await put(store, `p${i}`)).status).to.equal(201);
        expect(await ids(store)).to.include(`p${i}`);
      }),
    );
  });

  it('wait in the store that has changed, and in no other', async () => {
    release = stage.holdViews();
    expect((await put(BUSY, 'a')).status).to.equal(201);
    const late = ids(BUSY);
    expect(await ids(QUIET)).to.deep.equal([]);
    expect(await first(late, ids(QUIET))).to.equal(1);
    release();
    expect(await late).to.deep.equal(['a']);
  });

  it('do not wait when a command has changed nothing', async () => {
    expect((await put(BUSY, 'a')).status).to.equal(201);
    expect(await ids(BUSY)).to.deep.equal(['a']);
    release = stage.holdViews();
    expect((await call('PUT', BUSY, '/products/a', shirt)).body.result).to.equal('unchanged');
    expect(await ids(BUSY), 'nothing has changed').to.deep.equal(['a']);
  });

  it('report a late view, and that only the read needs to be repeated', async () => {
    release = stage.holdViews();
    expect((await put(BUSY, 'a')).status).to.equal(201);
    const { status, body } = await call('GET', BUSY, '/products');
    expect([status, body.code]).to.deep.equal([503, 'unavailable']);
    expect(body.detail).to.include('is stored').and.include('Send the request again');
    expect(await ids(QUIET)).to.deep.equal([]);
    release();
    expect(await ids(BUSY)).to.deep.equal(['a']);
  });

  it('answer unavailable within their limit if a view has stopped at an event, and delay no other read', async () => {
    expect((await put(QUIET, 'mine')).status).to.equal(201);
    expect(await ids(QUIET)).to.deep.equal(['mine']);
    expect((await call('PUT', BUSY, '/products/a', { ...shirt, name: POISON })).status).to.equal(201);
    const refused = await call('GET', BUSY, '/products');
    expect([refused.status, refused.body.code]).to.deep.equal([503, 'unavailable']);
    expect(await ids(QUIET), 'of another store').to.deep.equal(['mine']);
    const concurrent = await call('GET', BUSY, '/categories');
    expect(concurrent.status, 'of another view of the store').to.equal(200);
  });

  it('wait for a store that is far ahead of its views, before the others', async () => {
    release = stage.holdViews();
    for (let i = 0; i <= 20; i++) expect((await put(BUSY, `p${i}`)).status).to.equal(201);
    const slowed = Array.from({ length: 25 }, (_, i) => put(BUSY, `q${i}`));
    expect((await put(QUIET, 'mine')).status).to.equal(201);
    const all = Promise.all(slowed);
    expect(await first(all, put(QUIET, 'mine too'))).to.equal(1);
    release();
    for (const { status } of await all) expect(status).to.equal(201);
    expect(await ids(BUSY)).to.have.length(46);
  });

  it('wait in all stores if the views are far behind all', async () => {
    release = stage.holdViews();
    const slowed: Promise<unknown>[] = [];
    for (let i = 0; i < 120; i++) slowed.push(put(i % 2 === 0 ? BUSY : QUIET, `p${i}`));
    const all = Promise.all(slowed);
    const pause = new Promise((resolve) => setTimeout(resolve, WITHIN / 4));
    expect(await first(all, pause)).to.equal(1);
    release();
    await all;
    expect((await ids(BUSY)).length + (await ids(QUIET)).length).to.equal(120);
  });
});
