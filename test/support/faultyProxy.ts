/** A TCP relay on the loopback address whose connections can be cut, delayed, silenced and refused, and healed again. */
import { createServer, connect as dial, type Server, type Socket } from 'node:net';

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
   * Nothing passes any more in either direction, and nobody is told, as where a firewall has forgotten a connection.
   * New connections are taken and are silent too. Those that were silenced stay so after heal().
   */
  silence(): void;
  /** Everything comes this many ms later, each way. */
  delay(ms: number): void;
  /** New connections pass as they should. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Relays to `to`, 'host:port'. */
export async function faultyProxy(to: string): Promise<FaultyProxy> {
  const colon = to.lastIndexOf(':');
  const target = { host: to.slice(0, colon), port: Number(to.slice(colon + 1)) };
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let silent = false;
  let delayMs = 0;
  let taken = 0;
  let server: Server | undefined;
  let port = 0;

  const pass = (from: Socket, into: Socket): void => {
    from.on('data', (bytes) => {
      const deliver = (): void => {
        if (!silenced.has(from) && !into.destroyed) into.write(bytes);
      };
      if (delayMs === 0) deliver();
      else setTimeout(deliver, delayMs);
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
    pass(near, far);
    pass(far, near);
  };
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer({ noDelay: true }, relay);
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        port = (server!.address() as { port: number }).port;
        resolve();
      });
    });
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
    async heal() {
      silent = false;
      delayMs = 0;
      if (server === undefined) await listen();
    },
    close: stopListening,
  };
}
