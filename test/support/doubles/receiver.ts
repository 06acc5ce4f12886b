/** Webhook receiver on this machine, written as a partner would: stores raw bytes and verifies them itself. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { bytesOf } from './bytesOf.js';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body as received. */
  readonly raw: Buffer;
  readonly path: string;
  /** Server name that the client sent in the TLS handshake. */
  readonly servername?: string;
}

/** Response: a status, 'hang' (never responds), or a function that writes it. */
export type Answer = number | 'hang' | ((response: ServerResponse, request: IncomingMessage) => void);

export interface Receiver {
  /** `http://127.0.0.1:{port}/hook`. */
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Connections accepted so far. */
  connections(): number;
  /** Sets the response from now on. Default: 204. */
  answer(how: Answer): void;
  /** Chooses the response to each request from now on. */
  answerBy(choose: (received: Received) => Answer): void;
  /** Ends every connection, as a restart would, and continues to listen. */
  closeConnections(): void;
  close(): Promise<void>;
}

/** Verifies a signature as a receiver does: any v1 of the header matches HMAC-SHA256 over `{t}.{raw bytes}`. */
export function verifies(secret: string, { headers, raw }: Received): boolean {
  const parts = String(headers['service-signature']).split(',');
  const t = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const expected = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${t}.`), raw]))
    .digest();
  return parts
    .filter((part) => part.startsWith('v1='))
    .map((part) => Buffer.from(part.slice(3), 'hex'))
    .some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected));
}

export const eventOf = ({ raw }: Received) =>
  JSON.parse(raw.toString()) as { id: string; type: string; data: Record<string, unknown> } & Record<string, unknown>;

function respond(how: Answer, request: IncomingMessage, response: ServerResponse): void {
  if (how === 'hang') return;
  if (typeof how === 'function') how(response, request);
  else response.writeHead(how).end();
}

export async function receiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = [];
  let how: (received: Received) => Answer = () => 204;
  let connections = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const servername = 'servername' in request.socket ? { servername: String(request.socket.servername) } : {};
    const one = { headers: request.headers, raw: await bytesOf(request), path: request.url ?? '', ...servername };
    received.push(one);
    respond(how(one), request, response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => connections,
    answer(next) {
      how = () => next;
    },
    answerBy(choose) {
      how = choose;
    },
    closeConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
