import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { ServiceError } from '@grpc/grpc-js';
import { framed } from '../../infrastructure/eventstoredb/callMessages.js';
import { type ReadCall, ReadConnection } from '../../infrastructure/eventstoredb/readConnection.js';

const PATH = '/event_store.client.streams.Streams/Read';
const GRPC = { ':status': 200, 'content-type': 'application/grpc' };

/** Records the messages of a call in order, and its end. */
class Output {
  readonly words: string[] = [];
  readonly ended: Promise<ServiceError | undefined>;
  message: (bytes: Buffer) => void;
  end!: (error: Error | undefined) => void;
  #more: () => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.end = (error) => resolve(error as ServiceError | undefined);
    });
    this.message = (bytes) => {
      this.words.push(bytes.toString());
      this.#more();
    };
  }

  async has(count: number): Promise<void> {
    while (this.words.length < count)
      await new Promise<void>((resolve) => {
        this.#more = resolve;
      });
  }
}

describe('read calls of EventStoreDB', () => {
  let server: Http2Server;
  let node: ReadConnection;
  let answer: (stream: ServerHttp2Stream) => void;
  let requests: Buffer[];
  let sessions: number;

  const connectionTo = (server: { address(): ReturnType<Server['address']> }, keepaliveMs = 60_000): ReadConnection =>
    new ReadConnection(
      { target: `127.0.0.1:${(server.address() as AddressInfo).port}` },
      { secure: false, certificates: {}, dialMs: 300, keepaliveMs, keepaliveAnswerMs: 100 },
    );

  function read(): { heard: Output; call: ReadCall } {
    const heard = new Output();
    const call = node.open(PATH, { 'requires-leader': 'true' }, Buffer.from('question'), {
      message: (bytes) => heard.message(bytes),
      ended: (error) => heard.end(error),
    });
    return { heard, call };
  }

  beforeEach(async () => {
    requests = [];
    sessions = 0;
    server = createServer();
    server.on('session', (session) => {
      sessions += 1;
      session.on('error', () => undefined);
    });
    server.on('stream', async (stream) => {
      stream.on('error', () => undefined);
      const [request] = (await once(stream, 'data')) as [Buffer];
      requests.push(request);
      answer(stream);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    node = connectionTo(server);
  });

  afterEach(() => {
    node.close();
    server.close();
  });

  /** Answers with these bytes, piece by piece, and then with these trailers. */
  const reporting =
    (pieces: readonly Buffer[], trailers: Record<string, string> = { 'grpc-status': '0' }) =>
    async (stream: ServerHttp2Stream): Promise<void> => {
      stream.respond(GRPC, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      for (const piece of pieces) {
        stream.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      stream.end();
    };

  it('are requested in one message, and pass on results in order, however they are split', async () => {
    const all = Buffer.concat(['one', '', 'three'.repeat(10_000), 'four'].map((word) => framed(Buffer.from(word))));
    for (const size of [1, 3, 5, 7, 4096, all.length]) {
      const pieces: Buffer[] = [];
      const until = size < 4096 ? 40 : all.length;
      for (let at = 0; at < until; at += size) pieces.push(all.subarray(at, Math.min(until, at + size)));
      pieces.push(all.subarray(until));
      answer = reporting(pieces);
      const { heard } = read();
      assert.equal(await heard.ended, undefined);
      assert.deepEqual(heard.words, ['one', '', 'three'.repeat(10_000), 'four']);
    }
    assert.deepEqual(requests[0], framed(Buffer.from('question')));
    assert.equal(sessions, 1, 'on one connection');
  });

  it("end with the server's status and message, also without other content", async () => {
    answer = reporting([framed(Buffer.from('one'))], {
      'grpc-status': '5',
      'grpc-message': 'Leader%20info available',
      exception: 'not-leader',
      'leader-endpoint-host': 'node2',
    });
    const late = read();
    const error = await late.heard.ended;
    assert.equal(error?.code, 5);
    assert.equal(error?.details, 'Leader info available');
    assert.deepEqual(error?.metadata.get('leader-endpoint-host'), ['node2']);
    assert.deepEqual(late.heard.words, ['one']);
    answer = (stream) => stream.respond({ ...GRPC, 'grpc-status': '16' }, { endStream: true });
    assert.equal((await read().heard.ended)?.code, 16);
    answer = (stream) => stream.respond({ ':status': 503 }, { endStream: true });
    assert.equal((await read().heard.ended)?.code, 14);
    answer = (stream) => stream.respond({ ':status': 401 }, { endStream: true });
    assert.equal((await read().heard.ended)?.code, 16);
  });

  it('fail if a response is not a message, is compressed, or ends within one', async () => {
    const half = framed(Buffer.from('a whole message')).subarray(0, 9);
    for (const bytes of [Buffer.from([1, 0, 0, 0, 1, 65]), Buffer.from([0, 255, 255, 255, 255]), half]) {
      answer = reporting([bytes]);
      const { heard } = read();
      assert.equal((await heard.ended)?.code, 13);
      assert.deepEqual(heard.words, []);
    }
  });

  it('return nothing after they are cancelled, which is sent to the server', async () => {
    let closed: Promise<unknown> | undefined;
    answer = (stream) => {
      closed = once(stream, 'close');
      stream.respond(GRPC);
      stream.write(Buffer.concat([framed(Buffer.from('one')), framed(Buffer.from('two'))]));
    };
    const { heard, call } = read();
    const { message } = heard;
    heard.message = (bytes) => {
      message(bytes);
      call.cancel();
    };
    await heard.has(1);
    await closed;
    assert.deepEqual(heard.words, ['one']);
    assert.equal(await Promise.race([heard.ended, 'nothing']), 'nothing');
  });

  it('apply backpressure to the server while paused', async () => {
    const word = Buffer.alloc(100_000, 'x');
    let written = 0;
    answer = (stream) => {
      stream.respond(GRPC);
      const more = (): void => {
        while (stream.write(framed(word), () => (written += 1)));
      };
      stream.on('drain', more);
      more();
    };
    const { heard, call } = read();
    await heard.has(1);
    call.pause();
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(written < 40, `${written} of 100 kB went out, where 1 MiB may be under way`);
    const had = heard.words.length;
    call.resume();
    await heard.has(had + 40);
    call.cancel();
  });

  it('detect whether the server answers', async () => {
    answer = reporting([framed(Buffer.from('yes'))]);
    assert.equal(await node.answers(PATH, {}, 10_000), true);
    answer = (stream) => stream.respond({ ...GRPC, 'grpc-status': '14' }, { endStream: true });
    assert.equal(await node.answers(PATH, {}, 10_000), false);
    answer = () => undefined;
    assert.equal(await node.answers(PATH, {}, 20), false);
  });

  it('fail like a lost connection, and the next one uses a new connection', async () => {
    answer = (stream) => {
      stream.respond(GRPC);
      stream.session?.destroy();
    };
    assert.equal((await read().heard.ended)?.code, 14);
    answer = reporting([framed(Buffer.from('one'))]);
    const next = read();
    assert.equal(await next.heard.ended, undefined);
    assert.deepEqual(next.heard.words, ['one']);
    assert.equal(sessions, 2);
    node.close();
    assert.equal((await read().heard.ended)?.code, 14, 'a closed one answers no more');
    node = connectionTo(server);
    node.close();
    assert.equal((await read().heard.ended)?.code, 14, 'nor one that was closed before it was made');
  });

  it('leave a server that announces its shutdown for later calls', async () => {
    answer = async (stream) => {
      stream.session?.goaway(0);
      await reporting([framed(Buffer.from('one'))])(stream);
    };
    const { heard } = read();
    assert.equal(await heard.ended, undefined);
    await read().heard.ended;
    assert.equal(sessions, 2);
  });

  it('give up a server that never answers after connecting, and one that falls silent', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    node = connectionTo(silent);
    const error = await read().heard.ended;
    assert.deepEqual([error?.code, error?.details], [14, 'no answer within 0.3 s']);
    node.close();
    silent.close();

    // It starts like an HTTP/2 server, and answers nothing after that.
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    const deaf = createTcpServer((socket) => void socket.on('error', () => undefined).write(settings));
    deaf.listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    node = connectionTo(deaf, 50);
    const fallen = await read().heard.ended;
    assert.deepEqual([fallen?.code, fallen?.details], [14, 'the server is silent']);
    deaf.close();
  });

  it('report an unreachable server', async () => {
    const gone = createTcpServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    node = connectionTo(gone);
    gone.close();
    const error = await read().heard.ended;
    assert.equal(error?.code, 14);
    assert.match(error!.details, /ECONNREFUSED/);
  });
});
