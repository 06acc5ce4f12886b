import { connect } from 'node:net';
import { expect } from 'chai';
import { ALPHA, BETA, CLOSED, keys, NO_FEATURES } from '../support/doubles/fakeServices.js';
import { type SampleApi, type Sent, send, startSampleApi } from '../support/stages/sampleApi.js';

const NOTE = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70';
const path = (rest: string, workspaceId = ALPHA): string => `/api/v1/workspaces/${workspaceId}${rest}`;

function isProblem(sent: Sent, status: number, code: string): void {
  expect([sent.status, sent.body?.code], sent.text).to.deep.equal([status, code]);
  expect(sent.headers.get('content-type')).to.equal('application/problem+json');
  expect(sent.body.status).to.equal(status);
  expect(sent.body.type).to.match(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/errors/${code}$`));
  expect(sent.body.requestId).to.equal(sent.headers.get('x-request-id'));
  const fields = ['type', 'title', 'status', 'code', 'detail', 'errors', 'requestId'];
  expect(fields).to.include.members(Object.keys(sent.body));
}

/** Sends raw bytes and returns the answer until the server closes the connection. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

describe('HTTP', () => {
  let api: SampleApi;
  const call = (method: string, where: string, options: Parameters<typeof send>[2] = {}): Promise<Sent> =>
    send(api.url + where, method, options);
  const get = (where: string, key = keys.alpha): Promise<Sent> => call('GET', where, { key });

  before(async () => {
    api = await startSampleApi();
  });
  after(() => api.close());

  describe('responses', () => {
    it('have the version, the request id and their length', async () => {
      const sent = await get(path(`/notes/${NOTE}`));
      expect(sent.body).to.deep.equal({ id: NOTE, title: 'Milk' });
      expect(sent.headers.get('api-version')).to.equal('v1');
      expect(sent.headers.get('content-type')).to.equal('application/json');
      expect(sent.headers.get('content-length')).to.equal(String(sent.text.length));
      expect(sent.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
    });

    it('echo a valid request id and replace an invalid one', async () => {
      const sane = await call('GET', path('/notes'), { headers: { 'x-request-id': 'my.req-1_A' } });
      expect(sane.headers.get('x-request-id')).to.equal('my.req-1_A');
      for (const odd of ['has space', 'x'.repeat(129), 'semi;colon']) {
        const sent = await call('GET', path('/notes'), { headers: { 'x-request-id': odd } });
        expect(sent.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
      }
    });

    it('to HEAD equal those to GET without the body; OPTIONS lists the methods', async () => {
      const head = await call('HEAD', path(`/notes/${NOTE}`), { key: keys.alpha });
      expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([200, '', '60']);
      const options = await call('OPTIONS', path('/notes'));
      expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD, OPTIONS, POST']);
    });

    it('of a deprecated operation contain both dates', async () => {
      const sent = await call('POST', path('/secrets'), { key: keys.alpha });
      expect(sent.headers.get('deprecation')).to.equal('@1767225600');
      expect(sent.headers.get('sunset')).to.equal('Tue, 01 Sep 2026 00:00:00 GMT');
    });
  });

  describe('routes', () => {
    it('that do not exist answer 404, also without a credential', async () => {
      isProblem(await call('GET', '/api/v1/nothing'), 404, 'not_found');
      isProblem(await call('GET', '/api/v1/nothing', { key: keys.alpha }), 404, 'not_found');
      expect((await call('GET', '/elsewhere', { headers: { accept: 'text/html' } })).text).to.include('<h1>');
    });

    it('list their methods for an unknown one', async () => {
      const sent = await call('DELETE', path('/notes'));
      isProblem(sent, 405, 'method_not_allowed');
      expect(sent.headers.get('allow')).to.equal('GET, HEAD, OPTIONS, POST');
    });

    it('reject a path that is not UTF-8, and NUL in a parameter', async () => {
      for (const bad of ['%ED%A0%80', '%FF', '%']) {
        const sent = await call('PUT', path(`/notes/${bad}`), { key: keys.alpha, body: { title: 'a' } });
        isProblem(sent, 422, 'validation_failed');
      }
      const nul = await call('PUT', path('/notes/a%00b'), { key: keys.alpha, body: { title: 'a' } });
      isProblem(nul, 422, 'validation_failed');
      expect(nul.body.errors[0].location).to.equal('path.noteId');
    });

    it('answer invalid HTTP with a problem, and close the connection', async () => {
      expect(await raw(api.url, 'nonsense\r\n\r\n')).to.match(
        /^HTTP\/1\.1 400 .*application\/problem\+json.*"code":"malformed_body"/s,
      );
    });
  });

  describe('access', () => {
    it('requires a secret key', async () => {
      const bad = [undefined, 'sk_test_unknown', 'pk_test_alpha', 'ppk_live_x', 'alpha', 'toString', 'sk_test_'];
      for (const key of bad) {
        const sent = await call('GET', path('/notes'), key === undefined ? {} : { key });
        isProblem(sent, 401, 'unauthenticated');
        expect(sent.headers.get('www-authenticate')).to.match(/^Bearer realm="suuq"/);
      }
      isProblem(
        await call('GET', path('/notes'), { headers: { authorization: 'Basic YTpi' } }),
        401,
        'unauthenticated',
      );
    });

    it("covers a key's own workspace, and a partner's stores, and answers 404 for all others", async () => {
      const foreign = [
        [BETA, keys.alpha],
        [BETA, keys.partner],
        [ALPHA, keys.beta],
        ['99999999-9999-4999-8999-999999999999', keys.partner],
        ['not-a-uuid', keys.alpha],
      ] as const;
      const details = new Set<string>();
      for (const [workspaceId, key] of foreign) {
        const sent = await get(path(`/notes/${NOTE}`, workspaceId), key);
        isProblem(sent, 404, 'not_found');
        details.add(sent.body.detail);
      }
      expect(details.size, 'unknown and foreign are told apart').to.equal(1);
      expect((await get(path(`/notes/${NOTE}`), keys.partner)).status).to.equal(200);
      expect((await get(path(`/notes/${NOTE}`, ALPHA.toUpperCase()))).status).to.equal(200);
    });

    it('requires a partner key for the Partner API', async () => {
      isProblem(await get('/api/v1/partner'), 403, 'permission_denied');
      expect((await get('/api/v1/partner', keys.partner)).status).to.equal(200);
      const suspended = await call('PATCH', '/api/v1/partner/profile', { key: keys.suspendedPartner });
      isProblem(suspended, 403, 'permission_denied');
      expect((await get('/api/v1/partner', keys.suspendedPartner)).status).to.equal(200);
    });

    it('requires the scope, and names it', async () => {
      const sent = await call('POST', path('/notes'), { key: keys.alphaReadOnly, body: { title: 'a' } });
      isProblem(sent, 403, 'permission_denied');
      expect(sent.body.detail).to.include('notes:manage');
    });

    it("requires the plan's feature", async () => {
      const sent = await get(path(`/notes/${NOTE}`, NO_FEATURES), keys.noFeatures);
      isProblem(sent, 403, 'feature_not_available');
      expect(sent.body.detail).to.include('notes');
    });

    it('is read-only in a closed store, unless the operation works there', async () => {
      const write = await call('POST', path('/notes', CLOSED), { key: keys.closed, body: { title: 'a' } });
      isProblem(write, 403, 'store_closed');
      expect((await get(path(`/notes/${NOTE}`, CLOSED), keys.closed)).status).to.equal(200);
      expect((await call('POST', path('/secrets', CLOSED), { key: keys.closed })).status).to.equal(201);
    });

    it('is checked before the body', async () => {
      const sent = await call('POST', path('/notes', BETA), { key: keys.alpha, body: '{broken' });
      isProblem(sent, 404, 'not_found');
    });
  });

  describe('views that are built for the first time', () => {
    before(() => {
      api.progress.percent = 45;
    });
    after(() => {
      api.progress.percent = undefined;
      api.progress.late = false;
      api.progress.waits = [];
    });

    it('are reported with their progress by every read', async () => {
      const sent = await get(path('/notes'));
      isProblem(sent, 503, 'unavailable');
      expect(sent.body.detail).to.include('being built from the event log (45 % done)').and.not.include('outcome');
      expect(sent.headers.get('retry-after')).to.equal('5');
    });

    it('are reported by a command whose change is stored', async () => {
      api.progress.late = true;
      const sent = await call('PUT', path('/notes/n1'), { key: keys.alpha, body: { title: 'Milk' } });
      isProblem(sent, 503, 'unavailable');
      expect(sent.body.detail).to.include('The change is stored').and.include('being built (45 %)');
      expect(sent.headers.get('retry-after')).to.equal('5');
      expect(await api.services.eventStore.readStream('note-n1')).to.have.length(1);
    });
  });

  describe('commands and reads', () => {
    const put = (): Promise<Sent> => call('PUT', path('/notes/n1'), { key: keys.alpha, body: { title: 'Milk' } });
    before(() => api.services.work.open({ name: 'notes', keys: { title: 'text' }, indexes: [{ keys: ['title'] }] }));
    afterEach(() => {
      api.progress.late = false;
      api.progress.waits = [];
    });

    it('a read after a command waits for its view, once, with the actor and request in the event', async () => {
      const sent = await put();
      expect(sent.status, sent.text).to.equal(200);
      expect(api.progress.waits.map(({ categories }) => categories)).to.deep.equal([['note']]);
      const [event] = await api.services.eventStore.readStream('note-n1', { direction: 'backwards', limit: 1 });
      expect(event!.meta).to.deep.include({ actor: { type: 'api_key', id: 'key-alpha' }, workspaceId: ALPHA });
      expect(event!.meta.correlationId).to.equal(sent.headers.get('x-request-id'));
    });

    it('a late view is reported when the change is stored', async () => {
      api.progress.late = true;
      const before = (await api.services.eventStore.readStream('note-n1')).length;
      const sent = await put();
      isProblem(sent, 503, 'unavailable');
      expect(sent.body.detail).to.include('stored');
      expect(sent.headers.get('retry-after')).to.equal('1');
      expect((await api.services.eventStore.readStream('note-n1')).length).to.equal(before + 1);
    });

    it('pages continue where the previous one ended, and reject other cursors', async () => {
      const put = ['Apples', 'Bread', 'Cheese', 'Dates', 'Eggs'].map((title, index) => ({
        id: `n${index}`,
        keys: { title },
        body: { title },
        revision: 1,
      }));
      await api.services.work.write({ notes: { put } });
      const seen: string[] = [];
      let cursor = '';
      do {
        const sent = await get(path(`/notes?limit=2${cursor}`));
        for (const { title } of sent.body.notes) seen.push(title);
        cursor = sent.body.next === undefined ? '' : `&cursor=${encodeURIComponent(sent.body.next)}`;
      } while (cursor !== '');
      expect(seen).to.deep.equal(put.map(({ keys: { title } }) => title));
      const { next } = (await get(path('/notes?limit=2'))).body;
      for (const bad of ['garbage', `${next}x`, next.slice(1), 'é'])
        isProblem(await get(path(`/notes?cursor=${encodeURIComponent(bad)}`)), 422, 'invalid_cursor');
    });
  });

  it('unexpected errors are answered without their message, and logged with the request id', async () => {
    api.stage.fault = new Error('password of sk_live_verysecretkey99 is wrong');
    const sent = await call('POST', path('/notes'), { key: keys.alpha, body: { title: 'a' } });
    api.stage.fault = undefined;
    isProblem(sent, 500, 'internal_error');
    expect(sent.text).not.to.include('password');
    const line = api.lines.find((text) => text.includes(sent.headers.get('x-request-id')!));
    expect(line).to.include('password').and.not.include('verysecretkey99');
  });
});
