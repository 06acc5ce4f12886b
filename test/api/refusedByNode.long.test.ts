/**
 * Requests that Node's HTTP server refuses or would accept wrongly get a problem with a request id. `100 Continue` is
 * sent late.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { ALPHA, keys } from '../support/doubles/fakeServices.js';
import { type RawClient, rawClient } from '../support/protocol/rawClient.js';
import { type SampleApi, startSampleApi } from '../support/stages/sampleApi.js';
import { until } from '../support/tools/until.js';

const path = `/api/v1/workspaces/${ALPHA}/notes/3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70`;
const put = (...fields: string[]): string =>
  [`PUT ${path} HTTP/1.1`, ...fields, 'Content-Type: application/json', '', ''].join('\r\n');
const auth = `Authorization: Bearer ${keys.alpha}`;
const BODY = '{"title":"a"}';
const length = `Content-Length: ${BODY.length}`;

describe("requests rejected by Node's HTTP parser", () => {
  let api: SampleApi;
  let clients: RawClient[] = [];
  before(async () => {
    api = await startSampleApi();
  });
  after(() => api.close());
  afterEach(() => {
    for (const { socket } of clients) socket.destroy();
    clients = [];
  });
  const dial = (opening: string): RawClient => {
    const client = rawClient(api.url, opening);
    clients.push(client);
    return client;
  };

  const refusals: readonly [what: string, status: number, code: string, request: string][] = [
    ['no Host', 400, 'malformed_request', `GET ${path} HTTP/1.1\r\n${auth}\r\n\r\n`],
    ['two Host fields', 400, 'malformed_request', `GET ${path} HTTP/1.1\r\nHost: x\r\nHost: x\r\n${auth}\r\n\r\n`],
    ['another expectation', 417, 'expectation_failed', put('Host: x', auth, 'Expect: tea', length)],
    ['CONNECT', 405, 'method_not_allowed', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['gzip as transfer coding', 501, 'transfer_coding_not_supported', put('Host: x', auth, 'Transfer-Encoding: gzip')],
    [
      'gzip and chunked',
      501,
      'transfer_coding_not_supported',
      put('Host: x', auth, 'Transfer-Encoding: gzip, chunked'),
    ],
    ['a long URL', 414, 'uri_too_long', `GET /api/v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      'large header fields',
      431,
      'header_fields_too_large',
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
    ['two credentials', 401, 'unauthenticated', put('Host: x', auth, `Authorization: Bearer ${keys.beta}`, length)],
  ];
  for (const [what, status, code, request] of refusals)
    it(`answer ${what} with ${status} ${code}`, async () => {
      const client = dial(request);
      await until('an answer', () => client.text().includes('"requestId"'));
      expect(client.text()).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(client.text()).to.include('application/problem+json').and.include(`"code":"${code}"`);
      const id = /X-Request-Id: (\S+)/i.exec(client.text())?.[1];
      expect(client.text()).to.include(`"requestId":"${id}"`);
      expect(client.text()).not.to.include('100 Continue');
    });

  it('recognise a long URL however it is split into packets', async () => {
    const client = dial(`GET /api/v1/${'a'.repeat(6000)}`);
    for (const part of [6000, 6000].map((count) => 'b'.repeat(count))) {
      await turn();
      client.socket.write(part);
    }
    await turn();
    client.socket.write(` HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(6000)}\r\n\r\n`);
    await until('an answer', () => client.text().includes('"requestId"'));
    expect(client.text())
      .to.match(/^HTTP\/1\.1 414 /)
      .and.include('"code":"uri_too_long"');
    await client.ended;
  });

  it('accept a repeated identical Authorization, and HTTP/1.0 without Host', async () => {
    const twice = dial(`GET ${path} HTTP/1.1\r\nHost: x\r\n${auth}\r\n${auth}\r\n\r\n`);
    await until('an answer', () => twice.text().startsWith('HTTP/1.1 200 '));
    const old = dial(`GET ${path} HTTP/1.0\r\n${auth}\r\n\r\n`);
    await until('an answer', () => old.text().startsWith('HTTP/1.1 200 '));
  });

  it('read the body of Expect: 100-continue if the credential is valid', async () => {
    const client = dial(put('Host: x', auth, 'Expect: 100-continue', length));
    await until('the interim response', () => client.text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    client.socket.write(BODY);
    await until('an answer', () => client.text().includes('X-Request-Id: '));
  });

  it('reject an invalid credential without reading the body, and close the connection', async () => {
    const client = dial(put('Host: x', 'Authorization: Bearer sk_test_none', 'Expect: 100-continue', length));
    await client.ended;
    expect(client.text()).to.match(/^HTTP\/1\.1 401 /);
    expect(client.text()).not.to.include('100 Continue');
  });
});
