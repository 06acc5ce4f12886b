/** Every link of the documentation leads to an existing page and an existing place on the page. */
import { expect } from 'chai';
import { problemKinds } from '../../api/contract/problems.js';
import { readModel } from '../../site/document.js';
import { GUIDES } from '../../site/guides.js';
import { type SampleApi, send, startSampleApi } from '../support/stages/sampleApi.js';

/** Returns the links within this service. External links are not checked. */
const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!).filter((href) => !href.startsWith('https://'));

describe('the links of the documentation', () => {
  let api: SampleApi;
  before(async () => {
    api = await startSampleApi();
  });
  after(() => api.close());

  /** Returns every reachable page, and for each address a page that links to it. */
  async function walk(): Promise<{ pages: Map<string, string>; linked: Map<string, string> }> {
    const pages = new Map<string, string>();
    const linked = new Map<string, string>([['/docs', '']]);
    const seen = new Set<string>();
    for (const [address, from] of linked) {
      const [path = ''] = address.split('#');
      if (seen.has(path)) continue;
      seen.add(path);
      const { status, headers, text } = await send(api.url + path, 'GET');
      expect(status, `${path}, linked from ${from}`).to.equal(200);
      if (!headers.get('content-type')?.includes('html')) continue;
      pages.set(path, text);
      for (const href of hrefsOf(text)) linked.set(href.startsWith('#') ? `${path}${href}` : href, path);
    }
    return { pages, linked };
  }

  it('lead to existing pages and anchors', async () => {
    const { pages, linked } = await walk();
    for (const [address, from] of linked) {
      const [path = '', place] = address.split('#');
      if (place !== undefined) expect(pages.get(path), `${address}, linked from ${from}`).to.include(` id="${place}"`);
    }
    const { operations, events } = readModel();
    const all = operations.length + events.length + GUIDES.length + Object.keys(problemKinds).length;
    expect(pages.size).to.be.above(all);
  });

  it('have unique anchors on each page', async () => {
    for (const path of [
      '/docs',
      '/docs/api',
      '/docs/api/sendMessage',
      '/docs/guides/webhooks',
      '/docs/events/order.paid',
    ]) {
      const { text } = await send(api.url + path, 'GET');
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
      expect(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        path,
      ).to.deep.equal([]);
    }
  });
});
