import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { rateLimiter } from '../../api/http/rates/rateLimit.js';
import type { RawRoute } from '../../api/http/rawRoutes.js';
import type { ReadinessCheck, Trouble } from '../../api/server/health.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { ALPHA, keys, testServices } from '../support/doubles/fakeServices.js';
import { type SampleApi, send, silentRates, startSampleApi } from '../support/stages/sampleApi.js';

const NOTE = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70';
const note = `/api/v1/workspaces/${ALPHA}/notes/${NOTE}`;
const settings = { host: '127.0.0.1', port: 0, trustProxy: 0, rates: silentRates };

describe('a token bucket', () => {
  it('allows a minute of requests at once, then refills evenly', () => {
    const limiter = rateLimiter('ip', 60)!;
    for (let count = 59; count >= 0; count -= 1)
      expect(limiter.take('a', 0)).to.include({ allowed: true, remaining: count });
    expect(limiter.take('a', 0)).to.deep.equal({ allowed: false, remaining: 0, resetSeconds: 60, retrySeconds: 1 });
    expect(limiter.take('b', 0).allowed).to.equal(true);
    expect(limiter.take('a', 999).allowed).to.equal(false);
    expect(limiter.take('a', 1999)).to.include({ allowed: true, remaining: 0 });
    expect(limiter.take('a', 0).allowed, 'a clock that goes back').to.equal(false);
  });

  it('stores a limited number of callers, the most recent ones', () => {
    const limiter = rateLimiter('ip', 2, 10)!;
    limiter.take('busy', 0);
    for (let other = 0; other < 100; other += 1) {
      limiter.take(`other ${other}`, 0);
      if (other % 3 === 0) limiter.take('busy', 0);
    }
    expect(limiter.take('busy', 0).allowed, 'busy was forgotten').to.equal(false);
    expect(limiter.take('other 1', 0).remaining, 'the oldest was not').to.equal(1);
  });

  it('is off at 0', () => expect(rateLimiter('ip', 0)).to.equal(undefined));
});

/** Returns the paths that a page links to. Fails for external resources and missing anchors. */
function linksOf(path: string, text: string): string[] {
  expect(text, path).not.to.match(/(src|href)="(https?:)?\/\//);
  for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) expect(text, path).to.include(`id="${anchor}"`);
  return [...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, link]) => link!);
}

describe('the server', () => {
  let api: SampleApi;
  afterEach(() => api.close());
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(api.url + path, 'GET', { key: keys.alpha, headers });

  describe('limits', () => {
    it('requests by key, with rate limit header fields on every response', async () => {
      api = await startSampleApi({ settings: { ...settings, rates: { ip: 100, user: 0, key: 2 } } });
      const first = await get(note);
      expect(first.headers.get('ratelimit-policy')).to.equal('"ip";q=100;w=60, "key";q=2;w=60');
      expect(first.headers.get('ratelimit')).to.equal('"ip";r=99;t=1, "key";r=1;t=30');
      await get(note);
      const third = await get(note);
      expect([third.status, third.body.code]).to.deep.equal([429, 'rate_limited']);
      expect(third.headers.get('retry-after')).to.equal('30');
      expect(third.headers.get('ratelimit')).to.equal('"ip";r=97;t=2, "key";r=0;t=60');
      const other = await send(api.url + note, 'GET', { key: keys.partner });
      expect(other.status).to.equal(200);
      await api.clock.advance(30_000);
      expect((await get(note)).status).to.equal(200);
    });

    it('requests by address, before the credential and the route', async () => {
      api = await startSampleApi({ settings: { ...settings, rates: { ip: 2, user: 0, key: 0 } } });
      expect((await send(`${api.url}/api/v1/nothing`, 'GET')).headers.get('ratelimit')).to.equal('"ip";r=1;t=30');
      await send(api.url + note, 'GET');
      expect((await get(note)).status).to.equal(429);
      expect((await get('/api/v1/nothing')).status).to.equal(429);
      expect((await get('/healthz')).status).to.equal(200);
    });

    it('by the address that trusted proxies add, and no other', async () => {
      api = await startSampleApi({ settings: { ...settings, trustProxy: 1, rates: { ip: 1, user: 0, key: 0 } } });
      const from = async (forwarded: string) => (await get(note, { 'x-forwarded-for': forwarded })).status;
      expect(await from('203.0.113.1')).to.equal(200);
      expect(await from('198.51.100.9, 203.0.113.1'), 'what the client wrote is believed').to.equal(429);
      expect(await from('203.0.113.2')).to.equal(200);
      expect(await from('2001:db8:0:1::5')).to.equal(200);
      expect(await from('2001:0db8::1:ffff:0:0:1'), 'one customer has a /64').to.equal(429);
      expect(await from('2001:db8:0:2::5')).to.equal(200);
      expect(await from('203.0.113.1:5678'), 'with its port').to.equal(429);
      expect(await from('203.0.113.3:443')).to.equal(200);
      expect(await from('[2001:db8:0:1::7]:443'), 'in brackets, with its port').to.equal(429);
      expect(await from('[2001:db8:0:2::9]'), 'in brackets').to.equal(429);
      expect(await from('[2001:db8:0:3::1]:65535')).to.equal(200);
      expect(await from('[203.0.113.9]:1:2'), 'what is no address is the proxy’s').to.equal(200);
      expect(await from('unknown')).to.equal(429);
    });

    it('nobody by X-Forwarded-For without a proxy', async () => {
      api = await startSampleApi({ settings: { ...settings, rates: { ip: 1, user: 0, key: 0 } } });
      expect((await get(note, { 'x-forwarded-for': '203.0.113.1' })).status).to.equal(200);
      expect((await get(note, { 'x-forwarded-for': '203.0.113.2' })).status).to.equal(429);
    });
  });

  describe('health', () => {
    it('is ready when started and every check passes, and names failing checks', async () => {
      let broken: string | undefined;
      let building: Trouble | undefined;
      const checks: ReadinessCheck[] = [
        { name: 'event store', check: () => undefined },
        { name: 'projection orders', check: async () => broken },
        {
          name: 'thrower',
          check: () => {
            if (broken !== undefined) throw new Error('mongodb://user:password@host');
            return undefined;
          },
        },
        { name: 'projections', check: () => building },
      ];
      api = await startSampleApi({ checks });
      expect((await get('/readyz')).body).to.deep.include({ status: 'ready', phase: 'ready' });
      broken = 'stopped at event 7';
      const sent = await get('/readyz');
      expect(sent.status).to.equal(503);
      expect(sent.text).not.to.include('password');
      expect(sent.body.checks[1]).to.deep.equal({ name: 'projection orders', ok: false, detail: broken });
      expect((await get('/healthz')).body).to.deep.equal({ status: 'alive' });
      building = { detail: 'being built: 3 of 9 cannot be read yet, 45 % done', percent: 45 };
      broken = undefined;
      const waiting = await get('/readyz');
      expect(waiting.status).to.equal(503);
      expect(waiting.body.checks[3]).to.deep.equal({ name: 'projections', ok: false, ...building });
    });

    it('counts responses by operation and status', async () => {
      api = await startSampleApi();
      await get(note);
      await send(api.url + note, 'GET');
      const { text } = await get('/metrics');
      expect(text).to.match(/suuq_http_request_duration_seconds_count\{operation="getNote",status="200"\} 1/);
      expect(text).to.match(/suuq_http_request_duration_seconds_count\{operation="getNote",status="401"\} 1/);
      expect(text).to.include('nodejs_eventloop_lag_p99_seconds').and.include('process_resident_memory_bytes');
    });
  });

  describe('pages', () => {
    beforeEach(async () => {
      api = await startSampleApi({ settings: { ...settings, publicUrl: 'https://api.example.com' } });
    });

    it('show what is running, and link to the rest', async () => {
      const { text, headers } = await get('/');
      for (const part of ['1.2.3', '1,234', '1 min 30 s', 'SQLite &lt;memory&gt;', 'href="/docs"', 'href="/readyz"'])
        expect(text).to.include(part);
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
    });

    it('have working links, and load nothing from other hosts', async () => {
      const seen = new Set<string>(['/']);
      for (const path of seen) {
        const { status, text, headers } = await get(path);
        expect(status, path).to.equal(200);
        if (headers.get('content-type')?.includes('html')) for (const link of linksOf(path, text)) seen.add(link);
      }
      expect([...seen]).to.include.members(['/docs', '/errors', '/errors/name_taken', '/api/v1/openapi.json']);
    });

    it('answer 404 for an unknown error code', async () => {
      expect((await get('/errors/nothing')).status).to.equal(404);
      expect((await get('/errors/constructor')).status).to.equal(404);
    });
  });

  describe('extra routes', () => {
    const seen: unknown[] = [];
    const route: RawRoute = {
      method: 'POST',
      path: '/channel/webhook',
      bodyLimit: 10,
      handle: ({ query, rawBody, headers }) => {
        seen.push([query, rawBody.toString('hex'), headers['x-signature']]);
        return { status: 200, body: 'EVENT_RECEIVED' };
      },
    };

    it('receive the bytes of the body, up to their limit', async () => {
      api = await startSampleApi({ extraRoutes: [route] });
      const body = Buffer.from([0, 255, 0xed, 0xa0]);
      const where = `${api.url}/channel/webhook?hub.mode=subscribe&hub.mode=again`;
      const sent = await send(where, 'POST', { body, headers: { 'x-signature': 'abc', 'content-type': 'a/b' } });
      expect([sent.status, sent.text]).to.deep.equal([200, 'EVENT_RECEIVED']);
      expect(sent.headers.get('x-request-id')).to.be.a('string');
      expect(sent.headers.has('api-version')).to.equal(false);
      expect(seen).to.deep.equal([[{ 'hub.mode': 'subscribe' }, '00ffeda0', 'abc']]);
      expect((await send(where, 'POST', { body: 'x'.repeat(11) })).status).to.equal(413);
      expect((await send(where, 'GET')).status).to.equal(405);
    });
  });

  it('reports a used port, and leaves nothing running', async () => {
    api = await startSampleApi();
    const clock = fakeClock();
    const second = await testServices(clock);
    const port = Number(new URL(api.url).port);
    const failure = await startSampleApi({ services: second.services, settings: { ...settings, port } }).catch(
      (error) => error.code,
    );
    expect(failure).to.equal('EADDRINUSE');
    expect(clock.waiting()).to.equal(0);
    await second.close();
  });

  it('completes requests in progress when it closes, and then closes the connection', async () => {
    api = await startSampleApi();
    let open = (): void => undefined;
    api.stage.gate = new Promise((resolve) => {
      open = resolve;
    });
    const agent = new Agent({ keepAlive: true });
    const answered = new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${keys.alpha}`, 'content-type': 'application/json' };
      const sent = request(
        `${api.url}/api/v1/workspaces/${ALPHA}/notes`,
        { method: 'POST', agent, headers },
        (answer) => {
          answer.resume();
          resolve({ status: answer.statusCode!, connection: answer.headers.connection });
        },
      );
      sent.on('error', reject);
      sent.end('{"title":"Milk"}');
    });
    while (api.stage.runs === 0) await new Promise((resolve) => setImmediate(resolve));
    const closing = api.server.close();
    open();
    expect(await answered).to.deep.equal({ status: 201, connection: 'close' });
    const before = performance.now();
    await closing;
    expect(performance.now() - before).to.be.lessThan(10_000);
    const refused = await send(api.url + note, 'GET', { key: keys.alpha }).catch(() => 'refused');
    expect(refused).to.equal('refused');
    agent.destroy();
  });
});
