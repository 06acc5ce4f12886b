/** Forms with one file, below the API: slow senders, slow stores, and the turns of uploads. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { readForm } from '../../api/http/input/multipart.js';
import { UploadTurns } from '../../application/files/uploadTurns.js';
import { DomainError } from '../../domain/decider.js';
import { bytesOf } from '../support/doubles/bytesOf.js';
import { until } from '../support/doubles/fakeClock.js';

const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const TAIL = '\r\n--b--\r\n';

describe('forms with one file', () => {
  let server: Server;
  let socket: Socket | undefined;
  let outcomes: string[];
  let discarded: number;
  /** How the file is read; what it read when absent. */
  let take: (content: Readable) => Promise<string>;
  const limits = { withinMs: 10_000, idleMs: 10_000 };

  const whole = async (content: Readable): Promise<string> => (await bytesOf(content)).toString();

  async function answer(request: IncomingMessage): Promise<string> {
    try {
      return await readForm(request, {
        field: 'file',
        mostBytes: 1_000_000,
        ...limits,
        take: ({ content }) => take(content),
        discard: async () => {
          discarded += 1;
        },
      });
    } catch (error) {
      return error instanceof DomainError ? error.code : (error as Error).name;
    }
  }

  beforeEach(async () => {
    outcomes = [];
    discarded = 0;
    take = whole;
    Object.assign(limits, { withinMs: 10_000, idleMs: 10_000 });
    server = createServer((request, response) => {
      void answer(request).then((outcome) => {
        outcomes.push(outcome);
        response.end(outcome);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    socket?.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  /** A request of which more may follow. */
  function begin(text: string, length = 100_000): Socket {
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${text}`,
    );
    return socket;
  }
  const outcome = async (): Promise<string> => {
    await until('the form is answered', async () => outcomes.length > 0);
    return outcomes[0]!;
  };

  it('are read however they are split', async () => {
    const body = Buffer.from(`${HEAD}a file\r\n-- b with lines like\r\n--B almost\r\n-${TAIL}`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }), async (cuts) => {
        outcomes = [];
        begin('', body.length);
        let at = 0;
        for (const cut of [...cuts, body.length]) {
          const piece = body.subarray(at, at + cut);
          at += piece.length;
          if (piece.length > 0) await new Promise((resolve) => socket!.write(piece, resolve));
        }
        expect(await outcome()).to.equal('a file\r\n-- b with lines like\r\n--B almost\r\n-');
        socket!.destroy();
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  it('time out for a stalled sender', async () => {
    limits.idleMs = 50;
    begin(`${HEAD}half`);
    expect(await outcome()).to.equal('request_timeout');
  });

  it('time out for an endless sender', async () => {
    limits.withinMs = 200;
    const sender = begin(HEAD);
    const drip = setInterval(() => sender.write('x'), 10);
    expect(await outcome()).to.equal('request_timeout');
    clearInterval(drip);
  });

  it("do not count the time of the store towards the sender's limit", async () => {
    limits.idleMs = 300;
    take = async (content) => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      return whole(content);
    };
    const file = 'x'.repeat(900_000);
    begin(`${HEAD}${file}${TAIL}`, HEAD.length + file.length + TAIL.length);
    expect((await outcome()).length).to.equal(file.length);
  });

  it('accept no more than the store has processed', async () => {
    let release: () => void = () => undefined;
    take = async (content) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return whole(content);
    };
    const file = Buffer.alloc(900_000, 'x');
    const sender = begin(HEAD, HEAD.length + 50 * file.length);
    let sent = 0;
    const push = (): void => {
      if (sent >= 50) return;
      sent += 1;
      sender.write(file, push);
    };
    push();
    await until('the sender is paused', async () => sender.writableNeedDrain);
    expect(sent).to.be.below(20);
    release();
    expect(await outcome()).to.equal('file_too_large');
  });

  it('end their reader when the sender disconnects, and release its memory', async () => {
    let failed = '';
    take = (content) =>
      whole(content).catch((error) => {
        failed = error.name;
        throw error;
      });
    const sender = begin(`${HEAD}half`);
    await new Promise((resolve) => setImmediate(resolve));
    sender.end();
    expect(await outcome()).to.equal('ClientGone');
    expect(failed).to.equal('ClientGone');
  });

  it('release their memory if the rest is invalid', async () => {
    const more = '\r\n--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx';
    const body = `${HEAD}file${more}${TAIL}`;
    begin(body, body.length);
    expect(await outcome()).to.equal('validation_failed');
    expect(discarded).to.equal(1);
  });

  it("return the reader's error, without reading on", async () => {
    take = async () => {
      throw new DomainError('file_type_not_supported', 'no');
    };
    begin(`${HEAD}half`);
    expect(await outcome()).to.equal('file_type_not_supported');
  });
});

describe('slots for uploads', () => {
  it('leave one for other stores, however many a store requests', () => {
    const turns = new UploadTurns(8);
    const taken = Array.from({ length: 8 }, () => turns.begin('store-1')).filter((end) => end !== undefined);
    expect(taken).to.have.length(4);
    expect(turns.begin('store-2')).to.be.a('function');
    for (const end of taken) end();
    expect(turns.begin('store-1')).to.be.a('function');
  });

  it('never exceed the maximum, and are all returned', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean()), { maxLength: 80 }), (steps) => {
        const turns = new UploadTurns(6);
        const running: (() => void)[] = [];
        for (const [store, ends] of steps) {
          const end = ends ? undefined : turns.begin(store);
          if (end !== undefined) running.push(end);
          else if (ends) running.shift()?.();
          expect(running.length).to.be.at.most(6);
        }
        for (const end of running) end();
        expect(Array.from({ length: 6 }, () => turns.begin('d')).filter(Boolean)).to.have.length(3);
      }),
    ));
});
