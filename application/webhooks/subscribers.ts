import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Store, store } from '../../domain/stores/store.js';
import { webhookPlaces } from '../../domain/webhooks/endpointPlaces.js';
import { webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { EndpointOwner } from '../../domain/webhooks/webhookEvents.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import {
  BEFORE_ALL,
  type EventStore,
  type Position,
  type RecordedEvent,
  streamName,
} from '../../engine/ports/eventStore.js';
import type { AccessDirectory } from '../access/principal.js';

interface OwnerParts {
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  readonly commands: Pick<CommandHandler, 'query'>;
}
type Happened = Pick<RecordedEvent, 'meta'>;

const partnerOf = (state: Store): string | undefined => (state.status === 'absent' ? undefined : state.partnerId);

/** Maximum concurrent deliveries to one endpoint, so that one that hangs for 10 s does not block all others. */
const LANES = 4;
/** Maximum endpoints whose creation is cached. */
const MOST_CREATED = 10_000;

/** Returns the position of the event that created an endpoint. It receives later events of the log, whatever the clocks were. */
export type CreatedAt = (endpointId: string) => Promise<Position>;

export function creations(log: Pick<EventStore, 'readStream'>): CreatedAt {
  const known = new LRUCache<string, Position>({ max: MOST_CREATED });
  return async (endpointId) => {
    const before = known.get(endpointId);
    if (before !== undefined) return before;
    const [created] = await log.readStream(streamName(webhookEndpoint.name, endpointId), { limit: 1 });
    if (created !== undefined) known.set(endpointId, created.position);
    return created?.position ?? BEFORE_ALL;
  };
}

/**
 * Returns the lane for an object's events, which are delivered in order. A tenant's lanes are a group, so that all endpoints of one tenant
 * may hang without blocking others.
 */
export function laneOf(tenant: string, orderedBy: string): (endpointId: string) => string {
  // Computed once for all receiving endpoints.
  const index = Number.parseInt(hash('sha1', orderedBy, 'hex').slice(0, 2), 16) % LANES;
  return (endpointId) => lane(tenant, endpointId, index);
}

const lane = (tenant: string, endpointId: string, index: number): string => `${tenant}/${endpointId}.${index}`;

/** Lanes of an endpoint's deliveries. */
export const lanesOf = (tenant: string, endpointId: string): readonly string[] =>
  Array.from({ length: LANES }, (_, index) => lane(tenant, endpointId, index));

/** Returns the owners whose endpoints receive a store's events. The last one is the tenant: the store's partner, or the store. */
export async function ownersOf(
  { directory, commands }: OwnerParts,
  { meta }: Happened,
  workspaceId: string,
): Promise<readonly string[]> {
  // A new store may not be in the directory yet, but its partner receives its events already.
  const shown = await directory.workspace(workspaceId);
  const of = shown === undefined ? await commands.query(store, workspaceId, partnerOf) : shown.partnerId;
  const partnerId = of ?? meta.partnerId;
  return partnerId === undefined ? [workspaceId] : [workspaceId, partnerId];
}

/** Returns the tenant of an endpoint's deliveries. */
export const tenantOf = async (parts: OwnerParts, happened: Happened, owner: EndpointOwner): Promise<string> =>
  'partnerId' in owner ? owner.partnerId : (await ownersOf(parts, happened, owner.workspaceId)).at(-1)!;

/** Returns ids of the owners' endpoints that are enabled, subscribe to the event's type, and were created before the event. */
export async function subscribed(
  commands: CommandHandler,
  owners: readonly string[],
  type: string,
  event: { readonly position: Position; readonly createdAt: CreatedAt },
): Promise<string[]> {
  const found: string[] = [];
  for (const owner of owners) {
    const ids = await commands.query(webhookPlaces, owner, (places) => [...places.keys()]);
    for (const id of ids) {
      const requested = await commands.query(
        webhookEndpoint,
        id,
        (endpoint) => endpoint.status === 'active' && endpoint.events.includes(type),
      );
      if (requested && (await event.createdAt(id)) < event.position) found.push(id);
    }
  }
  return found;
}
