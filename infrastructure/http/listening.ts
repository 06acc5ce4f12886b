/** Opening and closing the port of an HTTP server. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isUnspecified } from './ownHosts.js';

/** How a host that is listened on stands in a URL. One that means all of the machine's addresses is none to open: its own is. */
export function shownHost(host: string): string {
  if (isUnspecified(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Opens the port (0: any free one) and answers it. Rejects with the socket's error (EADDRINUSE). */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Stops accepting, gives what is in flight `withinMs`, and ends every connection that is open then. */
export async function close(server: Server, withinMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(timer);
}
