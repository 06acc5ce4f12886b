/** The console over HTTP on embedded engines, with two stores that have an order each, and a clock that tests move. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { operations } from '../../../api/operations/index.js';
import { createAccessDirectory } from '../../../application/access/directory.js';
import type { Principal } from '../../../application/access/principal.js';
import { type ConsoleLink, makeLink } from '../../../application/console/access.js';
import { RequestLog } from '../../../application/console/requestLog.js';
import { webhookCollections } from '../../../application/webhooks/deliveryLog.js';
import { WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import type { ConsoleTerms } from '../../../domain/console/consoleEvents.js';
import { derivedId } from '../../../domain/ids.js';
import type { OrderEvent } from '../../../domain/orders/orderEvents.js';
import type { StoreEvent } from '../../../domain/stores/storeEvents.js';
import { type BoundCommands, bindCommands } from '../../../engine/commandHandler/boundCommands.js';
import { apiKeys } from '../../../projections/apiKeys.js';
import { automaticPromotions } from '../../../projections/automaticPromotions.js';
import { catalogItems } from '../../../projections/catalogItems.js';
import { channelNumbers } from '../../../projections/channelNumbers.js';
import { consoleSessions } from '../../../projections/consoleSessions.js';
import { conversations } from '../../../projections/conversations.js';
import { deliverySettings } from '../../../projections/deliverySettings.js';
import { members } from '../../../projections/members.js';
import { messages } from '../../../projections/messages.js';
import { orderRows, orders } from '../../../projections/orders.js';
import { paidOrders } from '../../../projections/paidOrders.js';
import { partners } from '../../../projections/partners.js';
import { plans } from '../../../projections/plans.js';
import { products } from '../../../projections/products.js';
import { promotions } from '../../../projections/promotions.js';
import { recordings } from '../../../projections/recordings.js';
import { retentionRules } from '../../../projections/retentionRules.js';
import { salesSlots } from '../../../projections/salesSlots.js';
import { sendingQueues } from '../../../projections/sendingQueues.js';
import { stores } from '../../../projections/stores.js';
import { teams } from '../../../projections/teams.js';
import { webhookEndpoints } from '../../../projections/webhookEndpoints.js';
import { commandsForConsole } from '../../../service/admin/consoleCommands.js';
import type { AdminContext } from '../../../service/admin/context.js';
import { consoleAreas } from '../../../service/composition/events.js';
import { type FakeClock, fakeClock } from '../doubles/fakeClock.js';
import { memoryFiles } from '../doubles/memoryFiles.js';
import { openBox, shopDirectory } from './apiServer.js';
import { openStage, type Stage } from './stage.js';

export const SHOP = '00000000-0000-4000-8000-000000000001';
export const OTHER = '00000000-0000-4000-8000-000000000002';
export const ORDER = '00000000-0000-4000-8000-0000000000a1';
export const OTHER_ORDER = '00000000-0000-4000-8000-0000000000a2';

export const PARTNER = '00000000-0000-4000-8000-0000000000f1';

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by tests
  readonly body: any;
}

/** Signed-in browser: its cookie, and the token that its changes need. */
export interface Browser {
  readonly cookie: string;
  readonly csrf: string;
  readonly sessionId: string;
}

export interface ConsoleStage extends Pick<Stage, 'eventStore' | 'shown' | 'views' | 'work'> {
  readonly clock: FakeClock;
  readonly url: string;
  readonly consoleUrl: string;
  /** Appends one more event to the order of a store. */
  moveOn(workspaceId: string): Promise<number>;
  /** Operator commands that were run. */
  readonly executed: [command: string, input: object][];
  link(terms: ConsoleTerms, lastsMs?: number): Promise<ConsoleLink>;
  signIn(terms: ConsoleTerms): Promise<Browser>;
  /** Sends a request below /console, with any header fields, unlike fetch. */
  request(method: string, path: string, headers?: Record<string, string>, body?: object): Promise<ConsoleAnswer>;
  read(browser: Browser, path: string): Promise<ConsoleAnswer>;
  /** Context of the operator's commands. */
  readonly admin: AdminContext;
  /** Commands of the service itself, each with its own correlation id. */
  readonly commands: BoundCommands;
  /** Sends a change, by POST unless `method` is given. */
  change(
    browser: Browser,
    path: string,
    body?: object,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<ConsoleAnswer>;
  close(): Promise<void>;
}

/** API keys of each store, and of the partner of both. */
const secretKey = (keyId: string, workspaceId: string) =>
  ({ kind: 'secret_key', keyId, mode: 'live', scopes: new Set(WORKSPACE_SCOPES), workspaceId }) as const;
const KEYS: Readonly<Record<string, Principal>> = {
  sk_live_shop: secretKey('key-shop', SHOP),
  sk_live_other: secretKey('key-other', OTHER),
  psk_live_partner: { ...secretKey('key-partner', ''), kind: 'partner_key', workspaceId: '', partnerId: PARTNER },
};

const totals = { subtotalCents: 1500, discountCents: 0, deliveryFeeCents: 0, totalCents: 1500 };
const line = { productExternalId: 'shirt', retailerId: 'shirt', name: 'Shirt', quantity: 1, unitPriceCents: 1500 };

const placed = (number: number): OrderEvent => ({
  type: 'OrderPlaced',
  data: { number, lines: [line], totals, currency: 'USD', customerPhone: '+252615550101' },
});
const cancelled: OrderEvent = { type: 'OrderStatusChanged', data: { from: 'new', to: 'cancelled', note: 'No cloth' } };
const created = (name: string): StoreEvent => ({
  type: 'StoreCreated',
  data: {
    name,
    owner: { email: 'owner@example.com', name: 'Owner' },
    country: 'SO',
    timezone: 'Africa/Mogadishu',
    locale: 'en',
    planKey: 'all',
  } as never,
});

type AnyEvent = OrderEvent | StoreEvent;

const appending =
  ({ eventStore }: Stage, clock: FakeClock) =>
  (stream: string, workspaceId: string, ...events: AnyEvent[]) =>
    eventStore.append(
      stream,
      'any',
      events.map((event, i) => ({
        id: derivedId(stream, i),
        ...event,
        meta: {
          at: new Date(clock.now() + i * 1000).toISOString(),
          actor: { type: 'system', id: 'operator' },
          correlationId: derivedId('correlation', stream),
          workspaceId,
        },
      })),
    );

function commandsOf({ commands }: Stage): BoundCommands {
  let turn = 0;
  return bindCommands(commands, () => {
    const correlationId = derivedId('command of the stage', turn++);
    return { commandId: correlationId, correlationId, actor: { type: 'system' } };
  });
}

/** Returns the context that the operator's commands of the tests need. */
const adminOf = ({ commands, reads, eventStore, shown }: Stage, requestLog: RequestLog): AdminContext =>
  ({
    requestLog,
    ...{ commandHandler: commands, reads, secretBox: openBox, eventLog: eventStore },
    directory: { forget: () => undefined },
    waitFor: async () => {
      await shown();
      return true;
    },
    channel: { webhookUrl: 'https://suuq.example/channel/webhook', verifyToken: 'verify-once', appSecret: 'app-once' },
  }) as unknown as AdminContext;

interface ConsoleStageOptions {
  /** If true, the console has a port of its own. */
  readonly apart?: boolean;
  /** Base URL that browsers use, such as a proxy's. */
  readonly publicUrl?: string;
  /** URL of a sandbox. Each of the stores then has a number: `NUMBERS`. */
  readonly sandboxUrl?: string;
}

/** Channel numbers of SHOP and of OTHER. */
export const NUMBERS = ['106500000000001', '106500000000002'] as const;
const CATALOGS = ['900800700600501', '900800700600502'] as const;

const connected = (at: 0 | 1): StoreEvent => ({
  type: 'ChannelNumberConnected',
  data: {
    numberId: `number-${at}`,
    phoneNumberId: NUMBERS[at],
    displayPhoneNumber: `+25261555000${at}`,
    businessAccountId: '700',
    catalogId: CATALOGS[at],
  },
});

export async function openConsoleStage({
  apart = false,
  publicUrl,
  sandboxUrl,
}: ConsoleStageOptions = {}): Promise<ConsoleStage> {
  const clock = fakeClock();
  const stage = await openStage('console', {
    clock,
    projections: [
      ...[apiKeys, consoleSessions, members, orderRows, orders, stores, webhookEndpoints],
      ...[
        automaticPromotions,
        catalogItems,
        deliverySettings,
        paidOrders,
        products,
        promotions,
        retentionRules,
        salesSlots,
      ],
      ...[channelNumbers, conversations, messages, partners, plans, recordings, sendingQueues, teams],
    ],
  });
  for (const collection of webhookCollections) await stage.work.open(collection);
  const append = appending(stage, clock);
  const numbered = (at: 0 | 1): StoreEvent[] => (sandboxUrl === undefined ? [] : [connected(at)]);
  await append(`store-${SHOP}`, SHOP, created('Asha’s shop'), ...numbered(0));
  await append(`store-${OTHER}`, OTHER, created('Another shop'), ...numbered(1));
  await append(`order-${ORDER}`, SHOP, placed(1), cancelled);
  await append(`order-${OTHER_ORDER}`, OTHER, placed(1));
  await stage.shown();
  const executed: ConsoleStage['executed'] = [];
  const requestLog = new RequestLog('stage');
  const admin = adminOf(stage, requestLog);
  const served = await stage.serve({
    ...{ operations, requestLog },
    settings: {
      ...{ host: '127.0.0.1', port: 0, trustProxy: 0, rates: { ip: 0, user: 0, key: 0 } },
      ...(apart && { consolePort: 0 }),
      ...(publicUrl !== undefined && { publicUrl }),
    },
    webhookUrls: { check: async (url) => (url.startsWith('https:') ? undefined : 'must begin with https:') },
    directory: {
      ...shopDirectory((credential) => KEYS[credential], [SHOP, OTHER], { partnerId: PARTNER }),
      member: createAccessDirectory({ reads: stage.reads, clock }).member,
    },
    console: {
      version: '0',
      areas: consoleAreas,
      ...(sandboxUrl !== undefined && { sandboxUrl }),
      commands: commandsForConsole(() => admin),
      sounds: { fileStore: memoryFiles(), trouble: () => undefined },
      execute: async (command, input) => {
        executed.push([command, input]);
        return command.startsWith('processors') ? { processors: [] } : { projections: [] };
      },
    },
  });

  const { url } = served;
  // Tests do not go through a proxy: they use the address where the server listens.
  const consoleUrl = publicUrl === undefined || apart ? served.consoleUrl : `${url}/console`;
  const request: ConsoleStage['request'] = (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      httpRequest(`${consoleUrl}${path}`, { method, headers: { ...json, ...headers } }, async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        const isJson = /json/.test(answer.headers['content-type'] ?? '');
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        });
      })
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  let notes = 0;
  const moveOn: ConsoleStage['moveOn'] = async (workspaceId) => {
    const stream = `order-${workspaceId === SHOP ? ORDER : OTHER_ORDER}`;
    const meta = {
      at: new Date(clock.now()).toISOString(),
      actor: { type: 'system' as const },
      correlationId: derivedId('correlation', stream),
      workspaceId,
    };
    const sent: OrderEvent = { type: 'OrderSummarySent', data: { messageId: `m${notes++}` } };
    return (await stage.eventStore.append(stream, 'any', [{ id: derivedId('more', notes), ...sent, meta }])).position;
  };
  const commands = commandsOf(stage);
  const link: ConsoleStage['link'] = (terms, lastsMs) =>
    makeLink(commands, terms, { now: clock.now(), ...(lastsMs !== undefined && { lastsMs }) });
  const read: ConsoleStage['read'] = ({ cookie }, path) => request('GET', path, { cookie });
  return {
    ...{ eventStore: stage.eventStore, shown: stage.shown, views: stage.views, work: stage.work },
    ...{ clock, url, consoleUrl, executed },
    ...{ moveOn, link, request, read, commands, admin },
    async signIn(terms) {
      const { token, sessionId } = await link(terms);
      const entered = await request('POST', '/api/enter', {}, { link: token });
      const cookie = entered.headers['set-cookie']![0]!.split(';')[0]!;
      const { csrf } = (await request('GET', '/api/session', { cookie })).body;
      return { cookie, csrf, sessionId };
    },
    change: ({ cookie, csrf }, path, body = {}, headers = {}, method = 'POST') =>
      request(method, path, { cookie, 'x-csrf-token': csrf, ...headers }, body),
    close: () => stage.close(),
  };
}

/** Stage for a suite of tests, with a signed-in browser of each role, open from before its tests to after them. */
export interface SignedIn {
  readonly stage: ConsoleStage;
  readonly operator: Browser;
  /** Browser of SHOP. */
  readonly shop: Browser;
  readonly auditor: Browser;
}

/** Registers the hooks that open and close the stage. The members are set when the suite's tests run. */
export function signedIn(options: ConsoleStageOptions = {}): SignedIn {
  const all = {} as { -readonly [K in keyof SignedIn]: SignedIn[K] };
  before(async () => {
    all.stage = await openConsoleStage(options);
    all.operator = await all.stage.signIn({ role: 'operator' });
    all.shop = await all.stage.signIn({ role: 'store', workspaceId: SHOP });
    all.auditor = await all.stage.signIn({ role: 'auditor' });
  });
  after(() => all.stage.close());
  return all;
}
