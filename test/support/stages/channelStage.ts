/** The channel's webhook on a real server over embedded engines, with one connected number. */

import { channelWebhook } from '../../../api/operations/channel/channelWebhook.js';
import type { StoreNumber } from '../../../application/channel/channelNumbers.js';
import { createInbound } from '../../../application/channel/inbound.js';
import type { ChannelCustomer, ConversationEvent } from '../../../domain/channel/conversationEvents.js';
import { conversationIdOf } from '../../../domain/channel/conversationIds.js';
import { derivedId } from '../../../domain/ids.js';
import { connectNumber } from '../../../domain/stores/channelNumber.js';
import { createStore, store } from '../../../domain/stores/store.js';
import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import { silentLog } from '../../../engine/ports/log.js';
import { signatureOf } from '../../../infrastructure/channel/signature.js';
import { type FakeClock, fakeClock } from '../doubles/fakeClock.js';
import { type TestServices, testServices } from '../doubles/fakeServices.js';
import { apiServer } from './apiServer.js';

export const APP_SECRET = 'app-secret-of-the-tests';
export const VERIFY_TOKEN = 'verify-token-of-the-tests';
export const PHONE_NUMBER_ID = '106500000000001';
export const NUMBER: StoreNumber = {
  numberId: '0b5f3c50-6f0d-5a9e-9d2a-111111111111',
  phoneNumberId: PHONE_NUMBER_ID,
  displayPhoneNumber: '+15550001111',
  businessAccountId: '200300400500600',
  catalogId: '900800700600500',
  workspaceId: '11111111-1111-4111-8111-111111111111',
};

export const numbers = {
  byPhoneNumberId: async (id: string) => (id === NUMBER.phoneNumberId ? NUMBER : undefined),
  byNumberId: async (id: string) => (id === NUMBER.numberId ? NUMBER : undefined),
};

/** Creates the number's store, and connects the number to it. */
export async function connectToStore(commands: CommandHandler, { workspaceId, ...number }: StoreNumber): Promise<void> {
  const place = { country: 'SO', timezone: 'Africa/Mogadishu', locale: 'en' } as const;
  const terms = { name: 'Shop', planKey: 'plan', owner: { email: 'hodan@example.com', name: 'Hodan' }, ...place };
  const steps = [createStore(terms), connectNumber(number, false)];
  for (const [i, decision] of steps.entries()) {
    const actor = { type: 'system' } as const;
    const by = { commandId: derivedId('connect', workspaceId, i), actor, correlationId: 'connect', workspaceId };
    await commands.decide(by, store, workspaceId, decision);
  }
}

/** Parts for an outbox that sends no files. */
export const noFiles = {
  media: { upload: () => Promise.reject(new Error('nothing is uploaded here')) },
  files: { fileOf: async () => undefined, openFile: async () => undefined },
};

export interface ChannelStage {
  readonly clock: FakeClock;
  readonly test: TestServices;
  readonly url: string;
  readonly webhookUrl: string;
  readonly counts: Record<string, number>;
  readonly logged: string[];
  /** Phones of conversations that are stored under a user id. */
  readonly aliases: Map<string, string[]>;
  /** Store of the number. */
  readonly store: { readonly locale: 'en'; open: boolean };
  /** Signs and posts a body. `signature` replaces the right one. */
  deliver(body: unknown, signature?: string | null): Promise<Response>;
  events(customer: ChannelCustomer): Promise<ConversationEvent[]>;
  close(): Promise<void>;
}

/** `around`: wraps the real command handler. */
export async function channelStage(around = (commands: CommandHandler) => commands): Promise<ChannelStage> {
  const clock = fakeClock();
  const test = await testServices(clock);
  const counts: Record<string, number> = {};
  const logged: string[] = [];
  const aliases = new Map<string, string[]>();
  const store = { locale: 'en' as const, open: true };
  const note = (fields: object, text: string): void => {
    logged.push(`${text} ${JSON.stringify(fields)}`);
  };
  const receive = createInbound({
    numbers,
    aliases: { byPhone: async (_, phone) => aliases.get(phone) ?? [] },
    commands: around(test.services.commandHandler),
    clock,
    storeOf: async () => store,
    log: { ...silentLog, info: note, warn: note },
    count: (what, by) => {
      counts[what] = (counts[what] ?? 0) + by;
    },
  });
  const server = await apiServer({
    operations: [],
    services: test.services,
    progress: test.progress,
    extraRoutes: channelWebhook({ receive, clock, appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN }),
  });
  const { url } = server;
  const webhookUrl = `${url}/channel/webhook`;
  return {
    clock,
    test,
    url,
    webhookUrl,
    counts,
    logged,
    aliases,
    store,
    deliver(body, signature) {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const signed = signature === undefined ? signatureOf(bytes, APP_SECRET) : signature;
      return fetch(webhookUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signed === null ? {} : { 'x-hub-signature-256': signed }),
        },
        body: bytes,
      });
    },
    async events(customer) {
      const stream = `conversation-${conversationIdOf(NUMBER.numberId, customer)}`;
      return (await test.services.eventStore.readStream(stream)) as unknown as ConversationEvent[];
    },
    async close() {
      await server.close();
      await test.close();
    },
  };
}

/** Returns a delivery of these messages and statuses for a number. */
export const delivery = (value: object, phoneNumberId = PHONE_NUMBER_ID): object => ({
  object: 'whatsapp_business_account',
  entry: [{ id: NUMBER.businessAccountId, changes: [change(value, phoneNumberId)] }],
});

export const change = (value: object, phoneNumberId = PHONE_NUMBER_ID): object => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001111', phone_number_id: phoneNumberId },
    ...value,
  },
});

export const textMessage = (id: string, body: string, from = '252615550101'): object => ({
  from,
  id,
  timestamp: '1772352000',
  type: 'text',
  text: { body },
});
