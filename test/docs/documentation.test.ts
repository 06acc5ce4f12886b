/** The documentation as it is served: a page for everything, found by its words, sent compressed and once. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import express from 'express';
import { problemKinds } from '../../api/contract/problems.js';
import { operations } from '../../api/operations/index.js';
import { openDocumentation } from '../../api/pages/documentation.js';
import { type Hit, loadIndex, search, wordsOf } from '../../site/browser/ranking.js';
import { readModel } from '../../site/document.js';
import { type SampleApi, send, startSampleApi } from '../support/stages/sampleApi.js';
import { got, pageText } from '../support/stages/servedPages.js';

const model = readModel();

describe('the documentation', () => {
  let api: SampleApi;
  before(async () => {
    api = await startSampleApi();
  });
  after(() => api.close());
  const page = (path: string): Promise<string> => pageText(api, path);

  it('omits operator sections from a guide', async () => {
    const text = await page('/docs/guides/files');
    expect(text).to.include('What customers send').and.not.to.include('SUUQ_FREE_SPACE').and.not.to.include('fsync');
  });

  it('links names in a guide to their pages', async () => {
    const text = await page('/docs/guides/first-order');
    expect(text).to.include('<a href="/docs/api/upsertProduct"><code>upsertProduct</code></a>');
    expect(text).to.include('<a href="/docs/events/order.paid"><code>order.paid</code></a>');
  });

  it('answers 304 to clients that have a page, and compresses it if accepted', async () => {
    for (const path of [
      '/docs',
      '/docs/api/createPromotion',
      '/docs/guides/retries',
      '/errors/not_found',
      '/llms.txt',
    ]) {
      const plain = await got(api.url + path);
      expect([plain.status, plain.headers['cache-control'], plain.headers['content-encoding']], path).to.deep.equal([
        200,
        'no-cache',
        undefined,
      ]);
      expect(plain.headers.vary).to.match(/accept-encoding/i);
      const br = await got(api.url + path, { 'accept-encoding': 'gzip, br' });
      const gzip = await got(api.url + path, { 'accept-encoding': 'gzip' });
      expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).to.deep.equal(['br', 'gzip']);
      expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).to.equal(true);
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
      const again = await got(api.url + path, { 'if-none-match': br.headers.etag!, 'accept-encoding': 'br' });
      expect([again.status, again.bytes.length, again.headers['content-encoding']]).to.deep.equal([304, 0, undefined]);
      expect((await got(api.url + path, { 'if-none-match': '"another"' })).status).to.equal(200);
      const head = await send(api.url + path, 'HEAD', { headers: { 'accept-encoding': 'identity' } });
      expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([
        200,
        '',
        String(plain.bytes.length),
      ]);
    }
  });

  it('compresses the OpenAPI document once, in the form that the client accepts', async () => {
    const path = `${api.url}/api/v1/openapi.json`;
    const plain = await got(path);
    expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).to.deep.equal([
      200,
      undefined,
      'Accept-Encoding',
    ]);
    const forms: [string, string | undefined][] = [
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['BR;q=nonsense', undefined],
    ];
    for (const [accepted, coding] of forms) {
      const { bytes, headers } = await got(path, { 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers['content-length']], accepted).to.deep.equal([
        coding,
        String(bytes.length),
      ]);
      const read = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
      expect(read.equals(plain.bytes), accepted).to.equal(true);
      if (coding !== undefined) expect(bytes.length).to.be.below(plain.bytes.length / 3);
    }
    const again = await got(path, { 'if-none-match': plain.headers.etag!, 'accept-encoding': 'br' });
    expect([again.status, again.bytes.length, again.headers.etag]).to.deep.equal([304, 0, plain.headers.etag]);
    expect((await got(path, { 'if-none-match': '"another"' })).status).to.equal(200);
  });

  it('caches its scripts and styles for a year, under an address that changes with them', async () => {
    const text = await page('/docs');
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[0-9a-f]{16}\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files.length).to.equal(4);
    for (const file of files) {
      const { status, headers } = await got(api.url + file);
      expect([status, headers['cache-control']], file).to.deep.equal([200, 'public, max-age=31536000, immutable']);
    }
    const other = files[0]!.replace(/[0-9a-f]{16}/, '0'.repeat(16));
    expect((await got(api.url + other)).status).to.equal(404);
  });

  it('forbids caching if a file cannot be read', async () => {
    const lost = { type: 'text/css', tag: 'lost', isCompressed: true, isCacheable: true } as const;
    const app = express().get('/', (request, response) => openDocumentation().send(lost, request, response));
    const server = app.set('env', 'test').listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { status, headers } = await got(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
    expect([status, headers['cache-control'], headers.etag]).to.deep.equal([500, undefined, undefined]);
  });

  it('redirects an extra slash to the page, and never elsewhere', async () => {
    const led = async (path: string) => {
      const { status, headers } = await fetch(api.url + path, { redirect: 'manual' });
      return [status, headers.get('location')];
    };
    expect(await led('/docs/')).to.deep.equal([308, '/docs']);
    expect(await led('/docs/guides/files/')).to.deep.equal([308, '/docs/guides/files']);
    for (const path of ['/docs/guides/', '/docs//', '//example.com/'])
      expect(await led(path), path).to.deep.equal([404, null]);
  });

  it('runs and loads only its own files', async () => {
    const { headers } = await send(`${api.url}/docs/api/createPromotion`, 'GET');
    expect(headers.get('content-security-policy')!.split(';')).to.deep.equal([
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    for (const path of [
      '/docs',
      '/docs/api/sendMessage',
      '/docs/events/order.paid',
      '/docs/guides/webhooks',
      '/errors',
    ])
      expect(await page(path), path).not.to.match(/<style|<script>|javascript:|<[^>]+\s(?:style|on\w+)=/i);
  });

  describe('search', () => {
    let index: ReturnType<typeof loadIndex>;
    before(async () => {
      const style = /\/docs\/assets\/[0-9a-f]{16}\//.exec(await page('/docs'))![0];
      index = loadIndex(await page(`${style}search.json`));
    });
    const found = (text: string, most = 5): Hit[] => search(index, text, most);
    const first = (text: string): string | undefined => found(text)[0]?.path;

    it('finds names, words, beginnings of words, and misspelled words', () => {
      expect(first('createPromotion')).to.equal('/docs/api/createPromotion');
      expect(first('create promo')).to.equal('/docs/api/createPromotion');
      expect(first('order.paid')).to.equal('/docs/events/order.paid');
      expect(first('idempotency_key_reused')).to.equal('/errors/idempotency_key_reused');
      expect(first('paging')).to.equal('/docs/guides/paging');
      expect(first('going live')).to.equal('/docs/guides/going-live');
      expect(first('creatE promtoion')).to.equal('/docs/api/createPromotion');
      expect(
        found('verify signature')
          .map(({ path }) => path)
          .join(),
      ).to.include('/docs/guides/');
    });

    it('finds every operation, event and error by its name, among the first results', () => {
      const names = [
        ...operations.map(({ id }) => [id, `/docs/api/${id}`] as const),
        ...model.events.map(({ type }) => [type, `/docs/events/${type}`] as const),
        ...Object.keys(problemKinds).map((code) => [code, `/errors/${code}`] as const),
      ];
      for (const [name, path] of names)
        expect(
          found(name, 3).map((hit) => hit.path),
          name,
        ).to.include(path);
    });

    it('accepts a word that nearly all pages contain, without excluding any for other words', () => {
      expect(first('store')).to.equal('/docs/api/createPartnerStore');
      expect(first('the store')).to.equal('/docs/api/createPartnerStore');
      expect(found('the store', 12).map(({ path }) => path)).to.include('/docs/guides/going-live#the-store');
      expect(first('the paging of lists')).to.equal('/docs/guides/paging');
      expect(first('what is the order.paid event')).to.equal('/docs/events/order.paid');
    });

    it('finds nothing for unknown words', () => {
      expect(found('xyzzyplugh')).to.deep.equal([]);
      expect(found('   ')).to.deep.equal([]);
      expect(found('constructor __proto__')).to.deep.equal([]);
    });

    it('finds words in common spellings', () => {
      expect(wordsOf('createPromotion of order.paid')).to.include.members(['create', 'promotion', 'order', 'paid']);
      for (const wrong of ['ordr', 'ordre', 'orrder', 'orfer'])
        expect(
          found(wrong, 12).map(({ path }) => path),
          wrong,
        ).to.include('/docs/api/getOrder');
    });
  });
});
