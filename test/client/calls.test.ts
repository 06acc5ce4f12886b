/** Requests and retries of the client. */
import { expect } from 'chai';
import { createClient, isProblem, openSession, SuuqConnectionError, SuuqProblem } from '../../client/src/index.js';
import { problem, type Scripted, scriptedFetch } from '../support/doubles/scriptedFetch.js';

const SHOP = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70';
const ORDER = 'b3a1f0de-4c52-4f6b-9d0e-6a7b8c9d0e1f';
const inShop = { workspaceId: SHOP };
const terms = { name: 'Opening week', kind: 'coupon', percentOff: 10, code: 'OPEN10' } as const;

const begin = (...script: readonly Scripted[]) => {
  const scripted = scriptedFetch(...script);
  return { ...scripted, suuq: createClient(scripted.options) };
};

const thrown = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return expect.fail('nothing was thrown');
};

describe('a call of the client', () => {
  it('puts its arguments in the places that the operation defines', async () => {
    const { suuq, asked } = begin({ body: { orders: [] } }, { status: 204 }, { body: {} });
    await suuq.listOrders({ ...inShop, status: ['paid', 'preparing'], phone: '+252 61', limit: 10 });
    await suuq.deleteProduct({ ...inShop, externalId: 'a:b' });
    await suuq.cancelOrder({ ...inShop, orderId: ORDER, body: { reason: 'gone' } });
    const C = `https://api.example.com/api/v1/workspaces/${SHOP}/commerce`;
    expect(asked.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      `GET ${C}/orders?status=paid,preparing&phone=%2B252%2061&limit=10`,
      `DELETE ${C}/products/a%3Ab`,
      `POST ${C}/orders/${ORDER}/cancel`,
    ]);
    expect(asked[2]!.body).to.equal('{"reason":"gone"}');
    expect(asked[0]!.headers.get('authorization')).to.equal('Bearer sk_test_fixed');
  });

  it('rejects options that would end every call at once, or never', async () => {
    for (const name of ['timeoutMs', 'uploadTimeoutMs', 'retries', 'longestWaitMs'])
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1])
        expect(() => createClient({ baseUrl: 'https://api.example.com', [name]: value }), `${name} ${value}`).to.throw(
          RangeError,
          name,
        );
  });

  it('rejects an empty id, which would be another path', async () => {
    const { suuq, asked } = begin();
    expect(await thrown(suuq.getOrder({ ...inShop, orderId: '' }))).to.be.instanceOf(TypeError);
    expect(asked).to.deep.equal([]);
  });

  it('rejects an id of dots, which would be another path', async () => {
    const { suuq, asked } = begin({ status: 204 });
    for (const externalId of ['.', '..'])
      expect(await thrown(suuq.deleteProduct({ ...inShop, externalId }))).to.be.instanceOf(TypeError);
    await suuq.deleteProduct({ ...inShop, externalId: '...' });
    expect(asked.map(({ url }) => url.slice(-4))).to.deep.equal(['/...']);
  });

  it('throws a problem by its code, with its places', async () => {
    const errors = [
      { message: 'must be at least 0', location: 'body.products[3].priceCents', value: -1 },
      { message: 'is required', location: 'body.products[31].name' },
    ];
    const { suuq } = begin(problem(422, 'validation_failed', {}, { detail: 'Two problems.', errors, requestId: 'r1' }));
    const error = (await thrown(suuq.upsertProducts({ ...inShop, body: { products: [] } }))) as SuuqProblem;
    expect(error).to.be.instanceOf(SuuqProblem);
    expect(isProblem(error, 'validation_failed')).to.equal(true);
    expect(isProblem(error, 'not_found')).to.equal(false);
    expect(error).to.include({ status: 422, detail: 'Two problems.', requestId: 'r1' });
    expect(error.at('body.products[3]')).to.deep.equal([errors[0]]);
  });

  it('is aborted by its signal, and not retried', async () => {
    const ending = new AbortController();
    const { suuq, asked } = begin(problem(429, 'rate_limited', { 'retry-after': '1' }));
    const call = suuq.listMembers(inShop, { signal: AbortSignal.abort(new Error('enough')) });
    expect(((await thrown(call)) as Error).message).to.equal('enough');
    expect(asked.length).to.be.at.most(1);
    ending.abort();
  });

  it("reports a response that is not the service's", async () => {
    const { suuq } = begin({ status: 404, body: '<html>' });
    expect(await thrown(suuq.listMembers(inShop))).to.be.instanceOf(SuuqConnectionError);
  });
});

describe('a failing call', () => {
  it('is retried as the service asks, with the same Idempotency-Key', async () => {
    const { suuq, asked, waits } = begin(
      problem(429, 'rate_limited', { 'retry-after': '2' }),
      new TypeError('connection reset'),
      problem(503, 'unavailable', { 'retry-after': '1' }),
      { status: 201, body: { id: 'p1' } },
    );
    await suuq.createPromotion({ ...inShop, body: terms });
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).to.equal(1);
    expect(keys[0]).to.match(/^[0-9a-f-]{36}$/);
    expect(waits).to.deep.equal([2000, 500, 1000]);
  });

  it("uses the caller's Idempotency-Key, and a new one for each call", async () => {
    const { suuq, asked } = begin({ status: 201, body: {} }, { status: 201, body: {} });
    await suuq.createPromotion({ ...inShop, body: terms }, { idempotencyKey: 'opening-week' });
    await suuq.createPromotion({ ...inShop, body: terms });
    expect(asked[0]!.headers.get('idempotency-key')).to.equal('opening-week');
    expect(asked[1]!.headers.get('idempotency-key')).to.not.equal('opening-week');
  });

  it('waits for the first request with its key if that has no response yet', async () => {
    const { suuq, waits } = begin(problem(409, 'idempotency_in_flight', { 'retry-after': '1' }), {
      status: 201,
      body: {},
    });
    await suuq.createPromotion({ ...inShop, body: terms });
    expect(waits).to.deep.equal([1000]);
  });

  it('is not retried if that could perform it twice', async () => {
    const lost = begin(new TypeError('connection reset'));
    expect(await thrown(lost.suuq.syncTemplates(inShop))).to.be.instanceOf(SuuqConnectionError);
    const away = begin(problem(503, 'unavailable', { 'retry-after': '1' }));
    expect(isProblem(await thrown(away.suuq.syncTemplates(inShop)), 'unavailable')).to.equal(true);
    const limited = begin(problem(429, 'rate_limited', { 'retry-after': '1' }), { body: {} });
    await limited.suuq.syncTemplates(inShop);
    expect([lost, away, limited].map(({ asked }) => asked.length)).to.deep.equal([1, 1, 2]);
  });

  it('is given up after four attempts, and if the wait would be too long', async () => {
    const away = problem(503, 'unavailable');
    const often = begin(away, away, away, away);
    expect(isProblem(await thrown(often.suuq.listMembers(inShop)), 'unavailable')).to.equal(true);
    expect(often.waits).to.deep.equal([250, 500, 1000]);
    const long = begin(problem(429, 'rate_limited', { 'retry-after': '3600' }));
    const error = (await thrown(long.suuq.listMembers(inShop))) as SuuqProblem;
    expect([error.retryAfterMs, long.waits]).to.deep.equal([3_600_000, []]);
  });

  it('is not retried for permanent errors', async () => {
    const { suuq, waits } = begin(problem(409, 'name_taken'));
    expect(isProblem(await thrown(suuq.createPromotion({ ...inShop, body: terms })), 'name_taken')).to.equal(true);
    expect(waits).to.deep.equal([]);
  });
});

describe('lists of the client', () => {
  const page = (names: readonly string[], next?: string): Scripted => ({
    body: { catalog: { status: 'active' }, products: names.map((name) => ({ name })), ...(next && { next }) },
  });

  it('continue from page to page, and no further than they are read', async () => {
    const { suuq, asked } = begin(page(['a', 'b'], 'c2'), page([], 'c3'), page(['c']));
    const names: string[] = [];
    for await (const { name } of suuq.listProducts.each({ ...inShop, status: 'rejected', limit: 2 })) {
      names.push(name);
      if (name === 'a') expect(asked.length).to.equal(1);
    }
    expect(names).to.deep.equal(['a', 'b', 'c']);
    const cursors = asked.map(({ url }) => new URL(url).searchParams.get('cursor'));
    expect(cursors).to.deep.equal([null, 'c2', 'c3']);
    expect(asked.every(({ url }) => url.includes('status=rejected'))).to.equal(true);
  });

  it('are available as pages too', async () => {
    const { suuq } = begin(page(['a'], 'c2'), page(['b']));
    const sizes: number[] = [];
    for await (const { products } of suuq.listProducts.pages(inShop)) sizes.push(products.length);
    expect(sizes).to.deep.equal([1, 1]);
  });
});

describe('files of the client', () => {
  const stream = (...parts: string[]) => new Blob(parts).stream() as ReadableStream<Uint8Array>;

  it('are streamed as a form, and not sent again once streamed', async () => {
    const { suuq, asked } = begin(problem(503, 'unavailable', { 'retry-after': '1' }));
    const file = { content: stream('one', 'two'), filename: 'a"b.txt', mimeType: 'text/plain' };
    expect(isProblem(await thrown(suuq.uploadFile({ ...inShop, file })), 'unavailable')).to.equal(true);
    const type = asked[0]!.headers.get('content-type')!;
    const boundary = type.replace('multipart/form-data; boundary=', '');
    expect(await new Response(asked[0]!.body as string).text()).to.equal(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a%22b.txt"\r\nContent-Type: text/plain\r\n\r\nonetwo\r\n--${boundary}--\r\n`,
    );
    expect(asked.length).to.equal(1);
  });

  it('are sent again if they are in memory', async () => {
    const { suuq, asked } = begin(problem(503, 'unavailable', { 'retry-after': '1' }), {
      status: 201,
      body: { id: 'f1' },
    });
    const content = new TextEncoder().encode('hello') as Uint8Array<ArrayBuffer>;
    const { id } = await suuq.uploadFile({ ...inShop, file: { content, filename: 'a.txt' } });
    expect([id, asked.length]).to.deep.equal(['f1', 2]);
    const part = (asked[1]!.body as FormData).get('file') as File;
    expect([part.name, await part.text()]).to.deep.equal(['a.txt', 'hello']);
  });

  it('arrive in parts', async () => {
    const headers = { 'content-type': 'image/png', 'content-length': '2', 'content-range': 'bytes 0-1/9', etag: '"e"' };
    const { suuq, asked } = begin({ status: 206, headers, body: 'ab' }, { status: 304, headers: { etag: '"e"' } });
    const part = await suuq.getFile({ ...inShop, fileId: ORDER, range: 'bytes=0-1' });
    expect(part).to.include({ status: 206, mimeType: 'image/png', size: 2, etag: '"e"', range: 'bytes 0-1/9' });
    expect(new TextDecoder().decode(await part.bytes())).to.equal('ab');
    expect((await suuq.getFile({ ...inShop, fileId: ORDER, ifNoneMatch: '"e"' })).status).to.equal(304);
    expect([asked[0]!.headers.get('range'), asked[1]!.headers.get('if-none-match')]).to.deep.equal([
      'bytes=0-1',
      '"e"',
    ]);
  });
});

describe('a session of the client', () => {
  const at = Date.parse('2026-11-21T08:30:00Z');
  const session = (token: string, minutes: number): Scripted => ({
    status: 201,
    body: { token, sessionId: 's1', expiresAt: new Date(at + minutes * 60_000).toISOString() },
  });
  const open = async (userToken: string | (() => Promise<string>), ...script: readonly Scripted[]) => {
    const scripted = scriptedFetch(...script);
    const { credential: _, ...options } = scripted.options;
    let now = at;
    const opened = await openSession({ ...options, publishableKey: 'ppk_test_fixed', userToken, now: () => now });
    return { ...scripted, opened, pass: (ms: number) => (now += ms) };
  };
  const bearers = (requested: readonly { headers: Headers }[]) =>
    requested.map(({ headers }) => headers.get('authorization')?.replace('Bearer ', ''));

  it('is refreshed before its token expires, once for all waiting calls', async () => {
    const page = { body: { members: [] } };
    const { opened, asked, pass } = await open('u', session('t1', 15), page, session('t2', 30), page, page);
    await opened.client.listMembers(inShop);
    pass(14.5 * 60_000);
    await Promise.all([opened.client.listMembers(inShop), opened.client.listMembers(inShop)]);
    expect(bearers(asked)).to.deep.equal([undefined, 't1', 't1', 't2', 't2']);
    expect(asked[2]!.url).to.match(/\/sdk\/sessions\/refresh$/);
  });

  it('is refreshed when the service reports an expired token', async () => {
    const { opened, asked, waits } = await open(
      'u',
      session('t1', 15),
      problem(401, 'session_expired'),
      session('t2', 30),
      {
        body: { members: [] },
      },
    );
    await opened.client.listMembers(inShop);
    expect(bearers(asked)).to.deep.equal([undefined, 't1', 't1', 't2']);
    expect(waits).to.deep.equal([]);
  });

  it('starts again after its end if a user token is available', async () => {
    let tokens = 0;
    const { opened, asked } = await open(
      async () => `u${++tokens}`,
      session('t1', 15),
      problem(401, 'session_expired'),
      problem(401, 'session_ended'),
      session('t2', 15),
      { body: { members: [] } },
    );
    await opened.client.listMembers(inShop);
    expect(JSON.parse(asked[3]!.body as string)).to.deep.equal({ publishableKey: 'ppk_test_fixed', userToken: 'u2' });
    expect(opened.current().token).to.equal('t2');
  });
});
