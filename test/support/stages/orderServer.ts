/** The operations on orders and delivery over HTTP, on a stage of orders, with keys of two stores. */
import { deliveryOperations } from '../../../api/operations/delivery/index.js';
import { orderOperations } from '../../../api/operations/orders/index.js';
import type { Principal } from '../../../application/access/principal.js';
import { derivedId } from '../../../domain/ids.js';
import { systemClock } from '../../../engine/ports/clock.js';
import { type ApiServer, apiServer, openBox, secretKey, shopDirectory, testCursors } from './apiServer.js';
import { type OrderStage, STORE } from './orderStage.js';

export const OTHER_STORE = '00000000-0000-4000-8000-000000000002';

const keyOf = (workspaceId: string, ...scopes: string[]): Principal =>
  secretKey(derivedId('key', workspaceId, ...scopes), workspaceId, scopes);
export const KEYS: Record<string, Principal> = {
  sk_test_all: keyOf(STORE, 'orders:view', 'orders:manage', 'commerce:manage'),
  sk_test_view: keyOf(STORE, 'orders:view'),
  sk_test_other: keyOf(OTHER_STORE, 'orders:view', 'orders:manage', 'commerce:manage'),
};

const team = (n: number): string => derivedId('team', n);
/** Teams of agents, by session token: one agent is in two teams of the store, one in fifty. */
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

export function orderServer(stage: OrderStage): Promise<ApiServer> {
  const services = {
    clock: systemClock,
    eventStore: stage.events,
    commandHandler: stage.commands,
    reads: stage.reads,
    work: stage.work,
    directory: {
      ...shopDirectory((key) => KEYS[key] ?? sessionOf(key), [STORE, OTHER_STORE]),
      member: async (_: string, memberId: string) => ({
        memberId,
        role: 'agent' as const,
        teamIds: TEAMS_OF[memberId] ?? [],
        seesEveryTeam: false,
        isActive: true,
        scopes: new Set(['orders:view']),
      }),
    },
    secretBox: openBox,
    cursors: testCursors,
  };
  return apiServer({
    operations: [...orderOperations, ...deliveryOperations],
    services,
    progress: {
      waitFor: (_, position, ms) =>
        stage.projections.waitFor(['orders', 'orderRows', 'deliverySettings'], position, ms),
    },
  });
}
