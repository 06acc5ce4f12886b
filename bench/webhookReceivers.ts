/**
 * Receivers of webhooks in a separate process, one per path (`/0`, `/1` …). `PUT /_mode` sets which of them hang on every request; `POST
 * /_count` resets the counts; `GET /_count` answers the deliveries since then (see `Counted`).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `waits`: ms from when each event happened to its receipt, of those that were answered. */
export interface Counted {
  readonly received: number;
  /** ms since 1970. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  readonly waits: readonly number[];
}

const MOST_WAITS = 200_000;
const CREATED = /"createdAt":"([^"]+)"/;

let hanging: ReadonlySet<string> | 'all' = new Set<string>();
let counted = { received: 0, waits: [] as number[] } as {
  received: number;
  firstAt?: number;
  lastAt?: number;
  waits: number[];
};

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function receive(path: string, body: string, response: ServerResponse): void {
  if (hanging === 'all' || hanging.has(path)) return;
  const now = Date.now();
  counted.received++;
  counted.firstAt ??= now;
  counted.lastAt = now;
  if (counted.waits.length < MOST_WAITS) counted.waits.push(now - Date.parse(CREATED.exec(body)?.[1] ?? ''));
  response.writeHead(204).end();
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const path = request.url ?? '';
  if (path === '/_mode') {
    const expected = JSON.parse(body) as readonly string[] | 'all';
    hanging = expected === 'all' ? expected : new Set(expected);
    response.end();
  } else if (path === '/_count') {
    if (request.method === 'POST') counted = { received: 0, waits: [] };
    response.end(JSON.stringify(counted satisfies Counted));
  } else receive(path, body, response);
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
process.on('SIGTERM', () => process.exit(0));
