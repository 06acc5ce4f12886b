/** Accepted Host headers. A foreign site whose name resolves to this machine must not read pages or use the sandbox. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { type OwnHostsOptions, ownHosts } from '../../infrastructure/http/ownHosts.js';
import { type SampleApi, startSampleApi } from '../support/stages/sampleApi.js';
import { type SandboxStage, sandboxStage, TOKEN } from '../support/stages/sandboxStage.js';

const requested = (headers: Record<string, string>, options: Partial<OwnHostsOptions> = {}): number | undefined =>
  ownHosts({ host: '127.0.0.1', ...options })({ headers } as unknown as IncomingMessage)?.status;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends any header fields, unlike fetch. */
const send = (url: string, method: string, headers: Record<string, string>, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { method, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode!, text });
    })
      .on('error', reject)
      .end(body);
  });

const FOREIGN = { host: 'rebound.example:3000' };
const JSON_BODY = { 'content-type': 'application/json' };

describe('own hosts', () => {
  it('are this machine’s names and addresses, with any port', () => {
    for (const host of [
      'localhost',
      'LOCALHOST:3000',
      'suuq.localhost',
      '127.0.0.1:80',
      '127.8.8.8',
      '[::1]:3000',
      'localhost.',
    ])
      expect(requested({ host }), host).to.equal(undefined);
    for (const host of [
      'rebound.example',
      'localhost.example',
      '127.0.0.1.example',
      '192.0.2.1',
      '[2001:db8::1]',
      'a b',
      '',
    ])
      expect(requested({ host }), host).to.equal(421);
    expect(requested({})).to.equal(421);
  });

  it('are the listening one, the public one, and configured ones', () => {
    expect(requested({ host: 'shop.internal:3000' }, { host: 'shop.internal' })).to.equal(undefined);
    expect(requested({ host: '192.0.2.1' }, { host: '192.0.2.1' })).to.equal(undefined);
    expect(requested({ host: 'api.example.com' }, { publicUrl: 'https://api.example.com/suuq' })).to.equal(undefined);
    expect(requested({ host: 'suuq:3000' }, { allowedHosts: ['Suuq', '[fd00::1]'] })).to.equal(undefined);
    expect(requested({ host: '[fd00::1]:3000' }, { allowedHosts: ['Suuq', '[fd00::1]'] })).to.equal(undefined);
    expect(requested({ host: 'api.example.com' })).to.equal(421);
  });

  it('are all addresses if it listens on all, and no name', () => {
    for (const host of ['0.0.0.0', '::']) {
      expect(requested({ host: '192.0.2.7:3000' }, { host })).to.equal(undefined);
      expect(requested({ host: '[2001:db8::1]:3000' }, { host })).to.equal(undefined);
      expect(requested({ host: 'rebound.example' }, { host })).to.equal(421);
    }
  });

  it('accept requests from their own pages only', () => {
    const host = '127.0.0.1:3000';
    expect(requested({ host, origin: 'http://127.0.0.1:3000' })).to.equal(undefined);
    expect(requested({ host, origin: 'http://127.0.0.1:9000' })).to.equal(403);
    expect(requested({ host, origin: 'https://other.example' })).to.equal(403);
    expect(requested({ host, origin: 'null' })).to.equal(403);
    expect(requested({ host, origin: 'null', 'sec-fetch-site': 'same-origin' })).to.equal(undefined);
    const publicUrl = 'https://api.example.com';
    expect(requested({ host, origin: publicUrl }, { publicUrl })).to.equal(undefined);
    expect(requested({ host: 'api.example.com', origin: publicUrl }, { publicUrl })).to.equal(undefined);
  });
});

describe('the service under an unknown host name', () => {
  let api: SampleApi;
  before(async () => {
    api = await startSampleApi();
  });
  after(() => api.close());

  it('shows none of its own pages, and explains why', async () => {
    for (const path of ['/', '/docs', '/errors', '/errors/not_found']) {
      const { status, text } = await send(api.url + path, 'GET', FOREIGN);
      expect(status, path).to.equal(421);
      expect(text).to.include('SUUQ_ALLOWED_HOSTS').and.not.include('Running');
      expect((await send(api.url + path, 'GET', { origin: 'https://other.example' })).status, path).to.equal(403);
      expect((await send(api.url + path, 'GET', {})).status, path).to.equal(200);
    }
  });

  it('serves its API and health checks under any host that a proxy passes', async () => {
    for (const path of ['/api/v1/openapi.json', '/healthz', '/readyz', '/metrics'])
      expect((await send(api.url + path, 'GET', { ...FOREIGN, origin: 'https://other.example' })).status).to.equal(200);
    expect((await send(`${api.url}/api/v1/nowhere`, 'GET', FOREIGN)).status).to.equal(404);
  });

  it('shows its pages under a configured name', async () => {
    const rates = { ip: 0, user: 0, key: 0 };
    const settings = { host: '127.0.0.1', port: 0, trustProxy: 0, rates, allowedHosts: ['rebound.example'] };
    const named = await startSampleApi({ settings });
    expect((await send(`${named.url}/`, 'GET', FOREIGN)).status).to.equal(200);
    await named.close();
  });
});

describe('the sandbox under an unknown host name', () => {
  let stage: SandboxStage;
  before(async () => {
    stage = await sandboxStage({ allowedHosts: ['sandbox'] });
  });
  after(() => stage.close());
  const at = (path: string): string => stage.baseUrl + path;

  it('shows and does nothing, and explains why', async () => {
    for (const path of ['/', '/sandbox/numbers', '/sandbox/payments', '/sandbox/media', '/v23.0/1/products']) {
      const { status, text } = await send(at(path), 'GET', FOREIGN);
      expect(status, path).to.equal(421);
      expect(text).to.include('SUUQ_ALLOWED_HOSTS');
    }
    const fault = JSON.stringify({ target: 'messages', kind: 'hang' });
    const made = await send(at('/sandbox/faults'), 'POST', { ...FOREIGN, ...JSON_BODY }, fault);
    expect(made.status).to.equal(421);
    const from = await send(at('/sandbox/faults'), 'POST', { origin: 'https://other.example', ...JSON_BODY }, fault);
    expect(from.status).to.equal(403);
    expect((await stage.control('GET', '/sandbox/faults')).body).to.deep.equal({ faults: [] });
  });

  it('answers under configured names', async () => {
    expect((await send(at('/sandbox/numbers'), 'GET', { host: 'sandbox:4010' })).status).to.equal(200);
    expect((await send(at('/sandbox/numbers'), 'GET', { host: 'localhost:1' })).status).to.equal(200);
  });

  it('accepts no control request without a JSON content type, with or without a body', async () => {
    const others: Record<string, string>[] = [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data; boundary=a' },
    ];
    for (const headers of others) {
      expect((await send(at('/sandbox/webhook/verify'), 'POST', headers)).status).to.equal(415);
      expect((await send(at('/sandbox/faults'), 'POST', headers, '{}')).status).to.equal(415);
    }
    expect((await send(at('/sandbox/webhook/verify'), 'POST', JSON_BODY, '{}')).status).to.equal(200);
  });

  it('accepts the channel’s own uploads unchanged', async () => {
    const form = new FormData();
    form.append('messaging_product', 'whatsapp');
    form.append('type', 'text/plain');
    form.append('file', new Blob(['a note'], { type: 'text/plain' }), 'note.txt');
    const headers = { authorization: `Bearer ${TOKEN}` };
    const uploaded = await fetch(at('/v23.0/1/media'), { method: 'POST', headers, body: form });
    expect(uploaded.status).to.equal(200);
  });
});
