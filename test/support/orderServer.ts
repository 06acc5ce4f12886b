/** The operations on orders and delivery over HTTP, on a world of orders, with keys of two stores. */
import { deliveryOperations } from '../../api/delivery/operations.js';
import { createHttpServer } from '../../api/http/server.js';
import { createLog } from '../../api/log.js';
import { createMetrics } from '../../api/metrics.js';
import { orderOperations } from '../../api/orders/operations.js';
import type { Features, Principal, WorkspaceAccess } from '../../application/access/principal.js';
import { derivedId } from '../../application/ids.js';
import { systemClock } from '../../application/ports/clock.js';
import { type OrderWorld, STORE } from './orderWorld.js';

export const OTHER_STORE = '00000000-0000-4000-8000-000000000002';
const ALL: Features = { has: () => true, limit: () => undefined };

const workspace = (workspaceId: string): WorkspaceAccess => ({
  workspaceId,
  name: 'Asha’s shop',
  status: 'active',
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'en',
  features: ALL,
});
const keyOf = (workspaceId: string, ...scopes: string[]): Principal => ({
  kind: 'secret_key',
  keyId: derivedId('key', workspaceId, ...scopes),
  mode: 'test',
  scopes: new Set(scopes),
  workspaceId,
});
export const KEYS: Record<string, Principal> = {
  sk_test_all: keyOf(STORE, 'orders:view', 'orders:manage', 'commerce:manage'),
  sk_test_view: keyOf(STORE, 'orders:view'),
  sk_test_other: keyOf(OTHER_STORE, 'orders:view', 'orders:manage', 'commerce:manage'),
};

export interface OrderServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function orderServer(world: OrderWorld): Promise<OrderServer> {
  const services = {
    clock: systemClock,
    eventStore: world.events,
    commandHandler: world.commands,
    reads: world.reads,
    work: world.work,
    directory: {
      principal: async (key: string) => KEYS[key],
      workspace: async (id: string) => ([STORE, OTHER_STORE].includes(id) ? workspace(id) : undefined),
      partner: async () => undefined,
      member: async () => undefined,
      forget: () => undefined,
    },
    secretBox: { seal: (plain: string) => plain, open: (sealed: string) => sealed },
  };
  const server = createHttpServer({
    operations: [...orderOperations, ...deliveryOperations],
    services,
    settings: { host: '127.0.0.1', port: 0, trustProxy: 0, rates: { ip: 0, user: 0, key: 0 } },
    progress: {
      waitFor: (_, position, ms) =>
        world.projections.waitFor(['orders', 'orderRows', 'deliverySettings'], position, ms),
    },
    metrics: createMetrics(),
    log: createLog('silent'),
    about: async () => ({ name: 'suuq', version: '0', engines: {}, startedAt: 0, now: 0, counts: {} }),
    soleUser: true,
  });
  const { url } = await server.listen();
  server.ready();
  return { url, close: () => server.close() };
}
