import { profileFromNow } from '../../test/support/serviceProcess.js';
import { load } from '../support/load.js';
import { readAgain } from '../support/reading.js';
import { atLeast, atMost, besideBare, type Figure } from '../support/report.js';
import { categories, mustBe, onStage, product, type Stage, teach } from '../support/stage.js';

/** upsertProduct, each a real change, 32 connections; the bare server parses the same body. */
export const upsertProduct = (): Promise<Figure[]> =>
  onStage(async ({ service, bare, commerce, auth, call }) => {
    await call('PUT', `${commerce}/categories`, categories);
    let n = 0;
    const ours = await load({
      url: service.baseUrl,
      method: 'PUT',
      headers: auth,
      each: () => {
        n += 1;
        return {
          path: `${commerce}/products/P${n % 5000}`,
          body: JSON.stringify(product(n % 5000, Math.floor(n / 5000))),
        };
      },
    });
    mustBe('upsertProduct', ours.failures === 0, ours);
    const theirs = await load({ url: bare.baseUrl, method: 'POST', body: JSON.stringify(product(1)) });
    return [
      besideBare('upsertProduct, 32 connections', ours.perSecond, 'requests/s', theirs.perSecond, 0.5),
      atMost('upsertProduct, p99', ours.p99Ms, 'ms', 40),
    ];
  });

const BATCH = 500;
const STORE = 100_000;

async function fill(stage: Stage): Promise<number> {
  await stage.call('PUT', `${stage.commerce}/categories`, categories);
  const batches = STORE / BATCH;
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
  return STORE / ((performance.now() - started) / 1000);
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
  onStage(async (stage) => [atLeast('upsertProducts, 500 a batch', await fill(stage), 'products/s', 15_000)]);

/** Pages of a store that has so many. */
export const listProducts = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const figures: Figure[] = [];
    await fill(stage);
    const settled = performance.now() + 180_000;
    // The pushes that the upload owes go to the sandbox in the background; the list is measured when they are through.
    for (;;) {
      const queued = await stage.call('GET', `${stage.commerce}/products?limit=1&status=approved`);
      const waiting = await stage.call('GET', `${stage.commerce}/products?limit=1&status=queued`);
      const review = await stage.call('GET', `${stage.commerce}/products?limit=1&status=in_review`);
      const empty = (text: string): boolean => (JSON.parse(text) as { products: unknown[] }).products.length === 0;
      if (!empty(queued.text) && empty(waiting.text) && empty(review.text)) break;
      mustBe('the catalog push finished in 180 s', performance.now() < settled, waiting.text.slice(0, 300));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    profileFromNow(stage.service.pid);
    const pages: [string, string][] = [
      ['first page', ''],
      ['deep page', await deepCursor(stage, '', 300)],
      ['by category', '&category=C3'],
      ['by category, deep page', `&category=C3${await deepCursor(stage, '&category=C3', 30)}`],
      ['by status', '&status=approved'],
      ['by category and status', '&category=C3&status=approved'],
    ];
    for (const [name, query] of pages) {
      const path = `${stage.commerce}/products?limit=50${query}`;
      const sample = await stage.call('GET', path);
      const count = (JSON.parse(sample.text) as { products: unknown[] }).products.length;
      mustBe('listProducts', sample.status === 200 && count === 50, sample.text.slice(0, 500));
      await teach(stage.bare, sample.text);
      const ours = await load({ url: `${stage.service.baseUrl}${path}`, headers: stage.auth, seconds: 4 });
      mustBe('listProducts', ours.failures === 0, ours);
      const theirs = await load({ url: stage.bare.baseUrl, seconds: 4 });
      figures.push(
        besideBare(`listProducts, 50 of 100,000, ${name}`, ours.perSecond, 'requests/s', theirs.perSecond, 0.9),
      );
      if (query === '')
        figures.push(
          ...(await readAgain(stage, {
            name: `listProducts, ${name}`,
            path,
            theirs: theirs.perSecond,
            changing: true,
          })),
        );
    }
    return figures;
  });
