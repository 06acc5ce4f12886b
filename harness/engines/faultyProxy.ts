/** A TCP relay on the loopback address whose connections can be cut, delayed, silenced and refused, and healed again. */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import { asItComes, type Framing } from './wireMessages.js';

/** One whole message of the protocol, as it comes by. */
export interface WireMessage {
  readonly bytes: Buffer;
  /** `there`: towards the server. */
  readonly way: 'there' | 'back';
  /** Number of the connection, in the order of their start. */
  readonly connection: number;
}

/**
 * Verdict on a message; undefined: it passes. `lose`: it is dropped, the next ones pass. `half`: its first half passes, then the connection
 * breaks. `reset`: the connection breaks before it. `silence`: this direction is silent from it on, the other is not. `delayMs`: it and the
 * next ones are late. `instead`: other bytes arrive. `answer`: it does not pass, and these bytes are sent back.
 */
export type Verdict =
  | 'lose'
  | 'half'
  | 'reset'
  | 'silence'
  | { readonly delayMs: number }
  | { readonly instead: Buffer }
  | { readonly answer: Buffer };

export interface FaultyProxy {
  readonly host: '127.0.0.1';
  /** The same through all faults. */
  readonly port: number;
  /** '127.0.0.1:port'. */
  readonly address: string;
  /** Connections that have been taken so far. */
  readonly taken: number;
  /** Breaks all connections; new ones are taken at once. */
  cut(): void;
  /** Breaks all connections and refuses new ones, as a server that is down. */
  refuse(): Promise<void>;
  /**
   * Nothing passes any more in either direction, without notice, as if a firewall has forgotten a connection. New connections are accepted
   * and are silent too. Silenced connections remain so after heal().
   */
  silence(): void;
  /** Everything comes this many ms later, each way. */
  delay(ms: number): void;
  /** From now on decides of each message; undefined: all pass. Not undone by heal(). */
  judge(each: ((message: WireMessage) => Verdict | undefined) | undefined): void;
  /** New connections pass as they should. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

type Send = (bytes: Buffer, ms: number) => void;

/** Messages behind a late one are equally late. */
function inOrder(deliver: (bytes: Buffer) => void): Send {
  const waiting: { readonly at: number; readonly bytes: Buffer }[] = [];
  const drain = (): void => {
    while (waiting.length > 0 && waiting[0]!.at <= performance.now()) deliver(waiting.shift()!.bytes);
    if (waiting.length > 0) setTimeout(drain, Math.ceil(waiting[0]!.at - performance.now()));
  };
  return (bytes, ms) => {
    const late = waiting.length > 0;
    if (ms === 0 && !late) {
      deliver(bytes);
      return;
    }
    waiting.push({ at: Math.max(performance.now() + ms, waiting.at(-1)?.at ?? 0), bytes });
    if (!late) drain();
  };
}

interface Between {
  readonly from: Socket;
  readonly into: Socket;
  readonly send: Send;
  readonly delayMs: number;
}

function suffer(verdict: Exclude<Verdict, 'silence'>, bytes: Buffer, { from, into, send, delayMs }: Between): void {
  if (verdict === 'half') into.end(bytes.subarray(0, bytes.length >> 1), () => from.resetAndDestroy());
  else if (verdict === 'reset') for (const socket of [from, into]) socket.resetAndDestroy();
  else if (verdict === 'lose') return;
  else if ('delayMs' in verdict) send(bytes, verdict.delayMs);
  else if ('instead' in verdict) send(verdict.instead, delayMs);
  else from.write(verdict.answer);
}

/** Relays to `to`, 'host:port'; `framing` splits the bytes into messages for judge(). */
export async function faultyProxy(to: string, framing: Framing = asItComes): Promise<FaultyProxy> {
  const colon = to.lastIndexOf(':');
  const target = { host: to.slice(0, colon), port: Number(to.slice(colon + 1)) };
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let silent = false;
  let delayMs = 0;
  let taken = 0;
  let judge: ((message: WireMessage) => Verdict | undefined) | undefined;
  let server: Server | undefined;
  let port = 0;

  const pass = (from: Socket, into: Socket, way: 'there' | 'back', connection: number): void => {
    const split = framing(way);
    let silentFrom = false;
    const send = inOrder((bytes) => {
      if (!silenced.has(from) && !into.destroyed) into.write(bytes);
    });
    const handle = (bytes: Buffer): void => {
      const verdict = silenced.has(from) ? undefined : judge?.({ bytes, way, connection });
      if (verdict === undefined) send(bytes, delayMs);
      else if (verdict === 'silence') silentFrom = true;
      else suffer(verdict, bytes, { from, into, send, delayMs });
    };
    from.on('data', (bytes) => {
      for (const message of split(bytes)) if (!silentFrom) handle(message);
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      if (!silenced.has(from)) into.destroy();
    });
  };
  const relay = (near: Socket): void => {
    taken += 1;
    sockets.add(near);
    if (silent) {
      silenced.add(near);
      near.on('error', () => {});
      near.on('close', () => sockets.delete(near));
      near.resume();
      return;
    }
    const far = dial(target);
    sockets.add(far);
    pass(near, far, 'there', taken);
    pass(far, near, 'back', taken);
  };
  const listen = async (): Promise<void> => {
    server = createServer({ noDelay: true }, relay).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const stopListening = async (): Promise<void> => {
    const ending = server;
    server = undefined;
    const ended = ending && new Promise((resolve) => ending.close(resolve));
    hangUp();
    await ended;
  };
  await listen();
  return {
    host: '127.0.0.1',
    get port() {
      return port;
    },
    get address() {
      return `127.0.0.1:${port}`;
    },
    get taken() {
      return taken;
    },
    cut: hangUp,
    refuse: stopListening,
    silence() {
      silent = true;
      for (const socket of sockets) {
        silenced.add(socket);
        // What is sent is not even taken: the sender's buffers fill.
        socket.pause();
      }
    },
    delay(ms) {
      delayMs = ms;
    },
    judge(each) {
      judge = each;
    },
    async heal() {
      silent = false;
      delayMs = 0;
      if (server === undefined) await listen();
    },
    close: stopListening,
  };
}
