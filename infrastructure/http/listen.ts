/** Opening and closing the port of an HTTP server. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, Server as TcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CannotListen } from './cannotListen.js';
import { isUnspecified } from './ownHosts.js';

/** Form of a listen host in a URL. Hosts for all addresses of the machine become 127.0.0.1. */
export function shownHost(host: string): string {
  if (isUnspecified(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Opens the port (0: any free one) and answers it. Rejects with CannotListen. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CannotListen(host, port, error);
  });
  return (server.address() as AddressInfo).port;
}

/** A server is quiet when no request has come for this long, in ms. */
const QUIET_MS = 100;
/** Longest time for which open connections may send further requests while the server closes, in ms. */
const DRAIN_MS = 2000;

/** Makes each answer the last of its connection; resolves when no further request comes, or all connections have ended. */
async function drain(server: Server, ended: Promise<unknown>): Promise<void> {
  const end = performance.now() + DRAIN_MS;
  let latest = performance.now();
  server.prependListener('request', (_, response) => {
    latest = performance.now();
    response.shouldKeepAlive = false;
  });
  let isOpen = true;
  const over = ended.then(() => {
    isOpen = false;
  });
  for (let now = latest; isOpen && now < end && now - latest < QUIET_MS; now = performance.now())
    await Promise.race([over, pause(Math.min(end, latest + QUIET_MS) - now)]);
}

/**
 * Stops accepting, answers what still comes over open connections, gives what is in flight `withinMs`, and ends every connection
 * that is open then. Node's own `close` ends idle connections at once, which resets requests that are on their way over them.
 */
export async function close(server: Server, withinMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  const ended = new Promise<void>((resolve) => {
    TcpServer.prototype.close.call(server, () => resolve());
  });
  if (withinMs > 0) await drain(server, ended);
  // What is left for it to do: idle connections, and its timer.
  server.close(() => {});
  await ended;
  clearTimeout(timer);
}
