/** The webhook operations over HTTP, on a stage of webhooks, with keys of two stores and their partner. */
import { partnerWebhookOperations, webhookOperations } from '../../../api/operations/webhooks/index.js';
import type { Principal } from '../../../application/access/principal.js';
import { createReads } from '../../../engine/projections/documentReads.js';
import { createProjectionRuntime } from '../../../engine/projections/runtime.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { createGuardedSender, type GuardedSenderOptions } from '../../../infrastructure/webhooks/guardedSender.js';
import { webhookEndpoints } from '../../../projections/webhookEndpoints.js';
import { apiServer, secretKey, testCursors } from './apiServer.js';
import { OTHER_STORE, PARTNER, STORE, type WebhookStage, webhookStore } from './webhookStage.js';

const keyOf = (workspaceId: string, ...scopes: string[]): Principal =>
  secretKey(`key-of-${workspaceId.slice(-2)}`, workspaceId, scopes);
const partnerKey = (partnerId: string): Principal => ({
  kind: 'partner_key',
  keyId: `key-of-${partnerId.slice(-2)}`,
  mode: 'test',
  scopes: new Set(['partner.webhooks:manage']),
  partnerId,
});
const RIVAL = '00000000-0000-4000-8000-0000000000b2';
const KEYS: Record<string, Principal> = {
  sk_test_own: keyOf(STORE, 'developers:manage'),
  sk_test_other: keyOf(OTHER_STORE, 'developers:manage'),
  sk_test_orders: keyOf(STORE, 'orders:manage'),
  psk_test_partner: partnerKey(PARTNER),
  psk_test_rival: partnerKey(RIVAL),
};

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers as any client without types would
export type Body = any;

export interface ReceivedRequest {
  /** Default: the store's own key, or its partner's for a path of the partner. */
  readonly key?: string;
  readonly body?: unknown;
  readonly store?: string;
  readonly headers?: Record<string, string>;
}

export interface Answered {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface WebhookServer {
  /** `path` below the workspace; with `/partner` in front, the partner's. */
  call(method: string, path: string, requested?: ReceivedRequest): Promise<Answered>;
  /** Waits until the endpoints' view shows all events. */
  viewed(): Promise<void>;
  close(): Promise<void>;
}

const NO_NAMES: GuardedSenderOptions = { allowLoopback: true, resolve: async () => [] };

/** `guard`: options of the check of a URL when it is registered. */
export async function webhookServer({ processors }: WebhookStage, guard = NO_NAMES): Promise<WebhookServer> {
  const { eventStore, work, commands: commandHandler, clock } = processors;
  const projections = createProjectionRuntime({ eventStore, readModels: work, projections: [webhookEndpoints] });
  await projections.start();
  const server = await apiServer({
    operations: [...webhookOperations, ...partnerWebhookOperations],
    services: {
      clock,
      eventStore,
      work,
      commandHandler,
      reads: createReads(work),
      directory: {
        principal: async (key) => KEYS[key],
        workspace: async (id) => webhookStore(id),
        partner: async (partnerId) => ({
          partnerId,
          name: 'Partner',
          slug: 'partner',
          status: 'active',
          planKey: 'all',
          features: { has: () => true, limit: () => undefined },
        }),
        member: async () => undefined,
        forget: () => undefined,
      },
      secretBox: createSecretBox(Buffer.alloc(32, 7)),
      cursors: testCursors,
      webhookUrls: createGuardedSender(guard),
    },
    progress: { waitFor: (_, position, ms) => projections.waitFor(['webhookEndpoints'], position, ms) },
  });
  return {
    async call(method, path, { key, body, store = STORE, headers = {} } = {}) {
      const partners = path.startsWith('/partner/');
      const credential = key ?? (partners ? 'psk_test_partner' : 'sk_test_own');
      const answer = await fetch(`${server.url}/api/v1${partners ? '' : `/workspaces/${store}`}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
    },
    async viewed() {
      await projections.waitFor(['webhookEndpoints'], await eventStore.head(), 5000);
    },
    async close() {
      await server.close();
      await projections.stop();
    },
  };
}
