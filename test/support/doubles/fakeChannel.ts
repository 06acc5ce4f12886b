/**
 * Messaging channel as a server of the test's own, for what the sandbox does not do: counting, delaying and refusing.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Signed, signedInbound } from '../../../harness/service/signedCart.js';

export interface Taken {
  /** The service's message id. */
  readonly messageId: string;
  readonly to: string;
  readonly text: string;
  /** ms since 1970. */
  readonly at: number;
}

export interface FakeChannel {
  readonly baseUrl: string;
  /** Accepted messages in order, whether or not the client received the response. */
  readonly taken: Taken[];
  /** Number of messages refused while `mode` was `down`. */
  refused: number;
  /** up: accepts messages. down: refuses them for now. mute: accepts them and never responds. */
  mode: 'up' | 'down' | 'mute';
  /** Delay before each response, in ms. */
  latencyMs: number;
  /** Returns a customer's text, signed as the channel does. */
  textFrom(phoneNumberId: string, from: string, id: string): Signed;
  close(): Promise<void>;
}

export const APP_SECRET = 'app-secret-of-the-fake-channel';

/** Returns the environment that makes a service use this channel. */
export const channelEnvironment = (baseUrl: string): Record<string, string> => ({
  SUUQ_SANDBOX: 'off',
  SUUQ_CHANNEL_URL: baseUrl,
  SUUQ_CHANNEL_TOKEN: 'token-of-the-fake-channel',
  SUUQ_CHANNEL_APP_SECRET: APP_SECRET,
  SUUQ_CHANNEL_VERIFY_TOKEN: 'verify-token-of-the-fake-channel',
});

const down = {
  error: { message: '(#131016) Service unavailable', type: 'OAuthException', code: 131016, fbtrace_id: 'A' },
};

export async function fakeChannel(): Promise<FakeChannel> {
  const channel: Omit<FakeChannel, 'baseUrl' | 'close'> = {
    taken: [],
    refused: 0,
    mode: 'up',
    latencyMs: 0,
    textFrom: (phoneNumberId, from, id) =>
      signedInbound({ displayPhoneNumber: '15550001111', phoneNumberId, appSecret: APP_SECRET }, from, id, {
        type: 'text',
        text: { body: 'Is it there?' },
      }),
  };

  function answer(body: string, response: ServerResponse): void {
    if (channel.mode === 'down') {
      channel.refused += 1;
      response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(down));
      return;
    }
    const message = JSON.parse(body) as { to: string; biz_opaque_callback_data: string; text?: { body: string } };
    const { to, biz_opaque_callback_data: sentWith, text } = message;
    const messageId = sentWith.split('/', 1)[0]!;
    channel.taken.push({ messageId, to, text: text?.body ?? '', at: Date.now() });
    if (channel.mode === 'mute') return;
    const accepted = JSON.stringify({
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to.replace('+', '') }],
      messages: [{ id: `wamid.out.${channel.taken.length}` }],
    });
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(accepted), channel.latencyMs);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // Templates, catalogs and the like are not under test here.
      if (request.url?.endsWith('/messages')) answer(Buffer.concat(chunks).toString(), response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"handles":[]}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(channel, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
