/** Sessions over HTTP on the embedded engines, with a clock that moves only when a test moves it. */
import { createHmac, randomUUID } from 'node:crypto';
import type { RateSettings } from '../../../api/http/rates/rateLimit.js';
import { operations } from '../../../api/operations/index.js';
import { sessionEndings } from '../../../application/access/sessionEndings.js';
import { WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import { order } from '../../../domain/orders/order.js';
import type { OrderEvent } from '../../../domain/orders/orderEvents.js';
import { createProcessorRuntime } from '../../../engine/processors/runtime.js';
import { temporaryFolder } from '../../../harness/service/serviceProcess.js';
import type { Instance } from '../../../service/composition/instance.js';
import { createLog } from '../../../service/log.js';
import { type FakeClock, fakeClock } from '../doubles/fakeClock.js';
import { servedInstance } from './servedInstance.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by tests
export type Any = any;

export interface Answered {
  readonly status: number;
  readonly body: Any;
  readonly headers: Headers;
}

export interface Keys {
  readonly id: string;
  readonly secret: { readonly id: string; readonly key: string };
  readonly publishable: { readonly id: string; readonly key: string };
}

export interface SessionStage {
  readonly clock: FakeClock;
  readonly instance: () => Instance;
  /** Returns the base URL, without a slash at the end. */
  address(): string;
  operator(command: string, input: object): Promise<Any>;
  key(owner: object, more?: object): Promise<{ id: string; key: string }>;
  /** Creates a store without a partner, with a live secret key and a live publishable key. */
  store(name: string): Promise<Keys>;
  /** Creates a partner with such keys. */
  partner(slug: string): Promise<Keys>;
  partnerStore(partner: string, externalRef: string): Promise<string>;
  /** Places an order of the store, with a team or none. */
  order(workspaceId: string, teamId?: string): Promise<string>;
  call(
    credential: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: object,
  ): Promise<Answered>;
  signIn(keys: { publishable: { key: string } }, userToken: string, more?: object): Promise<Answered>;
  /**
   * Delays the work that ends sessions after their requests are already refused, until the returned function is called.
   */
  holdEndings(): () => void;
  /** Returns the clock's time, in seconds since 1970. */
  seconds(): number;
  /** Returns claims of a workspace's user, with a new `jti`. */
  claims(sub: string, more?: object): Record<string, unknown>;
  /** Ends the process, as far as a test can, and starts it again on the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const base64url = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Returns a JWT signed with HMAC, made by hand so that every part of it can be wrong. */
export function jwt(claims: unknown, key: string, header: object = {}, hash = 'sha256'): string {
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT', ...header })}.${base64url(claims)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

const FEATURES = ['workspace.core', 'commerce.orders', 'commerce.catalog', 'channel.number'];
const NOBODY = { name: 'A', country: 'SO', timezone: 'UTC', ownerEmail: 'a@example.com', ownerName: 'A' };
export const START = Date.parse('2026-03-01T08:00:00Z');

async function serve(path: string, clock: FakeClock, rates: RateSettings, endings: () => Promise<void>) {
  const served = await servedInstance(path, { operations, clock, rates });
  const { instance, services } = served;
  const caughtUp = async (categories: readonly string[]): Promise<void> => {
    await endings();
    await instance.progress.waitFor(categories, await instance.services.eventStore.head(), 5000);
  };
  const processors = createProcessorRuntime({
    eventStore: services.eventStore,
    work: services.work,
    processors: [sessionEndings({ caughtUp, eventStore: services.eventStore })],
    commands: services.commandHandler,
    reads: services.reads,
    clock,
    log: createLog('silent'),
  });
  await processors.start();
  return {
    ...served,
    async close() {
      await processors.stop();
      await served.close();
    },
  };
}

const placed = (teamId: string | undefined): OrderEvent => ({
  type: 'OrderPlaced',
  data: {
    number: 1,
    lines: [],
    totals: { subtotalCents: 0, discountCents: 0, deliveryFeeCents: 0, totalCents: 0 },
    currency: 'USD',
    customerPhone: '+252611000001',
    ...(teamId === undefined ? {} : { teamId }),
  } as Extract<OrderEvent, { type: 'OrderPlaced' }>['data'],
});

/** `rates`: requests per minute. Default: 0, no limit. `start`: ms since 1970. */
export async function openSessionStage(
  options: { rates?: Partial<RateSettings>; start?: number } = {},
): Promise<SessionStage> {
  const folder = temporaryFolder('suuq-sessions-');
  const clock = fakeClock(options.start ?? START);
  const rates = { ip: 0, user: 0, key: 0, ...options.rates };
  let endings = Promise.resolve();
  let running = await serve(folder.path, clock, rates, () => endings);
  const operator: SessionStage['operator'] = (command, input) => running.operator(command, input);
  await operator('plans.put', { key: 'all', name: 'All', features: FEATURES.map((key) => ({ key, enabled: true })) });
  const key: SessionStage['key'] = (owner, more = {}) => operator('keys.create', { ...owner, mode: 'live', ...more });
  const keysOf = async (id: string, owner: object, scopes: readonly string[]): Promise<Keys> => ({
    id,
    secret: await key(owner, { scopes }),
    publishable: await key(owner, { kind: 'publishable' }),
  });
  const call: SessionStage['call'] = async (credential, method, path, body, headers = {}) => {
    const answer = await fetch(`${running.url}/api/v1${path}`, {
      method,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
  };
  const seconds = (): number => Math.floor(clock.now() / 1000);
  return {
    clock,
    instance: () => running.instance,
    address: () => running.url,
    operator,
    key,
    call,
    holdEndings() {
      let release: () => void = () => undefined;
      endings = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    seconds,
    async store(name) {
      const { workspaceId } = await operator('stores.create', { ...NOBODY, name, plan: 'all' });
      return keysOf(workspaceId, { workspace: workspaceId }, WORKSPACE_SCOPES);
    },
    async partner(slug) {
      const { id } = await operator('partners.create', { name: slug, slug, plan: 'all' });
      return keysOf(id, { partner: id }, ['partner.stores:manage', ...WORKSPACE_SCOPES]);
    },
    async partnerStore(partner, externalRef) {
      return (await operator('stores.create', { ...NOBODY, name: `Store ${externalRef}`, partner, externalRef }))
        .workspaceId;
    },
    async order(workspaceId, teamId) {
      const id = randomUUID();
      const context = {
        commandId: id,
        actor: { type: 'system' } as const,
        correlationId: 'spec',
        workspaceId,
      };
      const { services, progress } = running.instance;
      const { position } = await services.commandHandler.decide(context, order, id, () => [placed(teamId)]);
      await progress.waitFor(['order'], position!, 5000);
      return id;
    },
    signIn: (keys, userToken, more = {}) =>
      call(undefined, 'POST', '/sdk/sessions', { publishableKey: keys.publishable.key, userToken, ...more }),
    claims: (sub, more = {}) => ({
      sub,
      jti: randomUUID(),
      exp: seconds() + 300,
      email: `${sub}@example.com`,
      email_verified: true,
      ...more,
    }),
    async restart() {
      await running.close();
      running = await serve(folder.path, clock, rates, () => endings);
    },
    async close() {
      await running.close();
      folder.remove();
    },
  };
}
