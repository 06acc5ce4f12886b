/** The service's pages in browsers: cached files, policies without inline content, compression, and missing pages. */
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type SampleApi, send, startSampleApi } from '../support/stages/sampleApi.js';
import { got } from '../support/stages/servedPages.js';

describe('pages', () => {
  let api: SampleApi;
  beforeEach(async () => {
    api = await startSampleApi();
  });
  afterEach(() => api.close());
  const styleOf = async (page: string): Promise<string> => {
    const { text } = await send(api.url + page, 'GET');
    return api.url + /<link rel="stylesheet" href="([^"]+)"/.exec(text)![1]!;
  };

  it('load files that are cached for a year by content hash, and not sent twice', async () => {
    const style = await styleOf('/');
    expect(style).to.match(/\/assets\/[0-9a-f]{12}\/site\.css$/);
    const first = await got(style);
    expect([first.status, first.headers['content-type']]).to.deep.equal([200, 'text/css; charset=utf-8']);
    expect(first.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    const again = await got(style, { 'if-none-match': first.headers.etag! });
    expect([again.status, again.bytes.length]).to.deep.equal([304, 0]);
    expect(again.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect((await send(style, 'POST')).headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
    for (const other of [style.replace(/[0-9a-f]{12}/, '000000000000'), style.replace('site', 'nothing')])
      expect([(await send(other, 'GET')).status, (await send(other, 'GET')).body.code]).to.deep.equal([
        404,
        'not_found',
      ]);
    expect((await send(style.replace('site.css', '..%2f..%2fhome.js'), 'GET')).status).to.be.within(400, 404);
  });

  it('are revalidated, and answered 304 while unchanged', async () => {
    for (const path of ['/errors', '/docs']) {
      const first = await got(api.url + path);
      expect(first.headers['cache-control']).to.equal('no-cache');
      const again = await got(api.url + path, { 'if-none-match': first.headers.etag! });
      expect([again.status, again.bytes.length], path).to.deep.equal([304, 0]);
      expect((await got(api.url + path, { 'if-none-match': '"another"' })).status).to.equal(200);
    }
  });

  it('run and style only files of the service, and need nothing else', async () => {
    for (const path of ['/', '/docs', '/errors', '/errors/not_found', '/nowhere']) {
      const { text, headers } = await send(api.url + path, 'GET', { headers: { accept: 'text/html' } });
      const policy = headers.get('content-security-policy')!.split(';');
      expect(policy, path).to.include.members(["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'"]);
      expect(policy.join(), path).not.to.match(/unsafe|nonce|sha256|https?:|\*/);
      expect(text, path).not.to.match(/<style|<script>|javascript:|<[^>]+\s(?:style|on\w+)=/i);
      const scripts = [...text.matchAll(/<script type="module" src="([^"]+)"><\/script>/g)].map(([, src]) => src!);
      expect(policy.includes("script-src 'self'"), path).to.equal(scripts.length > 0);
      for (const script of scripts) {
        const file = await send(api.url + script, 'GET');
        expect(file.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
        expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
      }
      expect(scripts.length, path).to.equal(/^\/(?:docs|errors)/.test(path) ? 1 : 0);
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.has('x-powered-by')).to.equal(false);
      expect(headers.has('strict-transport-security')).to.equal(false);
    }
  });

  it('are compressed for clients that accept it, with the same content', async () => {
    for (const url of [`${api.url}/docs`, await styleOf('/')]) {
      const plain = await got(url);
      const small = await got(url, { 'accept-encoding': 'gzip' });
      expect(small.headers['content-encoding']).to.equal('gzip');
      expect(small.headers.vary).to.match(/accept-encoding/i);
      expect(plain.headers['content-encoding']).to.equal(undefined);
      expect(small.bytes.length).to.be.lessThan(plain.bytes.length / 2);
      expect(gunzipSync(small.bytes).equals(plain.bytes)).to.equal(true);
    }
  });

  it('reject other methods, also for missing pages', async () => {
    const options = await send(`${api.url}/docs`, 'OPTIONS');
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD, OPTIONS']);
    const posted = await send(`${api.url}/docs`, 'POST', { body: '{}' });
    expect([posted.status, posted.body.code]).to.deep.equal([405, 'method_not_allowed']);
    const head = await send(`${api.url}/docs`, 'HEAD');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    for (const path of ['/Docs', '/errors/nothing/', '/constructor']) {
      const nowhere = await send(api.url + path, 'GET');
      expect([nowhere.status, nowhere.body.code], path).to.deep.equal([404, 'not_found']);
    }
    const undecodable = await send(`${api.url}/errors/%ff`, 'GET');
    expect([undecodable.status, undecodable.body.code]).to.deep.equal([422, 'validation_failed']);
  });

  it('have the request id, and are counted by the requested path', async () => {
    const style = await styleOf('/errors');
    for (const url of [`${api.url}/errors`, style, `${api.url}/nowhere`]) {
      const { headers } = await send(url, 'GET', { headers: { 'x-request-id': 'mine-1' } });
      expect(headers.get('x-request-id'), url).to.equal('mine-1');
    }
    await send(`${style}x`, 'GET');
    const { text } = await send(`${api.url}/metrics`, 'GET');
    const counted = (operation: string, status: number): string | undefined =>
      new RegExp(
        `suuq_http_request_duration_seconds_count\\{operation="${operation}",status="${status}"\\} (\\d+)`,
      ).exec(text)?.[1];
    expect([counted('docs', 200), counted('none', 404)]).to.deep.equal(['3', '2']);
    expect(counted('assets', 404)).to.equal(undefined);
  });

  it('in progress are completed when the server closes, and then the connection is closed', async () => {
    await api.close();
    let requested = (): void => undefined;
    let open = (): void => undefined;
    const isRequested = new Promise<void>((resolve) => {
      requested = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    api = await startSampleApi({
      about: async () => {
        requested();
        await gate;
        return { name: 'Suuq', version: '1.2.3', engines: {}, startedAt: 0, now: 0, counts: {} };
      },
    });
    const page = got(api.url, { connection: 'keep-alive' });
    await isRequested;
    const closing = api.server.close();
    open();
    const { status, headers, bytes } = await page;
    expect([status, headers.connection]).to.deep.equal([200, 'close']);
    expect(bytes.toString()).to.include('<h1>Suuq</h1>');
    await closing;
  });

  it('show no internal errors, but log them', async () => {
    await api.close();
    api = await startSampleApi({
      about: async () => {
        throw new Error('mongodb://user:password@host');
      },
    });
    const failed = await send(api.url, 'GET');
    expect([failed.status, failed.body.code]).to.deep.equal([500, 'internal_error']);
    expect(failed.text).not.to.include('password');
    expect(api.lines.join('')).to.include(failed.body.requestId);
  });
});
