import { profileFromNow } from '../../harness/service/serviceProcess.js';
import { loadBare, loadOurs } from '../support/bareLoads.js';
import { enough } from '../support/effort.js';
import type { Load } from '../support/load.js';
import { duringChanges, manyStores } from '../support/otherStores.js';
import { readAgain } from '../support/pageReads.js';
import { atLeast, atMost, comparedWithBare, type Figure } from '../support/report.js';
import { categories, mustBe, onStage, product, type Stage, teach } from '../support/stage.js';

const PRODUCTS = 5_000;
const STORES = 1_000;

/** Upserts for the stores in turn, with new products first and changed ones from then on: each is a real change. */
function upserts(stage: Stage, stores: readonly string[], auth: Record<string, string>): Promise<Load> {
  let n = 0;
  return loadOurs(stage, '', {
    method: 'PUT',
    headers: auth,
    each: () => {
      n += 1;
      const [id, revision] = [n % PRODUCTS, Math.floor(n / PRODUCTS)];
      return {
        path: `/api/v1/workspaces/${stores[n % stores.length]}/commerce/products/P${id}`,
        body: JSON.stringify({ ...product(id, revision), categoryExternalId: undefined }),
      };
    },
  });
}

/** upsertProduct, each a real change, 32 connections, in one store and in 1,000; the bare servers parse the same body. */
export const upsertProduct = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const one = await upserts(stage, [stage.demo.store.workspaceId], stage.auth);
    const { ids, auth } = await manyStores(stage, enough(STORES));
    const many = await upserts(stage, ids, auth);
    const bare = await loadBare(stage, { method: 'POST', body: JSON.stringify(product(1)) });
    return [
      comparedWithBare('upsertProduct, 32 connections', one, bare, 0.85),
      atMost('upsertProduct, p99', one.p99Ms, 'ms', 20),
      comparedWithBare(`upsertProduct, ${STORES.toLocaleString('en')} stores`, many, bare, 0.85),
      atMost(`upsertProduct, ${STORES.toLocaleString('en')} stores, p99`, many.p99Ms, 'ms', 20),
    ];
  });

const BATCH = 500;
const STORE = 100_000;
const CHANGES_ELSEWHERE = 200;

async function fill(stage: Stage): Promise<number> {
  await stage.call('PUT', `${stage.commerce}/categories`, categories);
  const store = enough(STORE);
  const batches = store / BATCH;
  let next = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (next < batches) {
      const first = next++ * BATCH;
      const products = Array.from({ length: BATCH }, (_, i) => ({
        externalId: `P${first + i}`,
        ...product(first + i),
      }));
      const answer = await stage.call('POST', `${stage.commerce}/products/batch`, { products });
      mustBe('upsertProducts', answer.status === 200, answer.text.slice(0, 500));
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return store / ((performance.now() - started) / 1000);
}

/** A cursor into the list, `pages` pages of 200 away from its beginning. */
async function deepCursor(stage: Stage, query: string, pages: number): Promise<string> {
  let cursor = '';
  for (let i = 0; i < pages; i += 1) {
    const answer = await stage.call(
      'GET',
      `${stage.commerce}/products?limit=200${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    mustBe('listProducts', answer.status === 200, answer.text.slice(0, 500));
    const next = (JSON.parse(answer.text) as { next?: string }).next;
    mustBe('listProducts has more pages', next !== undefined, answer.text.slice(0, 200));
    cursor = encodeURIComponent(next ?? '');
  }
  return `&cursor=${cursor}`;
}

/** upsertProducts in batches of 500 until the store has 100,000 products. */
export const upsertProducts = (): Promise<Figure[]> =>
  onStage(async (stage) => [atLeast('upsertProducts, 500 a batch', await fill(stage), 'products/s', 25_000)]);

/** Pages of a store that has so many, while another store changes. */
export const listProducts = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const figures: Figure[] = [];
    await fill(stage);
    const settled = performance.now() + 180_000;
    // The upload's pushes go to the sandbox in the background; the list is measured when they are done.
    for (;;) {
      const queued = await stage.call('GET', `${stage.commerce}/products?limit=1&status=approved`);
      const waiting = await stage.call('GET', `${stage.commerce}/products?limit=1&status=queued`);
      const review = await stage.call('GET', `${stage.commerce}/products?limit=1&status=in_review`);
      const empty = (text: string): boolean => (JSON.parse(text) as { products: unknown[] }).products.length === 0;
      if (!empty(queued.text) && empty(waiting.text) && empty(review.text)) break;
      mustBe('the catalog push finished in 180 s', performance.now() < settled, waiting.text.slice(0, 300));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const duringWrites = await duringChanges(stage, CHANGES_ELSEWHERE);
    profileFromNow(stage.service.pid);
    const pages: [string, string][] = [
      ['first page', ''],
      ['deep page', await deepCursor(stage, '', enough(300))],
      ['by category', '&category=C3'],
      ['by category, deep page', `&category=C3${await deepCursor(stage, '&category=C3', enough(30))}`],
      ['by status', '&status=approved'],
      ['by category and status', '&category=C3&status=approved'],
    ];
    for (const [name, query] of pages) {
      const path = `${stage.commerce}/products?limit=50${query}`;
      const sample = await stage.call('GET', path);
      const count = (JSON.parse(sample.text) as { products: unknown[] }).products.length;
      mustBe('listProducts', sample.status === 200 && count === 50, sample.text.slice(0, 500));
      await teach(stage, sample.text);
      const ours = await duringWrites(() => loadOurs(stage, path, { seconds: 4 }));
      const bare = await loadBare(stage, { seconds: 4 });
      figures.push(comparedWithBare(`listProducts, 50 of 100,000, ${name}`, ours, bare, 0.9));
      if (query === '')
        figures.push(...(await readAgain(stage, { name: `listProducts, ${name}`, path, bare, beside: duringWrites })));
    }
    return figures;
  });
