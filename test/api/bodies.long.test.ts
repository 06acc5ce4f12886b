/** Limits and accounting of request bodies before the caller is authenticated. */
import { expect } from 'chai';
import { Refusal } from '../../api/contract/problems.js';
import type { RawRoute } from '../../api/http/rawRoutes.js';
import { until } from '../support/doubles/fakeClock.js';
import { ALPHA, keys } from '../support/doubles/fakeServices.js';
import { type RawClient, rawClient } from '../support/protocol/rawClient.js';
import { type SampleApi, send, silentRates, startSampleApi } from '../support/stages/sampleApi.js';

const settings = { host: '127.0.0.1', port: 0, trustProxy: 0, rates: silentRates };
const notes = `/api/v1/workspaces/${ALPHA}/notes`;
const KIB = 1024;

describe('request bodies', () => {
  let api: SampleApi;
  let clients: RawClient[] = [];
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    clients = [];
    await api.close();
  });
  /** Announces a note of `size` bytes and sends `sent` blank bytes of it. */
  const started = (sent: number, from?: string, size = sent + 100): RawClient => {
    const fields = `Host: x\r\nAuthorization: Bearer ${keys.alpha}\r\nContent-Type: application/json\r\n`;
    const head = `POST ${notes} HTTP/1.1\r\n${fields}Content-Length: ${size}\r\n\r\n`;
    const client = rawClient(api.url, head + ' '.repeat(sent), from);
    clients.push(client);
    return client;
  };
  const post = (body: string) => send(api.url + notes, 'POST', { key: keys.alpha, body });
  const padded = (bytes: number): string => `${' '.repeat(bytes - 13)}{"title":"a"}`;

  describe('share a limited amount of memory', () => {
    // One address may use a quarter of this memory, which is 64 KiB.
    beforeEach(async () => {
      api = await startSampleApi({ settings: { ...settings, bodyMemory: 256 * KIB } });
    });
    const isRefused = (client: RawClient) => until('it is rejected', () => client.text().startsWith('HTTP/1.1 503 '));

    it('of which one address may use a quarter; others continue, and so does it after releasing some', async () => {
      const first = started(60 * KIB);
      const second = started(30 * KIB);
      await until('one of the two is rejected', () => [first, second].some((one) => one.text() !== ''));
      const [refused, current] = first.text() === '' ? [second, first] : [first, second];
      expect(refused.text()).to.match(/^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*"code":"unavailable"/is);
      expect((await post(padded(16 * KIB))).status).to.equal(201);
      const other = started(60 * KIB, '127.0.0.2', 60 * KIB);
      await until('it is answered', () => other.text() !== '');
      expect(other.text()).to.match(/^HTTP\/1\.1 400 /);
      current.socket.destroy();
      await until('there is room again', async () => (await post(padded(60 * KIB))).status === 201);
    });

    it('of which all addresses may use all', async () => {
      for (let n = 1; n <= 4; n += 1) started(62 * KIB, `127.0.0.${n}`);
      await until('all are stored in memory', async () => {
        const one = started(30 * KIB, '127.0.0.5', 30 * KIB);
        await until('it is answered', () => one.text() !== '');
        return one.text().startsWith('HTTP/1.1 503 ');
      });
      await isRefused(started(30 * KIB, '127.0.0.6'));
      expect((await post(padded(1000))).status).to.equal(201);
    });

    it('and release it in every case', async () => {
      for (const body of [padded(60 * KIB), `{${padded(60 * KIB)}`, `${padded(60 * KIB)}x`, 'x'.repeat(60 * KIB)])
        for (let n = 0; n < 8; n += 1) expect((await post(body)).status).to.be.oneOf([201, 400, 422]);
    });
  });

  it('cost one more request for each 64 KiB', async () => {
    api = await startSampleApi({ settings: { ...settings, rates: { ip: 0, user: 0, key: 10 } } });
    expect((await post(padded(60 * KIB))).headers.get('ratelimit')).to.equal('"key";r=9;t=6');
    expect((await post(padded(200 * KIB))).headers.get('ratelimit'), 'three more').to.equal('"key";r=5;t=30');
    const beyond = await post(padded(400 * KIB));
    expect([beyond.status, beyond.body.code]).to.deep.equal([429, 'rate_limited']);
    expect(beyond.headers.get('retry-after')).to.equal('12');
    await api.clock.advance(60_000);
    expect((await post(padded(1000 * KIB))).status, 'more than there are in a minute').to.equal(429);
    await api.clock.advance(60_000);
    expect((await post(padded(400 * KIB))).status).to.equal(201);
  });

  describe('outside the API', () => {
    const PROVEN = 'the channel';
    const route: RawRoute = {
      method: 'POST',
      path: '/channel/webhook',
      bodyLimit: 200 * KIB,
      before: (headers) => {
        if (headers['x-signature'] === undefined) throw new Refusal('permission_denied', 'No signature.');
      },
      handle: ({ headers }) => {
        if (headers['x-signature'] !== PROVEN) throw new Refusal('permission_denied', 'Wrong.');
        return { status: 200, isProven: true };
      },
    };
    const deliver = (signature: string, body = 'x') =>
      send(`${api.url}/channel/webhook`, 'POST', { body, headers: { 'x-signature': signature } });

    it('are not read if the header fields are rejected', async () => {
      api = await startSampleApi({ extraRoutes: [route] });
      const client = rawClient(api.url, 'POST /channel/webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 204800\r\n\r\nx');
      clients.push(client);
      await until('it is answered', () => client.text() !== '', 5000);
      expect(client.text()).to.match(/^HTTP\/1\.1 403 /);
    });

    it('count towards the limit of their address, more if large, and not if they are authenticated', async () => {
      api = await startSampleApi({
        extraRoutes: [route],
        settings: { ...settings, rates: { ip: 6, user: 0, key: 0 } },
      });
      for (let n = 0; n < 20; n += 1) expect((await deliver(PROVEN, 'x'.repeat(70 * KIB))).status).to.equal(200);
      expect((await deliver('guessed')).status).to.equal(403);
      expect((await deliver('guessed', 'x'.repeat(200 * KIB))).headers.get('ratelimit')).to.equal('"ip";r=1;t=50');
      expect((await deliver('guessed')).status).to.equal(403);
      expect((await deliver(PROVEN)).status, 'there is no way to know it before').to.equal(429);
    });
  });

  it('and all other requests count towards the limit of the address; health checks have their own', async () => {
    api = await startSampleApi({ settings: { ...settings, rates: { ip: 3, user: 0, key: 0 } } });
    const get = async (path: string) => (await send(api.url + path, 'GET')).status;
    expect([await get('/'), await get('/errors/name_taken'), await get('/nothing')]).to.deep.equal([200, 200, 404]);
    for (const path of ['/', '/docs', '/assets/0/site.css', '/nothing', '/api/v1/nothing', notes])
      expect(await get(path), path).to.equal(429);
    expect([await get('/healthz'), await get('/readyz'), await get('/metrics')]).to.deep.equal([200, 200, 200]);
    expect(await get('/healthz')).to.equal(429);
  });

  it('get responses that no browser takes for another type', async () => {
    api = await startSampleApi();
    for (const path of [
      '/',
      '/docs',
      '/nothing',
      '/healthz',
      '/readyz',
      '/metrics',
      '/api/v1/openapi.json',
      notes,
      '/%ff',
    ])
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect(
          (await send(api.url + path, method)).headers.get('x-content-type-options'),
          `${method} ${path}`,
        ).to.equal('nosniff');
    const style = /href="(\/assets\/[^"]+\.css)"/.exec((await send(`${api.url}/`, 'GET')).text)![1]!;
    expect((await send(api.url + style, 'GET')).headers.get('x-content-type-options')).to.equal('nosniff');
    const broken = rawClient(api.url, 'NONSENSE\r\n\r\n');
    clients.push(broken);
    await until('it is answered', () => broken.text() !== '');
    expect(broken.text()).to.include('X-Content-Type-Options: nosniff');
  });
});
