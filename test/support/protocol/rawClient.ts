/** TCP client that writes anything at any time and reads what arrives. */
import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly socket: Socket;
  /** Returns everything received so far. */
  text(): string;
  /** Resolves when the connection has ended, in any way. */
  readonly ended: Promise<void>;
  isEnded(): boolean;
}

/** `from`: local address of the client. `opening`: text that it sends at once. */
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
