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

const team = (n: number): string => derivedId('team', n);
/** Agents by their session tokens: in two teams of the store, and in fifty. */
const TEAMS_OF: Readonly<Record<string, readonly string[]>> = {
  [`sdk_${'2'.repeat(32)}${'a'.repeat(43)}`]: [team(0), team(1)],
  [`sdk_${'5'.repeat(32)}${'a'.repeat(43)}`]: Array.from({ length: 50 }, (_, n) => team(n)),
};
export const [IN_TWO_TEAMS, IN_FIFTY_TEAMS] = Object.keys(TEAMS_OF) as [string, string];

function sessionOf(token: string): Principal | undefined {
  if (TEAMS_OF[token] === undefined) return undefined;
  const { now } = Date;
  const session = {
    sessionId: token,
    userId: token,
    tokenHash: token,
    expiresAt: now() + 900_000,
    refreshUntil: now() + 900_000,
    stores: [{ workspaceId: STORE, memberId: token }],
  };
  return { ...keyOf(STORE, 'orders:view'), kind: 'session', session };
}

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
      principal: async (key: string) => KEYS[key] ?? sessionOf(key),
      workspace: async (id: string) => ([STORE, OTHER_STORE].includes(id) ? workspace(id) : undefined),
      partner: async () => undefined,
      member: async (_: string, memberId: string) => ({
        memberId,
        role: 'agent' as const,
        teamIds: TEAMS_OF[memberId] ?? [],
        seesEveryTeam: false,
        isActive: true,
        scopes: new Set(['orders:view']),
      }),
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
