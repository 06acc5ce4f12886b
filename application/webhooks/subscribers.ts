import { hash } from 'node:crypto';
import { webhookPlaces } from '../../domain/webhooks/endpointPlaces.js';
import { webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { EndpointOwner } from '../../domain/webhooks/webhookEvents.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { AccessDirectory } from '../access/principal.js';

type Directory = Pick<AccessDirectory, 'workspace'>;
type Happened = Pick<RecordedEvent, 'meta'>;

/** Deliveries in flight at once to one endpoint: one that hangs for 10 s keeps no other waiting. */
const LANES = 4;
/** An endpoint is told of what happened from its creation on; the allowance is for clocks of several instances. */
export const CLOCK_SKEW_MS = 60_000;

/**
 * What is told about one object goes one after another: to one lane of the endpoint. A tenant's lanes are a group, so that
 * all endpoints of one may hang.
 */
export function laneOf(tenant: string, orderedBy: string): (endpointId: string) => string {
  // Once for all endpoints that are told of it.
  const index = Number.parseInt(hash('sha1', orderedBy, 'hex').slice(0, 2), 16) % LANES;
  return (endpointId) => lane(tenant, endpointId, index);
}

const lane = (tenant: string, endpointId: string, index: number): string => `${tenant}/${endpointId}.${index}`;

/** The lanes of an endpoint's deliveries. */
export const lanesOf = (tenant: string, endpointId: string): readonly string[] =>
  Array.from({ length: LANES }, (_, index) => lane(tenant, endpointId, index));

/** Whose endpoints are told of an event in a store; the last is the tenant: the store's partner, or the store. */
export async function ownersOf(
  directory: Directory,
  { meta }: Happened,
  workspaceId: string,
): Promise<readonly string[]> {
  const partnerId = (await directory.workspace(workspaceId))?.partnerId ?? meta.partnerId;
  return partnerId === undefined ? [workspaceId] : [workspaceId, partnerId];
}

/** The tenant that an endpoint's deliveries count for. */
export const tenantOf = async (directory: Directory, happened: Happened, owner: EndpointOwner): Promise<string> =>
  'partnerId' in owner ? owner.partnerId : (await ownersOf(directory, happened, owner.workspaceId)).at(-1)!;

/** Ids of the owners' endpoints that are on and subscribe to the type. `at`: ms since 1970. */
export async function subscribed(
  commands: CommandHandler,
  owners: readonly string[],
  type: string,
  at: number,
): Promise<string[]> {
  const found: string[] = [];
  for (const owner of owners) {
    const ids = await commands.query(webhookPlaces, owner, (places) => [...places.keys()]);
    for (const id of ids) {
      const wanted = await commands.query(
        webhookEndpoint,
        id,
        (endpoint) =>
          endpoint.status === 'active' && endpoint.events.includes(type) && endpoint.createdAt <= at + CLOCK_SKEW_MS,
      );
      if (wanted) found.push(id);
    }
  }
  return found;
}
