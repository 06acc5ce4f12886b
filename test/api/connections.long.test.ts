/** Clients with many or nearly silent connections do not block others. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { limitConnections } from '../../infrastructure/http/connections.js';
import { close, listen } from '../../infrastructure/http/listen.js';
import { until } from '../support/doubles/fakeClock.js';
import { ALPHA, keys } from '../support/doubles/fakeServices.js';
import { type RawClient, rawClient } from '../support/protocol/rawClient.js';
import { type SampleApi, send, silentRates, startSampleApi } from '../support/stages/sampleApi.js';
import { type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const settings = { host: '127.0.0.1', port: 0, trustProxy: 0, rates: silentRates };
const NOTE = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70';
const note = `/api/v1/workspaces/${ALPHA}/notes/${NOTE}`;
const REQUEST = `GET ${note} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.alpha}\r\n\r\n`;

describe('connections', () => {
  let api: SampleApi;
  let clients: RawClient[] = [];
  const dial = (opening = '', from?: string, url = api.url): RawClient => {
    const client = rawClient(url, opening, from);
    clients.push(client);
    return client;
  };
  const answered = (client: RawClient, status: number): Promise<void> =>
    until(`an answer ${status}`, () => client.text().startsWith(`HTTP/1.1 ${status} `));
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    clients = [];
    await api.close();
  });

  describe('beyond the limit', () => {
    it('from one address get 503 and are closed; others are served, and so is it after closing some', async () => {
      api = await startSampleApi({ settings: { ...settings, connections: { all: 100, byAddress: 3 } } });
      const current = [dial(REQUEST), dial(REQUEST), dial(REQUEST)];
      for (const client of current) await answered(client, 200);
      const refused = dial();
      await refused.ended;
      expect(refused.text()).to.match(/^HTTP\/1\.1 503 .*\r\n/);
      for (const part of [
        'Retry-After: 1',
        'X-Content-Type-Options: nosniff',
        '"code":"unavailable"',
        'X-Request-Id: ',
      ])
        expect(refused.text()).to.include(part);
      await answered(dial(REQUEST, '127.0.0.2'), 200);
      current[0]!.socket.destroy();
      await until('a place is free', async () => {
        const next = dial(REQUEST);
        await until('it is answered or rejected', () => next.text().includes('\r\n\r\n') || next.isEnded());
        return next.text().startsWith('HTTP/1.1 200');
      });
    });

    it('from all addresses are closed too', async () => {
      api = await startSampleApi({ settings: { ...settings, connections: { all: 2, byAddress: 2 } } });
      await answered(dial(REQUEST), 200);
      await answered(dial(REQUEST, '127.0.0.2'), 200);
      const refused = dial('', '127.0.0.3');
      await refused.ended;
      expect(refused.text()).to.match(/^HTTP\/1\.1 503 /);
    });

    it('are not counted by address if all come from a trusted proxy', async () => {
      api = await startSampleApi({
        settings: { ...settings, trustProxy: 1, connections: { all: 100, byAddress: 1 } },
      });
      await answered(dial(REQUEST), 200);
      await answered(dial(REQUEST), 200);
    });
  });

  describe('that read nothing', () => {
    it('are closed after a while', async () => {
      api = await startSampleApi();
      const server = createServer((_, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
      limitConnections(server, { all: 0, byAddress: 0, refusal: () => '', unreadMs: 200 });
      const port = await listen(server, '127.0.0.1', 0);
      const accepted = once(server, 'connection');
      const client = dial('GET / HTTP/1.1\r\nHost: x\r\n\r\n', undefined, `http://127.0.0.1:${port}`);
      client.socket.pause();
      const [socket] = (await accepted) as [Socket];
      await until('it is closed', () => socket.destroyed);
      await close(server, 0);
    });
  });

  it('whose request continues after the response do not delay the stop', async () => {
    const stopped = await startSampleApi();
    const fields = `Host: x\r\nAuthorization: Bearer ${keys.alpha}\r\nContent-Type: application/json\r\n`;
    const path = `/api/v1/workspaces/${ALPHA}/notes`;
    const client = dial(`POST ${path} HTTP/1.1\r\n${fields}Content-Length: 2000000\r\n\r\n{`, undefined, stopped.url);
    await answered(client, 413);
    const since = performance.now();
    await stopped.close();
    expect(performance.now() - since).to.be.below(5_000);
    api = await startSampleApi();
  });

  it('that send invalid data during a response get no error in the middle of it', async () => {
    api = await startSampleApi();
    const client = dial('GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n');
    await client.ended;
    const [, ...more] = client.text().split('HTTP/1.1 ');
    for (const one of more.slice(0, -1)) expect(one).to.match(/^200 /);
    const [head = '', body = ''] = more[0]!.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(Buffer.byteLength(body)).to.be.at.most(length);
  });

  describe('that send slowly', () => {
    let sandbox: SandboxStage;
    afterEach(() => sandbox.close());

    it('are closed within seconds: endless header fields, nothing at all, or a stalled body; also in the sandbox', async () => {
      api = await startSampleApi();
      sandbox = await sandboxStage();
      const notes = `/api/v1/workspaces/${ALPHA}/notes`;
      const fields = `Host: x\r\nAuthorization: Bearer ${keys.alpha}\r\nContent-Type: application/json\r\n`;
      const stopped = dial(`POST ${notes} HTTP/1.1\r\n${fields}Content-Length: 100\r\n\r\n{"title":`);
      const silent = dial();
      const dripping = [api.url, sandbox.baseUrl].flatMap((url) =>
        Array.from({ length: 75 }, () => dial('GET / HTTP/1.1\r\nHost: x\r\n', undefined, url)),
      );
      // The clients keep sending, do not close their side, and do not read answers.
      for (const { socket } of dripping) socket.pause();
      const drips = setInterval(() => {
        for (const { socket } of dripping) if (!socket.destroyed) socket.write('X-Drip: 1\r\n');
      }, 500);
      try {
        await until(
          'all are closed',
          () => [...dripping, silent, stopped].every(({ socket }) => socket.destroyed),
          20_000,
        );
      } finally {
        clearInterval(drips);
      }
      expect(stopped.text()).to.match(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
      expect(silent.text()).to.match(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
      expect((await send(api.url + note, 'GET', { key: keys.alpha })).status).to.equal(200);
    });
  });
});
