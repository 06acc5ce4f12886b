/** Kinds of requests for a page: repeated with an ETag, with unused search words, and while its store changes. */
import { loadBare, loadOurs } from './bareLoads.js';
import { type Load, load } from './load.js';
import { changing, type DuringChanges } from './otherStores.js';
import { type Bare, comparedWithBare, type Figure } from './report.js';
import { mustBe, type Stage } from './stage.js';

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

/** Load of clients that have the answer already, and get 304. */
export async function loadUnchanged(stage: Stage, path: string, seconds = SECONDS): Promise<Load> {
  const url = `${stage.service.baseUrl}${path}`;
  const first = await fetch(url, { headers: stage.auth });
  const etag = first.headers.get('etag');
  mustBe(`the ETag of ${path}`, first.status === 200 && etag !== null, first.status);
  await first.arrayBuffer();
  const headers = { ...stage.auth, 'if-none-match': etag! };
  const ours = await load({ url, pid: stage.service.pid, headers, seconds, unchanged: true });
  mustBe(`304 for ${path}`, ours.failures === 0, ours);
  return ours;
}

/** The page made each time: in other words for each request, by a parameter that there is none of. Ours, and the bare server's. */
async function loadMadeAgain(stage: Stage, path: string): Promise<readonly [ours: Load, bare: Bare]> {
  let requested = 0;
  const each = (of: string) => () => {
    requested += 1;
    return { path: `${of}&asked=${requested}` };
  };
  const ours = await loadOurs(stage, '', { seconds: SECONDS, each: each(path) });
  return [ours, await loadBare(stage, { seconds: SECONDS, each: each('/?') })];
}

/** Repeated requests for the page while products of its store change. */
async function loadWhileChanging(stage: Stage, path: string): Promise<Load> {
  const stop = changing(stage, stage, CHANGES);
  try {
    return await loadOurs(stage, path, { seconds: SECONDS });
  } finally {
    await stop();
  }
}

/** `name`: of the page. `bare`: result of the bare servers, which answer the same bytes. `beside`: load during the measurement. */
export async function readAgain(
  stage: Stage,
  { name, path, bare, beside }: { name: string; path: string; bare: Bare; beside: DuringChanges },
): Promise<Figure[]> {
  const [ours, fresh] = await loadMadeAgain(stage, path);
  const unchanged = await beside(() => loadUnchanged(stage, path));
  return [
    comparedWithBare(`${name}, unchanged, with If-None-Match`, unchanged, bare, 1.5),
    comparedWithBare(`${name}, made each time`, ours, fresh, 0.9),
    comparedWithBare(`${name}, ${CHANGES} changes/s in the store`, await loadWhileChanging(stage, path), bare, 0.7),
  ];
}
