/** List pages from page makers. Each maker runs in this thread, and can be delayed or ended. */
import { expect } from 'chai';
import { type Operation, operation } from '../../api/contract/operation.js';
import { PageQuery } from '../../api/contract/schemas.js';
import type { PageMaking, PageTask } from '../../api/http/pageMakers.js';
import { pageMaking } from '../../api/http/pageMaking.js';
import { catalogOperations } from '../../api/operations/catalog/index.js';
import { createReads } from '../../engine/projections/documentReads.js';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { categories } from '../../projections/categories.js';
import { products } from '../../projections/products.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { type ApiServer, secretKey, shopDirectory, testCursors } from '../support/stages/apiServer.js';
import { openStage, type Stage } from '../support/stages/stage.js';

const ASHA = '5f0c7a9e-1111-4000-8000-000000000001';
const shirt = (cents: number, categoryExternalId?: string) => ({
  name: 'Shirt',
  imageUrls: ['https://cdn.example.com/1.jpg'],
  priceCents: cents,
  ...(categoryExternalId !== undefined && { categoryExternalId }),
});

const shown = { tag: 'Shown', scope: 'commerce:manage', feature: 'commerce.catalog', answers: { 200: null } } as const;
/** List that reads more than read models. */
const clockList: Operation = operation({
  ...shown,
  id: 'listTimes',
  route: 'GET {W}/times',
  summary: 'Shows the time.',
  query: PageQuery,
  handle: async ({ now }) => ({ status: 200, body: { now } }),
});
/** List that reads the plan only if the limit is 1. */
const planList: Operation = operation({
  ...shown,
  id: 'listLimits',
  route: 'GET {W}/limits',
  summary: 'Shows what the plan allows, to whoever asks for one row.',
  query: PageQuery,
  async handle({ query, workspace, read }) {
    const some = await read.count(products, { workspaceId: workspace.workspaceId }, 1);
    return { status: 200, body: { some, most: query.limit === 1 ? workspace.features.limit('x') : 7 } };
  },
});

describe('lists produced by another thread', () => {
  let stage: Stage;
  let server: ApiServer;
  let make: (task: PageTask) => Promise<PageMaking>;
  /** Tasks as another thread receives them, and their results. */
  let tasks: PageTask[];
  let came: PageMaking[];
  let requested = 0;

  /** Requests per key and minute. */
  const QUOTA = 40;

  beforeEach(async () => {
    const clock = fakeClock();
    stage = await openStage('list-making', {
      clock,
      projections: [products, categories, catalogStatus],
      readsWait: { withinMs: 500 },
    });
    const operations = [...catalogOperations, clockList, planList];
    make = pageMaking(operations, { reads: createReads(stage.views), cursors: testCursors });
    tasks = [];
    came = [];
    server = await stage.serve({
      operations,
      directory: shopDirectory(
        (key) => (key === 'sk_test_asha' ? secretKey('asha', ASHA, ['commerce:manage']) : undefined),
        [ASHA],
      ),
      settings: { host: '127.0.0.1', port: 0, trustProxy: 0, rates: { ip: 0, user: 0, key: QUOTA } },
      pageMakers: {
        make: async (task) => {
          tasks.push(structuredClone(task));
          const made = await make(structuredClone(task));
          came.push(made);
          return made;
        },
      },
    });
  });
  afterEach(() => stage.close());

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`${server.url}/api/v1/workspaces/${ASHA}${path}`, {
      method,
      headers: { authorization: 'Bearer sk_test_asha', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text(), etag: answer.headers.get('etag') ?? '' };
  }
  const put = (id: string, cents = 10_00, category?: string) =>
    call('PUT', `/commerce/products/${id}`, shirt(cents, category));
  /** Lists with a unique query, so that no answer is cached. */
  const list = (path = '/commerce/products', more = '') => call('GET', `${path}?asked=${++requested}${more}`);
  const ids = ({ text }: { text: string }): string[] =>
    JSON.parse(text)
      .products.map(({ externalId }: { externalId: string }) => externalId)
      .sort();

  it("equal the main thread's, including bytes and ETag", async () => {
    await call('PUT', '/commerce/categories', { categories: [{ externalId: 'C', name: 'Çay & šaah' }] });
    for (const id of ['a', 'b', 'c']) await put(id, 10_00, 'C');
    const here = await list('/commerce/products', '&limit=2');
    expect(tasks).to.have.length(0);
    const there = await list('/commerce/products', '&limit=2');
    expect(came).to.have.length(1);
    expect(there).to.deep.equal(here);
    const { next } = JSON.parse(here.text);
    const rest = await list('/commerce/products', `&limit=2&cursor=${encodeURIComponent(next)}`);
    expect([came.length, came.every((made) => typeof made === 'object'), ids(rest)]).to.deep.equal([2, true, ['c']]);
  });

  it('are cached, and 304 for clients with the ETag, until they change', async () => {
    await put('a');
    await list();
    const words = '/commerce/products?asked=same';
    const { etag, text } = await call('GET', words);
    expect((await call('GET', words, undefined, { 'if-none-match': etag })).status).to.equal(304);
    expect(tasks).to.have.length(1);
    // The first repetition caches the bytes, and later ones reuse them.
    for (let i = 0; i < 3; i++) expect(await call('GET', words)).to.deep.equal({ status: 200, text, etag });
    expect(tasks).to.have.length(2);
    await put('b');
    expect(ids(await call('GET', words, undefined, { 'if-none-match': etag }))).to.deep.equal(['a', 'b']);
    expect(tasks).to.have.length(3);
  });

  it('are sent only when the views show acknowledged changes', async () => {
    await put('a');
    await list();
    for (let i = 0; i < 15; i++) {
      await put(`b${i}`);
      expect(ids(await list())).to.include(`b${i}`);
    }
    expect(came.filter((made) => typeof made === 'object')).to.have.length(15);
    const release = stage.holdViews();
    await put('late');
    const before = tasks.length;
    const refused = await list();
    release();
    expect([refused.status, JSON.parse(refused.text).code, tasks.length]).to.deep.equal([503, 'unavailable', before]);
    expect(ids(await list())).to.include('late');
  });

  it('are produced in the main thread if they need a view that nobody has waited for', async () => {
    await put('a');
    await list();
    await call('PUT', '/commerce/categories', { categories: [{ externalId: 'C', name: 'Tea' }] });
    await put('b', 10_00, 'C');
    const page = await list();
    expect([tasks.length, came.length, JSON.parse(page.text).products[1].category?.name]).to.deep.equal([1, 1, 'Tea']);
    await list();
    expect(came).to.have.length(2);
    expect((await list()).etag).to.equal(page.etag);
  });

  it('are produced in the main thread if they need more than views', async () => {
    for (let i = 0; i < 3; i++) expect((await list('/times')).status).to.equal(200);
    expect(tasks).to.have.length(0);
    for (let i = 0; i < 3; i++) await list('/limits');
    expect(came.map((made) => typeof made)).to.deep.equal(['object', 'object']);
    for (let i = 0; i < 3; i++) expect((await list('/limits', '&limit=1')).text).to.equal('{"some":0}');
    expect(came.slice(2)).to.deep.equal(['elsewhere']);
  });

  it('are produced in the main thread when the other ends, which also reports errors', async () => {
    await put('a');
    const here = await list();
    make = async () => undefined;
    expect(await list()).to.deep.equal(here);
    expect(came).to.deep.equal([undefined]);
    const bad = await list('/commerce/products', '&cursor=bad');
    expect([bad.status, JSON.parse(bad.text).code]).to.deep.equal([422, 'invalid_cursor']);
  });

  it('count towards the limit of their key, each once', async () => {
    await list();
    const answers = await Promise.all(Array.from({ length: QUOTA + 9 }, () => list()));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(QUOTA - 1);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(10);
    expect(tasks).to.have.length(QUOTA - 1);
  });

  it('give the other thread only the caller and the page', async () => {
    await put('a');
    await list();
    await list('/commerce/products', '&limit=3');
    const [task] = tasks;
    expect(Object.keys(task!).sort()).to.deep.equal(['member', 'operation', 'params', 'partner', 'query', 'workspace']);
    expect([task!.operation, task!.query.limit, task!.workspace?.workspaceId]).to.deep.equal(['listProducts', 3, ASHA]);
    expect(JSON.stringify(task)).to.not.include('sk_test_asha');
  });
});
