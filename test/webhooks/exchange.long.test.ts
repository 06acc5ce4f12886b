/** One exchange with a receiver in detail: deadline, response size, Retry-After, and closed connections. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { WebhookResult, WebhookSender } from '../../application/ports/webhookSender.js';
import { createGuardedSender, type GuardedSenderOptions } from '../../infrastructure/webhooks/guardedSender.js';
import { until } from '../support/doubles/fakeClock.js';
import { type Receiver, receiver } from '../support/doubles/receiver.js';
import { hooksTest } from '../support/samples/hooksTestCertificate.js';

const DAY_MS = 24 * 3_600_000;

describe('webhook exchange', () => {
  let target: Receiver;
  const closing: (() => Promise<void>)[] = [];

  const sender = (options: GuardedSenderOptions = {}): WebhookSender => {
    const made = createGuardedSender({ allowLoopback: true, ...options });
    closing.push(() => made.close());
    return made;
  };
  const send = (one: WebhookSender, url = target.url): Promise<WebhookResult> =>
    one.send({ url, headers: {}, body: '{"a":1}', signal: new AbortController().signal });

  beforeEach(async () => {
    target = await receiver();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await target.close();
  });

  describe('an unusual response', () => {
    const GONE = 'HTTP/1.1 100 Continue\r\n\r\n';
    const raw: readonly [what: string, answer: readonly string[], expected: Partial<WebhookResult>][] = [
      [
        '100 Continue unasked, then 200',
        [`${GONE}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`],
        { responseCode: 200 },
      ],
      [
        'the same in pieces',
        ['HTTP/1.1 1', '00 Continue\r\n\r', '\nHTTP/1.1 204 No Content\r\n\r\n'],
        { responseCode: 204 },
      ],
      ['204 with a body', ['HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok'], { responseCode: 204 }],
      ['no HTTP', ['SSH-2.0-OpenSSH_9.6\r\n'], { error: 'the response is not HTTP/1.1' }],
      [
        'less than announced',
        ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'],
        { responseCode: 200, error: 'the connection closed before a response came' },
      ],
    ];
    for (const [what, answer, expected] of raw)
      it(`is classified correctly: ${what}`, async () => {
        const server = createServer((socket) => {
          socket.on('error', () => undefined);
          socket.once('data', async () => {
            for (const part of answer) {
              socket.write(part);
              await new Promise(setImmediate);
            }
            socket.end();
          });
        });
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        const { latencyMs, ...result } = await send(sender(), `http://127.0.0.1:${port}/`);
        server.close();
        expect(result).to.deep.equal(expected);
      });
  });

  describe('the deadline', () => {
    const LATE = 'no complete response within 0.15 seconds';
    const late = (result: WebhookResult): void => {
      expect(result.error).to.equal(LATE);
      expect(result.latencyMs).to.be.within(120, 3000);
    };

    it('covers the connection: a server that never completes the handshake', async () => {
      const sockets: Socket[] = [];
      const mute = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
      mute.listen(0, '127.0.0.1');
      await once(mute, 'listening');
      const { port } = mute.address() as AddressInfo;
      const result = await send(sender({ deadlineMs: 150 }), `https://127.0.0.1:${port}/`);
      for (const socket of sockets) socket.destroy();
      mute.close();
      late(result);
      expect(result).to.not.have.property('responseCode');
    });

    it('covers a body that arrives byte by byte', async () => {
      target.answer((response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      });
      // Long enough for the response to begin on any machine.
      const result = await send(sender({ deadlineMs: 1_500 }));
      expect(result.error).to.equal('no complete response within 1.5 seconds');
      expect(result.latencyMs).to.be.within(1_490, 6_000);
      expect(result.responseCode).to.equal(200);
    });

    it('applies to each attempt, however many run at once', async () => {
      target.answer('hang');
      const one = sender({ deadlineMs: 1_500 });
      const sending: Promise<WebhookResult>[] = [];
      for (let i = 0; i < 5; i++) {
        sending.push(send(one));
        await until('it has arrived', () => target.received.length === i + 1);
      }
      for (const { error, latencyMs } of await Promise.all(sending)) {
        expect(error).to.equal('no complete response within 1.5 seconds');
        expect(latencyMs).to.be.within(1_490, 6_000);
      }
    });

    it('ends at once when the service stops, also before a connection', async () => {
      const mute = createServer((socket) => socket.on('error', () => undefined));
      mute.listen(0, '127.0.0.1');
      await once(mute, 'listening');
      const stopping = new AbortController();
      const url = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
      const sending = sender().send({ url, headers: {}, body: '{}', signal: stopping.signal });
      const [socket] = (await once(mute, 'connection')) as [Socket];
      const startedAt = performance.now();
      stopping.abort();
      const error = await sending.catch((reason: Error) => reason);
      expect(error).to.be.instanceOf(Error);
      expect(performance.now() - startedAt).to.be.below(2000);
      socket.destroy();
      mute.close();
    });
  });

  describe('a compressed response', () => {
    const answerGzip = (expanded: number, times: number): number => {
      const body = Buffer.concat(new Array<Buffer>(times).fill(gzipSync(Buffer.alloc(expanded))));
      target.answer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
      return body.length;
    };

    it('is not expanded: 32 MB in 32 KB are a success, and the connection is kept', async () => {
      expect(answerGzip(32_000_000, 1)).to.be.below(60_000);
      const one = sender();
      await send(one);
      const before = process.memoryUsage().arrayBuffers;
      for (let i = 0; i < 5; i++) expect(await send(one)).to.include({ responseCode: 200 });
      expect(process.memoryUsage().arrayBuffers - before).to.be.below(16_000_000);
      expect(target.connections()).to.be.at.most(4);
      expect(target.received[0]!.headers).to.not.have.property('accept-encoding');
    });

    it('is read up to 64 KB, whatever its expanded size', async () => {
      expect(answerGzip(32_000_000, 100)).to.be.above(3_000_000);
      const result = await send(sender());
      expect(result).to.include({ responseCode: 200 }).and.not.have.property('error');
    });
  });

  describe('Retry-After', () => {
    const requested = async (value: string): Promise<number | undefined> => {
      target.answer((response) => response.writeHead(503, { 'retry-after': value }).end());
      return (await send(sender())).retryAfterMs;
    };

    it('is understood as seconds of any number', async () => {
      expect(await requested('0')).to.equal(undefined);
      expect(await requested('7')).to.equal(7000);
      expect(await requested('99999999999999999999')).to.equal(7 * DAY_MS);
    });

    it('is understood as a date', async () => {
      expect(await requested(new Date(Date.now() + 600_000).toUTCString())).to.be.within(570_000, 600_000);
      expect(await requested(new Date(Date.now() - 600_000).toUTCString())).to.equal(undefined);
    });

    it('is ignored in any other form', async () => {
      for (const value of ['soon', '-5', '1.5', '2099-01-01', ''])
        expect(await requested(value), value).to.equal(undefined);
    });
  });

  for (const secure of [false, true])
    describe(`closed ${secure ? 'TLS' : 'plain'} connections`, () => {
      let own: Receiver;
      let one: WebhookSender;
      const results: WebhookResult[] = [];
      const url = (): string => (secure ? `https://hooks.test:${own.port}/` : own.url);
      const sendOne = async (): Promise<void> => void results.push(await send(one, url()));
      const codes = () => results.map(({ responseCode, error }) => error ?? responseCode);

      beforeEach(async () => {
        own = await receiver(secure ? hooksTest : undefined);
        one = sender({ ca: hooksTest.cert, resolve: async () => ['127.0.0.1'] });
        results.length = 0;
      });
      afterEach(() => own.close());

      /** Calls `end` for the nth request of each connection, and answers the others. */
      const endAt = (nth: number, end: (socket: Socket) => void): void => {
        const count = new WeakMap<object, number>();
        own.answer((response: ServerResponse, { socket }: IncomingMessage) => {
          count.set(socket, (count.get(socket) ?? 0) + 1);
          if (count.get(socket) === nth) end(socket);
          else response.writeHead(204).end();
        });
      };

      it('are replaced in the same attempt when the receiver closes an idle one as the next request is sent', async () => {
        endAt(2, (socket) => socket.destroy());
        for (let i = 0; i < 4; i++) await sendOne();
        expect(codes()).to.deep.equal([204, 204, 204, 204]);
      });

      it('are replaced in the same attempt when one is reset', async () => {
        endAt(2, (socket) => socket.resetAndDestroy());
        for (let i = 0; i < 4; i++) await sendOne();
        expect(codes()).to.deep.equal([204, 204, 204, 204]);
      });

      it('are replaced after the receiver has closed an idle one', async () => {
        await Promise.all([sendOne(), sendOne(), sendOne()]);
        own.closeConnections();
        await Promise.all([sendOne(), sendOne(), sendOne()]);
        expect(codes()).to.deep.equal([204, 204, 204, 204, 204, 204]);
      });

      it('lead to one request only if the receiver closes new ones', async () => {
        endAt(1, (socket) => socket.destroy());
        await sendOne();
        expect(own.received).to.have.lengthOf(1);
        expect(results[0]).to.have.property('error').and.not.equal('unknown');
        expect(results[0]).to.not.have.property('responseCode');
      });
    });

  it('keeps one connection for sparse traffic, as long as the receiver does', async () => {
    const one = sender();
    for (let i = 0; i < 3; i++) {
      await send(one);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(target.connections()).to.equal(1);
  });

  it('serves one path of a host while requests to another hang', async () => {
    target.answerBy(({ path }) => (path === '/slow' ? 'hang' : 204));
    const one = sender({ deadlineMs: 9_000 });
    const slow = Array.from({ length: 50 }, () => send(one, target.url.replace('/hook', '/slow')));
    await until('all that hang have arrived', () => target.received.length === 50);
    for (let i = 0; i < 20; i++) expect((await send(one)).latencyMs).to.be.below(5_000);
    await one.close();
    for (const result of await Promise.all(slow)) expect(result).to.have.property('error');
  });
});
