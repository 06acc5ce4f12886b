/** `node dist/site/main.js`: builds the documentation that the service shows at /docs, into dist/docs. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'rolldown';
import { readModel } from './document.js';
import { fullText, llmsText, postmanCollection } from './downloads.js';
import { CODES, errorPage, errorsPage } from './errorPages.js';
import { eventPage, eventsPage } from './eventPages.js';
import { framed, type SitePage } from './frame.js';
import { guidePage } from './guidePages.js';
import { GUIDES } from './guides.js';
import { beginPage } from './highlight.js';
import { apiPage, downloadsPage, homePage } from './indexPages.js';
import { operationPage } from './operationPage.js';
import { searchIndex } from './searchIndex.js';
import { hashOf, type Written, writeSite } from './write.js';

const built = fileURLToPath(new URL('.', import.meta.url));
const root = join(built, '../..');
const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** Bundles the scripts of the pages, and joins the styles in the order of their names. */
async function assetFiles(): Promise<readonly (readonly [name: string, type: string, content: string])[]> {
  const styles = readdirSync(join(root, 'site/styles'))
    .filter((name) => name.endsWith('.css'))
    .sort();
  const { output: scripts } = await bundle({
    input: join(built, 'browser/docs.js'),
    output: { minify: true, chunkFileNames: '[name].js' },
    write: false,
  });
  const letters = readFileSync(join(root, 'infrastructure/pages/letters.css'), 'utf8');
  const style = [letters, ...styles.map((name) => readFileSync(join(root, 'site/styles', name), 'utf8'))].join('');
  return [
    ['docs.css', 'text/css; charset=utf-8', style],
    ['icon.svg', 'image/svg+xml', readFileSync(join(root, 'console/src/icon.svg'), 'utf8')],
    ['begin.js', 'text/javascript; charset=utf-8', readFileSync(join(root, 'site/browser/begin.js'), 'utf8')],
    ...scripts.flatMap((script) =>
      script.type === 'chunk' ? [[script.fileName, 'text/javascript; charset=utf-8', script.code] as const] : [],
    ),
  ];
}

/** Ids of code restart with each page. */
const made = <Page extends SitePage>(make: () => Page): Page => {
  beginPage();
  return make();
};

async function build(): Promise<void> {
  const model = readModel();
  const guides = GUIDES.map((guide) => made(() => guidePage(guide, model, root)));
  const pages: readonly SitePage[] = [
    made(() => homePage(model)),
    ...guides,
    made(() => apiPage(model)),
    ...model.operations.map((one) => made(() => operationPage(one, model))),
    made(() => eventsPage(model)),
    ...model.events.map((one) => made(() => eventPage(one, model))),
    made(() => errorsPage()),
    ...CODES.map((code) => made(() => errorPage(code, model))),
    made(() => downloadsPage()),
  ];
  const index = JSON.stringify(searchIndex(model, guides));
  const assets = await assetFiles();
  const place = `/docs/assets/${hashOf(...assets.map(([, , content]) => content), index)}`;
  const files: readonly Written[] = [
    ...pages.map((page) => ({ path: page.path, type: HTML, content: framed(page, model, { path: place }) })),
    ...pages.flatMap(({ path, markdown }) =>
      markdown === undefined ? [] : [{ path: `${path}.md`, type: 'text/markdown; charset=utf-8', content: markdown }],
    ),
    ...assets.map(([name, type, content]) => ({ path: `${place}/${name}`, type, content, isCacheable: true as const })),
    { path: `${place}/search.json`, type: 'application/json', content: index, isCacheable: true },
    { path: '/llms.txt', type: TEXT, content: llmsText(model) },
    { path: '/docs/llms-full.txt', type: TEXT, content: fullText(pages) },
    {
      path: '/docs/suuq.postman_collection.json',
      type: 'application/json',
      content: JSON.stringify(postmanCollection(model), undefined, 2),
    },
  ];
  writeSite(join(dirname(built.replace(/\/$/, '')), 'docs'), files);
}

await build();
