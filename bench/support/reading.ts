/** How a page is asked for: again, by who has it, in words that nobody has used yet, and while its store changes. */
import { load } from './load.js';
import { besideBare, type Figure } from './report.js';
import { mustBe, product, type Stage } from './stage.js';

const SECONDS = 4;
/** Changes a second in the store whose pages are read. */
const CHANGES = 20;

/** The query that goes on as many pages of 200 behind the list's beginning, or at its end. */
export async function deepQuery(stage: Stage, path: string, query: string, pages: number): Promise<string> {
  let cursor = '';
  for (let turn = 0; turn < pages; turn += 1) {
    const answer = await stage.call('GET', `${path}?limit=200${query}${cursor}`);
    const { next } = JSON.parse(answer.text) as { next?: string };
    if (next === undefined) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  return `${query}${cursor}`;
}

/** Requests per second by clients that have the answer already, and are told so. */
export async function loadUnchanged(stage: Stage, path: string, seconds = SECONDS): Promise<number> {
  const url = `${stage.service.baseUrl}${path}`;
  const first = await fetch(url, { headers: stage.auth });
  const etag = first.headers.get('etag');
  mustBe(`the ETag of ${path}`, first.status === 200 && etag !== null, first.status);
  await first.arrayBuffer();
  const headers = { ...stage.auth, 'if-none-match': etag! };
  const { perSecond, failures } = await load({ url, headers, seconds, unchanged: true });
  mustBe(`304 for ${path}`, failures === 0, failures);
  return perSecond;
}

/** The page made each time: in other words for each request, by a parameter that there is none of. Ours, and the bare server's. */
async function loadMadeAnew(stage: Stage, path: string): Promise<readonly [ours: number, bare: number]> {
  let asked = 0;
  const each = (of: string) => () => {
    asked += 1;
    return { path: `${of}&asked=${asked}` };
  };
  const { baseUrl } = stage.service;
  const ours = await load({ url: baseUrl, headers: stage.auth, seconds: SECONDS, each: each(path) });
  mustBe(`200 for ${path}`, ours.failures === 0, ours);
  const bare = await load({ url: stage.bare.baseUrl, seconds: SECONDS, each: each('/?') });
  return [ours.perSecond, bare.perSecond];
}

/** The page asked for again and again while products of its store change. */
async function loadWhileChanging(stage: Stage, path: string): Promise<number> {
  let turn = 0;
  let failed = 0;
  const change = (): void => {
    turn += 1;
    const id = turn % 40;
    stage.call('PUT', `${stage.commerce}/products/P${id}`, product(id, turn)).then(
      ({ status }) => {
        failed += status === 200 ? 0 : 1;
      },
      () => {
        failed += 1;
      },
    );
  };
  const timer = setInterval(change, 1000 / CHANGES);
  try {
    const ours = await load({ url: `${stage.service.baseUrl}${path}`, headers: stage.auth, seconds: SECONDS });
    mustBe(`200 for ${path} while its store changes`, ours.failures + failed === 0, { ours, failed });
    return ours.perSecond;
  } finally {
    clearInterval(timer);
  }
}

/** `name` is the page's; the bare server answers its bytes already. `theirs`: requests per second of the bare server. */
export async function readAgain(
  stage: Stage,
  { name, path, theirs, changing }: { name: string; path: string; theirs: number; changing: boolean },
): Promise<Figure[]> {
  const [ours, bare] = await loadMadeAnew(stage, path);
  const figures = [
    besideBare(`${name}, unchanged, with If-None-Match`, await loadUnchanged(stage, path), 'requests/s', theirs, 1.5),
    besideBare(`${name}, made each time`, ours, 'requests/s', bare, 0.4),
  ];
  if (!changing) return figures;
  const while20 = await loadWhileChanging(stage, path);
  return [...figures, besideBare(`${name}, ${CHANGES} changes/s in the store`, while20, 'requests/s', theirs, 0.7)];
}
