import { isIP, type Socket } from 'node:net';
import type { buildConnector, errors } from 'undici';
import { defined } from '../../domain/defined.js';
import type { Clients } from '../http/clients.js';
import { skipInterimAnswers } from './interimAnswers.js';
import { type UrlGuard, UrlRefused } from './urlGuard.js';

/** For one address, and for all of a host; who waits for it has a deadline of 10 s. */
const CONNECT_MS = 4000;
const DIAL_MS = 10_000;
const MOST_TRIES = 3;

/** Errors of connections that had carried a response before. */
const onUsed = new WeakSet<Error>();

/**
 * True if a request failed because its connection, which had carried a response before, was closed: usually by a receiver that closed an
 * idle connection at that moment.
 */
export const endedUsedConnection = (error: unknown): boolean =>
  error instanceof Error && (onUsed.has(error) || (isSocketError(error) && (error.socket?.bytesRead ?? 0) > 0));

/** Checks the code, since the package that throws the error may not be loaded. */
const isSocketError = (error: Error): error is errors.SocketError =>
  (error as NodeJS.ErrnoException).code === 'UND_ERR_SOCKET';

function watch(socket: Socket): Socket {
  return socket.once('error', (error) => {
    if (socket.bytesRead > 0) onUsed.add(error);
  });
}

type Dial = {
  readonly options: buildConnector.Options;
  readonly guard: UrlGuard;
  readonly base: buildConnector.connector;
};

const dialOne = ({ base, options }: Dial, address: string, servername: string | undefined): Promise<Socket> =>
  new Promise((resolve, reject) => {
    base({ ...options, hostname: address, ...defined({ servername }) }, (error, socket) => {
      if (error) reject(error);
      else resolve(socket as Socket);
    });
  });

/** Resolves and checks the host, connects to a checked address with the host's name, checks the other end once more. */
async function dial(parts: Dial): Promise<Socket> {
  const { options, guard } = parts;
  const addresses = await guard.addressesOf(options.hostname);
  const servername = isIP(options.hostname) === 0 ? options.hostname : undefined;
  const end = performance.now() + DIAL_MS;
  let failure: unknown;
  for (const address of addresses.slice(0, MOST_TRIES)) {
    if (performance.now() > end) break;
    try {
      const socket = await dialOne(parts, address, servername);
      if (guard.admits(socket.remoteAddress ?? '')) return watch(skipInterimAnswers(socket));
      socket.destroy();
      throw new UrlRefused('it led to an address off the public internet');
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Connections to checked addresses only. `ca`: the only trusted one, for tests. */
export function guardedConnector({ buildConnector }: Clients, guard: UrlGuard, ca?: string): buildConnector.connector {
  const base = buildConnector({ timeout: CONNECT_MS, ...defined({ ca }) });
  return (options, callback) => {
    dial({ options, guard, base }).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}
