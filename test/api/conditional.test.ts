/** Conditional reads by clients that have an earlier answer (RFC 9110, 8.8.3, 13.1.2 and 15.4.5). */
import { expect } from 'chai';
import { ALPHA, keys } from '../support/doubles/fakeServices.js';
import { type SampleApi, type Sent, send, startSampleApi } from '../support/stages/sampleApi.js';

const MILK = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70';
const TEA = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f71';
const note = (id: string): string => `/api/v1/workspaces/${ALPHA}/notes/${id}`;

describe('a read', () => {
  let api: SampleApi;
  before(async () => {
    api = await startSampleApi();
  });
  after(() => api.close());

  const request = (path: string, has?: string, method = 'GET', more: Record<string, string> = {}): Promise<Sent> =>
    send(api.url + path, method, {
      key: keys.alpha,
      headers: { ...(has !== undefined && { 'if-none-match': has }), ...more },
    });
  const tagOf = ({ headers }: Sent): string => headers.get('etag')!;

  it('has a strong ETag, and may be cached only with revalidation', async () => {
    const sent = await request(note(MILK));
    expect([sent.status, sent.body.id]).to.deep.equal([200, MILK]);
    expect(tagOf(sent)).to.match(/^"[\w-]{22}"$/);
    expect(tagOf(await request(note(MILK)))).to.equal(tagOf(sent));
    expect(sent.headers.get('cache-control')).to.equal('private, no-cache');
    expect(sent.headers.get('vary')).to.equal('Authorization, Origin');
  });

  it('answers 304 without a body to clients with the current ETag, with the usual header fields', async () => {
    const sent = await request(note(MILK));
    const again = await request(note(MILK), tagOf(sent));
    expect([again.status, again.text]).to.deep.equal([304, '']);
    for (const name of ['etag', 'cache-control', 'vary', 'api-version', 'x-content-type-options'])
      expect(again.headers.get(name), name).to.equal(sent.headers.get(name)).and.not.equal(null);
    expect(again.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
    for (const name of ['content-length', 'content-type']) expect(again.headers.get(name), name).to.equal(null);
  });

  it('compares ETags weakly, with each that the client lists', async () => {
    const tag = tagOf(await request(note(MILK)));
    for (const has of [`W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "third"`, '*'])
      expect((await request(note(MILK), has)).status, has).to.equal(304);
    for (const has of ['', '"other"', tag.slice(1, -1), `"${tag}"`, `x${tag}`])
      expect((await request(note(MILK), has)).status, has).to.equal(200);
  });

  it('has another ETag when its bytes differ', async () => {
    const milk = tagOf(await request(note(MILK)));
    const tea = await request(note(TEA), milk);
    expect([tea.status, tea.body.id]).to.deep.equal([200, TEA]);
    expect(tagOf(tea)).to.not.equal(milk);
  });

  it('returns the usual errors, whatever the client has', async () => {
    const tag = tagOf(await request(note(MILK)));
    const has = { 'if-none-match': `*, ${tag}` };
    const refused = [
      await send(api.url + note(MILK), 'GET', { headers: has }),
      await send(api.url + note(MILK), 'GET', { key: keys.beta, headers: has }),
      await request(note('none'), `*, ${tag}`),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal([401, 404, 422]);
    for (const { headers } of refused) {
      expect(headers.get('etag')).to.equal(null);
      expect(headers.get('cache-control')).to.equal('no-store');
    }
  });

  it('by HEAD is the same without the body', async () => {
    const sent = await request(note(MILK));
    const head = await request(note(MILK), undefined, 'HEAD');
    expect([head.status, head.text, tagOf(head)]).to.deep.equal([200, '', tagOf(sent)]);
    expect(head.headers.get('content-length')).to.equal(String(sent.text.length));
    expect((await request(note(MILK), tagOf(sent), 'HEAD')).status).to.equal(304);
  });

  it('may be sent by a page of another origin, which sees the ETag', async () => {
    const tag = tagOf(await request(note(MILK)));
    const { status, headers } = await request(note(MILK), tag, 'GET', { origin: 'https://shop.example.com' });
    expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([304, '*']);
    expect(headers.get('access-control-expose-headers')).to.include('ETag');
  });

  it('is the only conditional operation: changes are performed and have no ETag', async () => {
    const made = await send(`${api.url}/api/v1/workspaces/${ALPHA}/notes`, 'POST', {
      key: keys.alpha,
      body: { title: 'Milk' },
      headers: { 'if-none-match': '*' },
    });
    expect([made.status, tagOf(made), made.headers.get('cache-control')]).to.deep.equal([201, null, 'no-store']);
  });
});
