/** The endpoint of a listener: created when it starts, removed when it ends. */
import type { Suuq } from '../../client/src/client.js';
import { DomainError, refuse } from '../../domain/decider.js';
import { UsageError } from '../../service/admin/declaration.js';
import { LISTENER } from '../../service/admin/listeners.js';
import type { Execute } from '../command.js';
import { withClient } from '../remote/apiCalls.js';
import type { ApiTarget } from '../remote/apiTarget.js';

export interface ListenedEndpoint {
  readonly id: string;
  readonly secret: string;
  /** Endpoints that listeners had left behind. */
  readonly removed: number;
  /** Renews the listener; due every `renewMs`. Throws the service's refusal. */
  renew?(): Promise<void>;
  remove(): Promise<void>;
}

export interface EndpointRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly partner?: string;
  readonly store?: string;
}

/** Default owner of the events: the only partner, or the only store. Throws UsageError. */
async function ownerOf(execute: Execute, { partner, store }: EndpointRequest): Promise<{ owner: string; id: string }> {
  if (store !== undefined) return { owner: 'store', id: store };
  if (partner !== undefined) return { owner: 'partner', id: partner };
  const { partners } = (await execute('partners.list', {})) as { partners: readonly { id: string }[] };
  if (partners.length === 1) return { owner: 'partner', id: partners[0]!.id };
  const { stores } = (await execute('stores.list', {})) as { stores: readonly { workspaceId: string }[] };
  if (partners.length === 0 && stores.length === 1) return { owner: 'store', id: stores[0]!.workspaceId };
  if (stores.length === 0) return refuse('nothing_to_hear', 'There are no stores yet. Create one first.');
  throw new UsageError(
    "--store or --partner is missing, as there are several stores. Run 'suuq admin stores list' to list them",
  );
}

/** On this machine: the service sends to this very address while its operator listens. */
export async function endpointHere(execute: Execute, requested: EndpointRequest): Promise<ListenedEndpoint> {
  const { url, events } = requested;
  const owner = await ownerOf(execute, requested);
  const made = (await execute('listeners.open', { ...owner, url, events })) as {
    readonly endpointId: string;
    readonly secret: string;
    readonly removed: number;
  };
  const input = { endpoint: made.endpointId, url };
  return {
    id: made.endpointId,
    secret: made.secret,
    removed: made.removed,
    renew: async () => void (await execute('listeners.renew', input)),
    remove: async () => void (await execute('listeners.close', input)),
  };
}

/** The operations on endpoints of the key's owner. */
function endpointsOf(client: Suuq, store: string | undefined) {
  if (store === undefined)
    return {
      list: () => client.listPartnerWebhookEndpoints(),
      create: (body: Parameters<Suuq['createPartnerWebhookEndpoint']>[0]['body']) =>
        client.createPartnerWebhookEndpoint({ body }),
      remove: (endpointId: string) => client.deletePartnerWebhookEndpoint({ endpointId }),
    };
  const workspaceId = store;
  return {
    list: () => client.listWebhookEndpoints({ workspaceId }),
    create: (body: Parameters<Suuq['createWebhookEndpoint']>[0]['body']) =>
      client.createWebhookEndpoint({ workspaceId, body }),
    remove: (endpointId: string) => client.deleteWebhookEndpoint({ workspaceId, endpointId }),
  };
}

/** Endpoint at a remote service, which reaches this machine at the user's address. */
export async function endpointElsewhere(at: ApiTarget, requested: EndpointRequest): Promise<ListenedEndpoint> {
  const store = requested.store ?? (at.key.startsWith('sk_') ? at.workspaceId : undefined);
  if (store === undefined && at.key.startsWith('sk_'))
    throw new UsageError("--store is missing: the profile has a store's key but no store");
  const { origin } = new URL(requested.url);
  return withClient(at, async (client) => {
    const endpoints = endpointsOf(client, store);
    const left = (await endpoints.list()).endpoints.filter(
      ({ description, url }) => description === LISTENER && url.startsWith(`${origin}/`),
    );
    for (const { id } of left) await endpoints.remove(id);
    const events = requested.events as Parameters<Suuq['createWebhookEndpoint']>[0]['body']['events'];
    const { endpoint, secret } = await endpoints.create({ url: requested.url, events, description: LISTENER });
    if (secret === undefined) throw new DomainError('internal_error', 'The service returned no secret.');
    return {
      id: endpoint.id,
      secret,
      removed: left.length,
      remove: () => withClient(at, async () => void (await endpoints.remove(endpoint.id))),
    };
  });
}
