/** A way to a server that a test can cut: connections break, and new ones are refused until it is mended. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class CutProxy {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  /** `target`: host:port. */
  constructor(target: string) {
    const [host = '', port] = target.split(':');
    this.#target = { host, port: Number(port) };
  }

  /** host:port, the same after it was cut and mended. */
  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async mend(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#server = createServer((client) => {
      const server = connect(this.#target);
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
