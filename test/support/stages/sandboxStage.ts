/** The sandbox on a free port, and a webhook that records its deliveries. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CatalogItem } from '../../../application/ports/catalogProvider.js';
import { systemClock } from '../../../engine/ports/clock.js';
import { silentLog } from '../../../engine/ports/log.js';
import { createCatalogProvider } from '../../../infrastructure/channel/catalogProvider.js';
import { createChannelMessages } from '../../../infrastructure/channel/channelMessages.js';
import { signatureOf } from '../../../infrastructure/channel/signature.js';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../infrastructure/sandbox/sandbox.js';

export const TOKEN = 'sandbox-token-of-the-tests';
export const SECRET = 'sandbox-app-secret';
export const CATALOG = '900800700600500';
export const NUMBER_ID = '106500000000001';

type Status = { readonly id: string; readonly status: string; readonly errors?: readonly { code: number }[] };
interface Value {
  readonly messages?: readonly Record<string, unknown>[];
  readonly statuses?: readonly Status[];
  readonly contacts?: readonly object[];
  readonly calls?: readonly Record<string, unknown>[];
  readonly [name: string]: unknown;
}

/** Change as delivered. */
export interface Change {
  /** The business account. */
  readonly entry: string;
  readonly field: string;
  readonly value: Value;
}

export interface SandboxStage {
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  /** `value` of each change that the webhook received, oldest first. */
  readonly values: Value[];
  /** The same changes as in `values`, with the fields around each. */
  readonly changes: Change[];
  /** Number of changes in each delivery. */
  readonly deliveries: number[];
  readonly forged: number;
  statuses(): string[];
  /** HTTP status of the webhook's answers. */
  answer: number;
  adapters(timeoutMs?: number): {
    messages: ReturnType<typeof createChannelMessages>;
    catalog: ReturnType<typeof createCatalogProvider>;
  };
  control(method: string, path: string, body?: unknown): Promise<{ status: number; body: never }>;
  fault(target: string, kind: string, more?: object): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function sandboxStage(options: Partial<SandboxOptions> = {}): Promise<SandboxStage> {
  const values: Value[] = [];
  const changes: Change[] = [];
  const deliveries: number[] = [];
  let forged = 0;
  const webhook: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const url = new URL(request.url!, 'http://webhook');
      if (request.method === 'GET') return response.end(url.searchParams.get('hub.challenge'));
      if (request.headers['x-hub-signature-256'] !== signatureOf(body, SECRET)) forged++;
      const { entry } = JSON.parse(body.toString()) as { entry: { id: string; changes: Omit<Change, 'entry'>[] }[] };
      const found = entry.flatMap(({ id, changes: some }) => some.map((one) => ({ entry: id, ...one })));
      if (stage.answer === 200) {
        changes.push(...found);
        values.push(...found.map(({ value }) => value));
        deliveries.push(found.length);
      }
      response.statusCode = stage.answer;
      return response.end('taken');
    });
  });
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/channel/webhook`;
  const start = (): Promise<Sandbox> =>
    startSandbox({
      port: 0,
      host: '127.0.0.1',
      webhookUrl: () => webhookUrl,
      appSecret: SECRET,
      verifyToken: 'verify',
      accessToken: TOKEN,
      clock: systemClock,
      log: silentLog,
      reviewMs: 0,
      ...options,
    });
  let sandbox = await start();
  const clients: { close(): Promise<void> }[] = [];
  const stage: SandboxStage = {
    get sandbox() {
      return sandbox;
    },
    get baseUrl() {
      return sandbox.baseUrl;
    },
    values,
    changes,
    deliveries,
    get forged() {
      return forged;
    },
    statuses: () => values.flatMap((value) => (value.statuses ?? []).map((one) => one.status)),
    answer: 200,
    adapters(timeoutMs = 5_000) {
      const to = { baseUrl: sandbox.baseUrl, version: 'v23.0', accessToken: TOKEN, timeoutMs };
      const made = { messages: createChannelMessages(to), catalog: createCatalogProvider(to) };
      clients.push(made.messages, made.catalog);
      return made;
    },
    async control(method, path, body) {
      const answer = await fetch(`${sandbox.baseUrl}${path}`, {
        method,
        ...(method === 'POST'
          ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
          : {}),
      });
      const text = await answer.text();
      return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
    },
    async fault(target, kind, more = {}) {
      const { status } = await stage.control('POST', '/sandbox/faults', { target, kind, ...more });
      if (status !== 201) throw new Error(`the fault was refused: ${status}`);
    },
    async restart() {
      await sandbox.close();
      sandbox = await start();
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await sandbox.close();
      await new Promise((resolve) => webhook.close(resolve));
    },
  };
  return stage;
}

/** Returns an item that the provider accepts. */
export const item = (retailerId: string, more: Partial<CatalogItem> = {}): CatalogItem => ({
  retailerId,
  title: `Dress ${retailerId}`,
  description: 'Light cotton',
  availability: 'in_stock',
  priceCents: 1_250,
  link: `https://shop.example.com/${retailerId}`,
  imageUrls: ['https://img.example.com/1.jpg', 'https://img.example.com/2.jpg'],
  brand: 'Hodan Boutique',
  ...more,
});
