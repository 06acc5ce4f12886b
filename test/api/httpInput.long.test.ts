import { request } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { ALPHA, keys } from '../support/doubles/fakeServices.js';
import { type SampleApi, type Sent, send, startSampleApi } from '../support/stages/sampleApi.js';

const notes = `/api/v1/workspaces/${ALPHA}/notes`;
const NOTE = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70';
const MEGABYTE = 1024 * 1024;

describe('request input', () => {
  let api: SampleApi;
  const post = (body: unknown, headers: Record<string, string> = {}, key = keys.alpha): Promise<Sent> =>
    send(api.url + notes, 'POST', { key, body, headers });
  const list = (query: string): Promise<Sent> => send(`${api.url}${notes}?${query}`, 'GET', { key: keys.alpha });
  const outcome = ({ status, body }: Sent): unknown => [status, body?.code];

  before(async () => {
    api = await startSampleApi();
    await api.services.work.open({ name: 'notes', keys: { title: 'text' }, indexes: [{ keys: ['title'] }] });
  });
  after(() => api.close());

  /** Sends `size` bytes without a Content-Length. */
  const chunked = (size: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(
        api.url + notes,
        { method: 'POST', headers: { authorization: `Bearer ${keys.alpha}`, 'content-type': 'application/json' } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        },
      );
      sent.on('error', reject);
      for (let left = size; left > 0; left -= MEGABYTE) sent.write(Buffer.alloc(Math.min(left, MEGABYTE), 32));
      sent.end();
    });

  describe('bodies', () => {
    it('that are not JSON or not UTF-8 are malformed', async () => {
      for (const bad of ['{', '{"title":}', "{'title':'a'}", '{"title":"a"}x', '\u0000', '{"title":"a\u0000"}', 'NaN'])
        expect(outcome(await post(bad)), bad).to.deep.equal([400, 'malformed_body']);
      expect(outcome(await post(Buffer.from([0x22, 0xff, 0x22])))).to.deep.equal([400, 'malformed_body']);
    });

    it('must have the JSON content type, without a coding', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        '',
        '///',
      ])
        expect(outcome(await post('{"title":"a"}', { 'content-type': type })), type).to.deep.equal([
          415,
          'unsupported_media_type',
        ]);
      expect(outcome(await post('{"title":"a"}', { 'content-encoding': 'gzip' }))).to.deep.equal([
        415,
        'unsupported_media_type',
      ]);
      for (const type of ['application/json', 'Application/JSON; charset="UTF-8"'])
        expect((await post('{"title":"a"}', { 'content-type': type })).status, type).to.equal(201);
    });

    it('are at most 1 MiB unless the operation declares more, with or without Content-Length', async () => {
      expect(outcome(await post(`{"title":"${'a'.repeat(MEGABYTE)}"}`))).to.deep.equal([413, 'payload_too_large']);
      expect(await chunked(2 * MEGABYTE)).to.equal(413);
      expect(outcome(await post(`${' '.repeat(MEGABYTE - 13)}{"title":"a"}`))).to.deep.equal([201, undefined]);
      expect((await post({ title: 'still served' })).status).to.equal(201);
    });

    it('are required if the operation declares one, and optional if declared so', async () => {
      const empty = await send(api.url + notes, 'POST', { key: keys.alpha });
      expect(outcome(empty)).to.deep.equal([422, 'validation_failed']);
      expect(empty.body.errors).to.deep.equal([{ message: 'is required', location: 'body' }]);
      const cancel = `${api.url}${notes}/${NOTE}/cancel`;
      expect((await send(cancel, 'POST', { key: keys.alpha })).status).to.equal(204);
      expect(api.stage.bodies.at(-1)).to.deep.equal({});
      expect((await send(cancel, 'POST', { key: keys.alpha, body: { reason: 'too long' } })).status).to.equal(422);
    });

    it('are ignored if the operation has none', async () => {
      const where = `${api.url}/api/v1/workspaces/${ALPHA}/secrets`;
      const sent = await send(where, 'POST', { key: keys.alpha, body: '{broken', headers: { 'content-type': 'a/b' } });
      expect(sent.status).to.equal(201);
    });

    it('get the defaults of their schema', async () => {
      await post({ title: 'Milk' });
      expect(api.stage.bodies.at(-1)).to.deep.equal({ title: 'Milk', kind: 'plain' });
    });

    it('have all problems reported at once, each with its path', async () => {
      const sent = await post({
        title: '',
        kind: 'other',
        stock: -1,
        cents: 100_000_000_001,
        at: '2026-02-29T00:00:00Z',
        email: 'nobody',
        slug: 'a b',
        apiKey: 'sk_live_never_told_back',
        lines: [{ name: 'ok' }, { name: '', more: 1 }, 7],
        extra: { a: 1 },
      });
      expect(outcome(sent)).to.deep.equal([422, 'validation_failed']);
      const found = sent.body.errors.map(
        (error: { location: string; message: string }) => `${error.location} ${error.message}`,
      );
      expect(found.sort()).to.deep.equal([
        'body.apiKey must have at most 10 characters',
        'body.at must be a date and time by RFC 3339 with its offset, such as 2026-01-31T09:30:00Z, to the millisecond at most and in a year from 0000 to 9999 in UTC',
        'body.cents must be 100000000000 or less',
        'body.email must be an email address',
        'body.extra is not a known property',
        'body.kind must be one of plain, list',
        'body.lines[1].more is not a known property',
        'body.lines[1].name must not be empty',
        'body.lines[2] must be an object',
        'body.slug may contain only letters, digits and . _ : -',
        'body.stock must be 0 or more',
        'body.title must not be empty',
      ]);
      const at = (location: string) =>
        sent.body.errors.find((error: { location: string }) => error.location === location);
      expect(at('body.cents').value).to.equal(100_000_000_001);
      expect(sent.text).not.to.include('never_told_back');
    });

    it('report wrong types and missing properties by name', async () => {
      for (const [body, location] of [
        [{}, 'body.title'],
        [[], 'body'],
        ['"text"', 'body'],
        ['null', 'body'],
        [{ title: 5 }, 'body.title'],
        [{ title: 'a', stock: 1.5 }, 'body.stock'],
        [{ title: 'a', stock: '5' }, 'body.stock'],
        ['{"title":"a","stock":2147483648}', 'body.stock'],
        ['{"title":"a","cents":1e400}', 'body.cents'],
        ['{"title":"a","cents":12.0000000000000000001}', 'body'],
        ['{"title":"a","cents":1e-400}', 'body'],
        [{ title: 'a', lines: 'x' }, 'body.lines'],
        [{ title: 'a', lines: [1, 2, 3, 4].map(() => ({ name: 'a' })) }, 'body.lines'],
        [{ title: 'x'.repeat(21) }, 'body.title'],
        [{ title: '😀'.repeat(21) }, 'body.title'],
      ] as const) {
        const sent = await post(body);
        expect(outcome(sent), JSON.stringify(body)).to.deep.equal([422, 'validation_failed']);
        expect(sent.body.errors[0].location, JSON.stringify(body)).to.equal(location);
      }
      expect((await post({ title: '😀'.repeat(20), lines: null })).status).to.equal(201);
    });

    it('with lone surrogates or NUL, in values or names, are rejected with the path', async () => {
      for (const [body, location] of [
        ['{"title":"a\\u0000"}', 'body.title'],
        ['{"title":"a\\ud800"}', 'body.title'],
        ['{"title":"a","lines":[{"name":"\\udc00x"}]}', 'body.lines[0].name'],
        ['{"title":"a","\\ud83d":1}', 'body["\\ud83d"]'],
      ] as const) {
        const sent = await post(body);
        expect(outcome(sent), body).to.deep.equal([422, 'validation_failed']);
        expect(sent.body.errors[0].location).to.equal(location);
      }
      expect((await post('{"title":"\\ud83d\\ude00"}')).status).to.equal(201);
    });

    it('cannot change prototypes', async () => {
      for (const body of [
        '{"title":"a","__proto__":{"admin":true}}',
        '{"title":"a","\\u005f_proto__":{"admin":true}}',
      ]) {
        const sent = await post(body);
        expect(outcome(sent)).to.deep.equal([422, 'validation_failed']);
        expect(sent.body.errors[0].location).to.equal('body.__proto__');
      }
      expect(outcome(await post('{"title":"a","constructor":{"prototype":{}}}'))).to.deep.equal([
        422,
        'validation_failed',
      ]);
      expect(({} as Record<string, unknown>).admin).to.equal(undefined);
    });

    it('report at most 100 problems, and cost no more than their size', async () => {
      const names = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, 1]));
      const sent = await post({ title: 'a', ...names });
      expect(sent.body.errors).to.have.length(100);
      const flood = await post(`{"title":"a","lines":[${'0,'.repeat(500_000)}0]}`);
      expect(outcome(flood)).to.deep.equal([422, 'validation_failed']);
      expect(flood.body.errors).to.deep.equal([{ message: 'has more than 32768 values', location: 'body' }]);
      const deep = await post(`{"title":"a","lines":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
      expect(outcome(deep)).to.deep.equal([422, 'validation_failed']);
      expect(deep.body.errors).to.deep.equal([{ message: 'is nested deeper than 64 levels', location: 'body' }]);
      const members = await post(
        `{"title":"a"${Array.from({ length: 1000 }, (_, n) => `,"property number ${n}":0`).join('')}}`,
      );
      expect(members.body.errors[0].message).to.equal('has an object of more than 1000 properties');
    });

    it('of any kind never lead to a 5xx', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.json(),
            fc.string(),
            fc.jsonValue().map((title) => JSON.stringify({ title })),
            fc.uint8Array(),
          ),
          async (body) => {
            const { status } = await post(body);
            expect(status).to.be.oneOf([201, 400, 422]);
          },
        ),
        { numRuns: 150, seed: 7 },
      );
    });
  });

  describe('parameters', () => {
    it('of the path are checked together with the body', async () => {
      const sent = await send(`${api.url}${notes}/not-a-uuid/cancel`, 'POST', { key: keys.alpha, body: { other: 1 } });
      const places = sent.body.errors.map(({ location }: { location: string }) => location);
      expect(places).to.deep.equal(['path.noteId', 'body.other']);
    });

    it('of the query are parsed to their types, with their defaults; unknown ones are ignored', async () => {
      expect((await list('status=open,done&number=7&utm_source=x')).status).to.equal(200);
      expect(api.stage.queries.at(-1)).to.deep.equal({ status: ['open', 'done'], number: 7, limit: 50 });
    });

    it('that are invalid are reported with their value', async () => {
      for (const [query, location] of [
        ['limit=0', 'query.limit'],
        ['limit=201', 'query.limit'],
        ['limit=1e2', 'query.limit'],
        ['limit=%205', 'query.limit'],
        ['limit=', 'query.limit'],
        ['limit=1&limit=2', 'query.limit'],
        ['number=9007199254740993', 'query.number'],
        ['status=open,nothing', 'query.status[1]'],
        ['cursor=', 'query.cursor'],
        ['cursor=%00', 'query.cursor'],
        ['cursor=%ED%A0%80', 'query.cursor'],
      ] as const) {
        const sent = await list(query);
        expect(outcome(sent), query).to.deep.equal([422, 'validation_failed']);
        expect(sent.body.errors[0].location, query).to.equal(location);
      }
      expect((await list('limit=201')).body.errors[0].value).to.equal(201);
    });
  });

  it('a client that disconnects in the middle of its body has no effect on others', async () => {
    await new Promise<void>((resolve) => {
      const sent = request(api.url + notes, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.alpha}`, 'content-type': 'application/json', 'content-length': '100' },
      });
      sent.on('error', () => resolve());
      sent.on('close', () => resolve());
      sent.write('{"title":');
      sent.once('socket', (socket) => socket.once('connect', () => setImmediate(() => sent.destroy())));
    });
    expect((await post({ title: 'next' })).status).to.equal(201);
    expect(api.lines).to.deep.equal([]);
  });
});
