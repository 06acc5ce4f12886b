/** A client that writes what it likes, when it likes, and reads what comes. */
import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly socket: Socket;
  /** All that has come so far. */
  text(): string;
  /** The connection has ended, in whatever way. */
  readonly ended: Promise<void>;
  isEnded(): boolean;
}

/** `from`: the address of this machine that it has; `opening`: what it writes at once. */
export function rawClient(url: string, opening = '', from = '127.0.0.1'): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  let text = '';
  let isEnded = false;
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isEnded = true;
      resolve();
    }),
  );
  if (opening !== '') socket.write(opening);
  return { socket, text: () => text, ended, isEnded: () => isEnded };
}
