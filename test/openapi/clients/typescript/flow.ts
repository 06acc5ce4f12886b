/**
 * A partner's TypeScript program with this project's client, for each server runtime. It saves a product, reads it,
 * sends a file, receives the webhook of an order, and handles an error. Any deviation ends it.
 */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import {
  createClient,
  createUserToken,
  isProblem,
  openSession,
  verifyWebhook,
  WebhookRefused,
} from '../../../../client/src/index.js';

const env = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

const LONGEST_MS = 60_000;
const runtime = process.argv[2] ?? 'node';
const baseUrl = env('SUUQ_URL');
const secretKey = env('SUUQ_STORE_KEY');
const workspaceId = env('SUUQ_STORE');
const suuq = createClient({ baseUrl, credential: secretKey });
const externalId = `${runtime}-dirac`;

/** Returns the order of a sandbox customer. */
async function orderOf(product: string): Promise<string> {
  const args = [env('SUUQ_CLI'), 'trigger', 'order.created', '--set', `product=${product}`, '--json'];
  const trigger = spawn('node', args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: LONGEST_MS });
  let text = '';
  for await (const part of trigger.stdout) text += part;
  return JSON.parse(text).orderId;
}

await suuq.upsertProduct({
  workspaceId,
  externalId,
  body: { name: 'Dirac, white', imageUrls: ['https://shop.example.com/dirac.jpg'], priceCents: 4500 },
});
let found = false;
for await (const one of suuq.listProducts.each({ workspaceId, limit: 1 })) found ||= one.externalId === externalId;
equal(found, true, 'the product is listed');

const text = new TextEncoder().encode('Dear all');
const content = new ReadableStream<Uint8Array>({
  start(controller) {
    controller.enqueue(text);
    controller.close();
  },
});
const { id: fileId } = await suuq.uploadFile({ workspaceId, file: { content, filename: 'note.txt' } });
deepEqual(await (await suuq.getFile({ workspaceId, fileId })).bytes(), text);

const deliveries: { body: Uint8Array<ArrayBuffer>; header: string }[] = [];
let come = (): void => undefined;
const receiver = createServer(async (request, response) => {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part as Uint8Array);
  const body = new Uint8Array(Buffer.concat(parts));
  deliveries.push({ body, header: String(request.headers['service-signature']) });
  response.writeHead(204).end();
  come();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const first = new Promise<void>((resolve, reject) => {
  const late = setTimeout(() => reject(new Error('no webhook came')), LONGEST_MS);
  come = () => resolve(clearTimeout(late));
});
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const { endpoint, secret = '' } = await suuq.createWebhookEndpoint({
  workspaceId,
  body: { url, events: ['order.created'] },
});
const orderId = await orderOf(externalId);
await first;
const { body, header } = deliveries[0]!;
const event = await verifyWebhook(body, header, secret);
if (event.type !== 'order.created') throw new Error(`another event: ${event.type}`);
equal(event.data.order.id, orderId);
await rejects(verifyWebhook(body.slice(1), header, secret), (error) => error instanceof WebhookRefused);

const order = await suuq.getOrder({ workspaceId, orderId });
equal(order.totalCents, event.data.order.totalCents);
const refused = (code: Parameters<typeof isProblem>[1]) => (error: unknown) => isProblem(error, code);
await rejects(
  suuq.setOrderStatus({ workspaceId, orderId, body: { status: 'delivered' } }),
  refused('order_status_not_allowed'),
);
await rejects(suuq.getOrder({ workspaceId, orderId: crypto.randomUUID() }), refused('not_found'));

const user = { sub: runtime, email: `${runtime}@example.com`, email_verified: true, name: runtime };
const userToken = await createUserToken(secretKey, user);
const session = await openSession({ baseUrl, publishableKey: env('SUUQ_STORE_PUBLISHABLE'), userToken });
equal((await session.client.listConversations({ workspaceId })).conversations.length > 0, true);
await session.end();

await suuq.deleteWebhookEndpoint({ workspaceId, endpointId: endpoint.id });
receiver.close();
console.log(`${runtime}: product, file, order ${order.number} by webhook, refusals, session`);
