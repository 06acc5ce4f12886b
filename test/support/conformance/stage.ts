/** The whole service in this process, with tenants of every kind, called over HTTP only. */

import type { Operation } from '../../../api/contract/operation.js';
import { routeOf } from '../../../api/contract/routes.js';
import type { OpenApi } from '../../../api/openapi/document.js';
import { PARTNER_SCOPES, WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import { type Demo, readDemo, temporaryFolder } from '../../../harness/service/serviceProcess.js';
import { signedCart } from '../../../harness/service/signedCart.js';
import { callService } from '../../../service/admin/adminClient.js';
import { adminSocketPath } from '../../../service/admin/protocol.js';
import { startService } from '../../../service/composition/serve.js';
import { createLog } from '../../../service/log.js';
import { readSettings } from '../../../service/settings/settings.js';
import { until } from '../doubles/fakeClock.js';
import { type Receiver, receiver } from '../doubles/receiver.js';
import { sample } from '../samples/schemaSample.js';
import { type Body, type Checked, checkAnswers } from './answers.js';

export const FEATURES = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'];
const SCOPES = { workspace: WORKSPACE_SCOPES, partner: [...PARTNER_SCOPES, ...WORKSPACE_SCOPES] };

export interface Partner {
  readonly id: string;
  readonly key: string;
  /** One of its stores, with a channel number. */
  readonly store: Store;
}

export interface Store {
  readonly workspaceId: string;
  readonly externalRef: string;
  readonly key: string;
  readonly channel: Demo['channel'];
}

export interface RequestChoice {
  /** Credential of the Authorization header; null: none. Default: the partner's key or the store's own key. */
  readonly key?: string | null;
  readonly params?: Readonly<Record<string, string>>;
  /** Added to the required query parameters, which default to values from their schemas. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON; a form is sent as it is. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ConformanceStage {
  readonly baseUrl: string;
  /** The data folder. */
  readonly folder: string;
  /** The document as served. */
  readonly document: OpenApi;
  readonly main: Partner;
  /** Another store of the same partner. */
  readonly sibling: Store;
  readonly rival: Partner;
  readonly hooks: Receiver;
  /** URL of the provider's sandbox, for faults. */
  readonly sandboxUrl: string;
  operator(command: string, input: object): Promise<Body>;
  addPartner(slug: string, features?: readonly string[]): Promise<Partner>;
  addStore(partner: Pick<Partner, 'id'>, externalRef: string, country?: string): Promise<Store>;
  /** Returns a secret key with these scopes for the operation's kind of owner. The same scopes return the same key. */
  keyFor(operation: Operation, partner: Partner, scopes: readonly string[]): Promise<string>;
  /** Calls the operation in the partner's store, or another, and checks the response (see `checkAnswers`). */
  call(operation: Operation, requested?: RequestChoice, store?: Store): Promise<Checked>;
  /** Delivers a customer's cart. Returns the id of its order once the customer has received the summary. */
  order(store?: Store, items?: readonly string[]): Promise<string>;
  /** Returns a cart signed as the channel does, from a new customer. */
  cart(store: Store, items: readonly string[]): ReturnType<typeof signedCart>;
  /** Stops the service, before `close`. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export const operationNamed = (operations: readonly Operation[], id: string): Operation => {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
};

/** Returns whether the operation acts for a partner rather than in one store. */
export const isPartners = (operation: Operation): boolean => routeOf(operation).about === 'partner';

export const product = (fields: object = {}): object => ({
  name: 'Linen shirt',
  imageUrls: ['https://cdn.example.com/1.jpg'],
  priceCents: 12_00,
  ...fields,
});

type Run = (command: string, input: object) => Promise<Body>;

async function storeOf(run: Run, partner: string, externalRef: string, country = 'SO'): Promise<Store> {
  const { workspaceId } = await run('stores.create', {
    partner,
    externalRef,
    name: `Store ${externalRef}`,
    ownerEmail: 'hodan@example.com',
    ownerName: 'Hodan',
    country,
    timezone: 'Africa/Mogadishu',
  });
  const channel = await run('numbers.connect', { workspace: workspaceId });
  const { key } = await run('keys.create', { workspace: workspaceId, mode: 'test', scopes: SCOPES.workspace });
  return { workspaceId, externalRef, key, channel };
}

async function partnerOf(run: Run, slug: string, features: readonly string[]): Promise<Partner> {
  await run('plans.put', { key: slug, name: `Plan ${slug}`, features: features.map((key) => ({ key })) });
  const { id } = await run('partners.create', { name: `Partner ${slug}`, slug, plan: slug });
  const { key } = await run('keys.create', { partner: id, mode: 'live', scopes: SCOPES.partner });
  return { id, key, store: await storeOf(run, id, `${slug}-store`) };
}

/** Returns values for the required query parameters. */
function neededQuery(document: OpenApi, operation: Operation): Record<string, string> {
  const { method, path } = routeOf(operation);
  const { parameters }: Body = document.paths[path]?.[method.toLowerCase()] ?? { parameters: [] };
  const needed = parameters.filter((one: Body) => one.in === 'query' && one.required);
  return Object.fromEntries(
    needed.map(({ name, schema }: Body) => [name, sample(schema, document.components.schemas, name)]),
  );
}

/** Returns the URL of the operation in this store. */
export function urlOf(
  baseUrl: string,
  operation: Operation,
  store: Pick<Store, 'workspaceId'>,
  { params = {}, query = {} }: RequestChoice,
): string {
  const values: Record<string, string> = { workspaceId: store.workspaceId, ...params };
  const path = routeOf(operation).path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${operation.id}: no value for the path's ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${baseUrl}${path}${search.size === 0 ? '' : `?${search}`}`;
}

export function headersOf({ body, raw, headers }: RequestChoice, key: string | null): Record<string, string> {
  return {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...((body === undefined || body instanceof FormData) && raw === undefined
      ? {}
      : { 'content-type': 'application/json' }),
    ...headers,
  };
}

/** `env`: settings added to the stage's own. */
export async function conformanceStage(env: Readonly<Record<string, string>> = {}): Promise<ConformanceStage> {
  const folder = temporaryFolder('suuq-conformance-');
  const service = await startService(
    readSettings({
      PORT: '0',
      SUUQ_DATA: folder.path,
      SUUQ_RATE_IP: '1000000',
      SUUQ_RATE_KEY: '1000000',
      SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1',
      ...env,
    }),
    createLog('silent'),
  );
  const { baseUrl } = service;
  const operator: Run = (command, input) => callService(adminSocketPath(folder.path), command, input);
  const document = (await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json()) as OpenApi;
  const check = checkAnswers(document);
  const main = await partnerOf(operator, 'main', FEATURES);
  const sibling = await storeOf(operator, main.id, 'sibling-store');
  const rival = await partnerOf(operator, 'rival', FEATURES);
  const hooks = await receiver();
  const keys = new Map<string, Promise<Body>>();
  let carts = 0;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= service.stop();
    return stopping;
  };

  const call: ConformanceStage['call'] = async (operation, requested = {}, store = main.store) => {
    const { key = isPartners(operation) ? main.key : store.key, body, raw } = requested;
    const sent = raw ?? (body === undefined || body instanceof FormData ? body : JSON.stringify(body));
    const query = { ...neededQuery(document, operation), ...requested.query };
    const answer = await fetch(urlOf(baseUrl, operation, store, { ...requested, query }), {
      method: routeOf(operation).method,
      headers: headersOf(requested, key),
      ...(sent === undefined ? {} : { body: sent as string }),
    });
    const text = await answer.text();
    return check(operation, answer, text);
  };
  const orders = async ({ workspaceId, key }: Store): Promise<Body> =>
    (
      await fetch(`${baseUrl}/api/v1/workspaces/${workspaceId}/commerce/orders?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).json();

  /**
   * Returns whether the summary was sent. No pending message can then change the order of conversations and messages.
   */
  const isReported = async ({ workspaceId, key }: Store, conversationId: string): Promise<boolean> => {
    const answer = await fetch(`${baseUrl}/api/v1/workspaces/${workspaceId}/conversations/${conversationId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { lastMessage }: Body = await answer.json();
    return lastMessage?.direction === 'outbound' && lastMessage.status !== 'pending';
  };

  const cart: ConformanceStage['cart'] = (store, items) =>
    signedCart({ ...readDemo(folder.path), channel: store.channel }, ++carts, items);

  return {
    baseUrl,
    folder: folder.path,
    document,
    cart,
    main,
    sibling,
    rival,
    hooks,
    sandboxUrl: readDemo(folder.path).sandbox.baseUrl,
    operator,
    call,
    addPartner: (slug, features = FEATURES) => partnerOf(operator, slug, features),
    addStore: (partner, externalRef, country) => storeOf(operator, partner.id, externalRef, country),
    keyFor(operation, partner, scopes) {
      const owner = isPartners(operation) ? { partner: partner.id } : { workspace: partner.store.workspaceId };
      const name = JSON.stringify([owner, scopes]);
      // An owner may have 100 keys, and there are more than 50 operations.
      const known = keys.get(name) ?? operator('keys.create', { ...owner, mode: 'test', scopes });
      keys.set(name, known);
      return known.then(({ key }) => key);
    },
    async order(store = main.store, items = ['shirt']) {
      const before = (await orders(store)).orders[0]?.number ?? 0;
      const { status } = await fetch(store.channel.webhookUrl, { method: 'POST', ...cart(store, items) });
      if (status !== 200) throw new Error(`the channel's webhook answered ${status}`);
      let newest: Body;
      await until('the cart is an order', async () => {
        newest = (await orders(store)).orders[0];
        return newest !== undefined && newest.number > before;
      });
      await until('the customer has its summary', async () => await isReported(store, newest.conversationId));
      return newest.id;
    },
    stop,
    async close() {
      await stop();
      await hooks.close();
      folder.remove();
    },
  };
}

/** Returns all scopes of the operation's kind of owner except one. */
export const scopesWithout = (operation: Operation, scope: string): readonly string[] =>
  (isPartners(operation) ? SCOPES.partner : SCOPES.workspace).filter((one) => one !== scope);

export const featuresWithout = (feature: string): readonly string[] => FEATURES.filter((one) => one !== feature);
