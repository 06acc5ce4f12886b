import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { EMBEDDED, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';

const KEYS = {
  SUUQ_CHANNEL_TOKEN: 'sandbox-token',
  SUUQ_CHANNEL_APP_SECRET: 'sandbox-secret',
  SUUQ_CHANNEL_VERIFY_TOKEN: 'sandbox-verify',
};

describe('suuq sandbox', () => {
  const folder = temporaryFolder('suuq-sandbox-');
  const got: { url: string; signature: string }[] = [];
  let webhook: Server;
  let webhookUrl: string;
  let child: ChildProcess | undefined;

  before(async () => {
    webhook = createServer((request: IncomingMessage, response) => {
      got.push({ url: request.url!, signature: String(request.headers['x-hub-signature-256']) });
      request.resume().on('end', () => response.writeHead(200).end());
    }).listen(0, '127.0.0.1');
    await once(webhook, 'listening');
    webhookUrl = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/channel/webhook`;
  });
  after(async () => {
    await stop();
    webhook.close();
    folder.remove();
  });

  const env = (more: Record<string, string> = {}) => ({
    ...process.env,
    ...EMBEDDED,
    ...KEYS,
    SUUQ_DATA: folder.path,
    SUUQ_SANDBOX_PORT: '0',
    SUUQ_SANDBOX_WEBHOOK_URL: webhookUrl,
    ...more,
  });
  async function start(): Promise<string> {
    child = spawn(process.execPath, [suuqCommand, 'sandbox'], { env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    return /http:\/\/\S+:\d+/.exec(line.toString())![0];
  }
  async function stop(): Promise<number | null> {
    if (child === undefined || child.exitCode !== null) return null;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    return ((await ended) as [number | null])[0];
  }
  const send = (baseUrl: string, text: string): Promise<Response> =>
    fetch(`${baseUrl}/sandbox/numbers/100200300/customers/%2B252611234567/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'text', text }),
    });

  it('is the provider of other processes: accepts only their token, and calls the configured webhook', async () => {
    const baseUrl = await start();
    const item = `${baseUrl}/v23.0/900/items_batch`;
    for (const [token, status] of [
      ['sandbox-token', 200],
      ['another', 401],
    ] as const) {
      const answer = await fetch(item, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ item_type: 'PRODUCT_ITEM', requests: [{ method: 'DELETE', data: { id: 'x' } }] }),
      });
      expect(answer.status, token).to.equal(status);
    }
    const sent = await send(baseUrl, 'hello');
    expect(sent.status, await sent.clone().text()).to.equal(200);
    expect(got.at(-1)?.url).to.equal('/channel/webhook');
    expect(got.at(-1)?.signature).to.match(/^sha256=[0-9a-f]{64}$/);
  });

  it('stops cleanly, and keeps its chats for the next start', async () => {
    expect(await stop()).to.equal(0);
    const baseUrl = await start();
    const { numbers } = (await (await fetch(`${baseUrl}/sandbox/numbers`)).json()) as {
      numbers: { phoneNumberId: string }[];
    };
    expect(numbers.map(({ phoneNumberId }) => phoneNumberId)).to.deep.equal(['100200300']);
  });

  it('reports in one sentence which setting is missing', async () => {
    const wrong = spawn(process.execPath, [suuqCommand, 'sandbox'], { env: env({ SUUQ_CHANNEL_TOKEN: '' }) });
    let text = '';
    wrong.stderr.on('data', (chunk) => (text += chunk));
    const [status] = (await once(wrong, 'close')) as [number];
    expect([status, text.split('\n').length]).to.deep.equal([1, 2]);
    expect(text).to.match(/^wrong_setting: SUUQ_CHANNEL_TOKEN must be set/);
  });
});
