/** Serves operations over HTTP for a test's stage. Callers are keys of stores, and members of one store. */

import type { Operation } from '../../../api/contract/operation.js';
import type { Services } from '../../../api/contract/services.js';
import { createMetrics } from '../../../api/http/metrics.js';
import { createHttpServer, type HttpServerOptions } from '../../../api/server/server.js';
import type {
  AccessDirectory,
  MemberAccess,
  Principal,
  WorkspaceAccess,
} from '../../../application/access/principal.js';
import { createAuthenticator } from '../../../infrastructure/secrets/authenticator.js';
import { createLog } from '../../../service/log.js';

/** Store that may use everything. */
const shopAccess = (workspaceId: string, more: Partial<WorkspaceAccess> = {}): WorkspaceAccess => ({
  workspaceId,
  name: 'Asha’s shop',
  status: 'active',
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'en',
  features: { has: () => true, limit: () => undefined, mark: 'all' },
  ...more,
});

export const secretKey = (keyId: string, workspaceId: string, scopes: readonly string[]): Principal => ({
  kind: 'secret_key',
  keyId,
  mode: 'test',
  scopes: new Set(scopes),
  workspaceId,
});

/** Directory of keys, of the stores with these ids and of the partner that `more` names. It has no members. */
export const shopDirectory = (
  principalOf: (credential: string) => Principal | undefined,
  ids: readonly string[],
  more: Partial<WorkspaceAccess> = {},
): AccessDirectory => ({
  principal: async (credential) => principalOf(credential),
  workspace: async (id) => (ids.includes(id) ? shopAccess(id, more) : undefined),
  partner: async (partnerId) =>
    partnerId !== more.partnerId
      ? undefined
      : {
          ...{ partnerId, name: 'A platform', slug: 'platform', status: 'active', planKey: 'all' },
          features: shopAccess('').features,
        },
  member: async () => undefined,
  forget: () => undefined,
});

/** Secret box that seals nothing. */
export const openBox: Services['secretBox'] = { seal: (plain) => plain, open: (sealed) => sealed };

/** Authenticator of cursors under a key of the tests. */
export const testCursors: Services['cursors'] = createAuthenticator([Buffer.alloc(32, 7)], 'cursors');

/** Passes the calling member to the operation, as a session does. The key's id selects the member. */
export const asMember =
  (members: ReadonlyMap<string, MemberAccess>) =>
  (operation: Operation): Operation => ({
    ...operation,
    handle: (request) =>
      operation.handle(
        Object.defineProperty(request, 'member', { value: members.get(request.principal.keyId), configurable: true }),
      ),
  });

export interface ApiServer {
  readonly url: string;
  readonly consoleUrl: string;
  close(): Promise<void>;
}

/** Listens on a free port of this machine, ready, without rate limits and without a log. `options` override this. */
export async function apiServer(
  options: Pick<HttpServerOptions, 'operations' | 'services' | 'progress'> & Partial<HttpServerOptions>,
): Promise<ApiServer> {
  const server = createHttpServer({
    settings: { host: '127.0.0.1', port: 0, trustProxy: 0, rates: { ip: 0, user: 0, key: 0 } },
    metrics: createMetrics(),
    log: createLog('silent'),
    about: async () => ({ name: 'suuq', version: '0', engines: {}, startedAt: 0, now: 0, counts: {} }),
    soleUser: true,
    ...options,
  });
  const { url } = await server.listen();
  server.ready();
  return { url, consoleUrl: server.consoleUrl(), close: () => server.close() };
}
