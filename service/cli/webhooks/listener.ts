/** A webhook receiver for trying things out: it verifies, shows what came, and fails on purpose when told to. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyFresh } from '../../../application/webhooks/verification.js';

/** One request as it is shown. `answered`: the status that it got. */
export interface Heard {
  readonly at: string;
  readonly answered: number;
  /** Why it was not taken; absent when it was. */
  readonly reason?: string;
  readonly attempt?: number;
  /** Its id was verified before. */
  readonly again?: boolean;
  /** The verified body. */
  readonly event?: unknown;
}

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly secret: string;
  /** Share of the verified deliveries that is answered 500, 0 to 1. */
  readonly failRate: number;
  heard(one: Heard): void;
  /** In [0, 1); Math.random when absent. */
  readonly random?: () => number;
}

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

const MOST_BYTES = 10 * 1024 * 1024;
/** Ids that are remembered; the oldest are forgotten first. */
const MOST_IDS = 10_000;

async function rawBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function parsed(raw: Buffer): { id: string } | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString());
    return typeof value === 'object' && value !== null && 'id' in value
      ? { ...value, id: String(value.id) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Listens. Rejects when the port is taken. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { host, port, secret, failRate, heard, random = Math.random } = options;
  const ids = new Set<string>();

  function remember(id: string): boolean {
    const again = ids.has(id);
    ids.add(id);
    if (ids.size > MOST_IDS) ids.delete(ids.values().next().value!);
    return again;
  }

  async function judge(request: IncomingMessage): Promise<Omit<Heard, 'at'>> {
    if (request.method !== 'POST') return { answered: 405, reason: 'a delivery is a POST' };
    const raw = await rawBody(request);
    if (raw === undefined) return { answered: 413, reason: `the body is longer than ${MOST_BYTES} bytes` };
    const header = String(request.headers['service-signature'] ?? '');
    const verdict = verifyFresh({ header, raw, secret }, Date.now());
    if (!verdict.valid) return { answered: 401, reason: verdict.reason };
    const event = parsed(raw);
    if (event === undefined) return { answered: 400, reason: 'the body is no event' };
    const attempt = Number(request.headers['service-delivery-attempt']) || 1;
    if (random() < failRate) return { answered: 500, reason: 'on purpose', attempt, event };
    return { answered: 204, attempt, again: remember(event.id), event };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = await judge(request);
    // What is left of a body that is too long is not waited for.
    response.writeHead(one.answered, request.complete ? {} : { connection: 'close' }).end();
    heard({ at: new Date().toISOString(), ...one });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
