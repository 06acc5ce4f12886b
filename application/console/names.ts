/** Who did it, by a name that people know: a member's, a key's last characters, a customer's phone. */
import type { Actor } from '../../domain/decider.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { members } from '../../projections/members.js';

type Did = Pick<RecordedEvent, 'meta'>;

/** Of what a store's people change in the console; the session's first digits follow. */
export const STORE_CONSOLE = 'console-store-';

const keyOf = ({ type, id }: Actor, workspaceId: string | undefined): string => `${type} ${workspaceId} ${id}`;

async function nameOf(reads: Reads, { type, id }: Actor, workspaceId: string | undefined): Promise<string> {
  if (id === undefined) return type === 'customer' ? 'The customer' : 'Suuq';
  switch (type) {
    case 'member': {
      const found = workspaceId === undefined ? undefined : await reads.get(members, `${workspaceId}/${id}`);
      return found?.body.name ?? `Member ${id.slice(0, 8)}`;
    }
    case 'api_key':
    case 'partner_key': {
      const [found] = await reads.find(apiKeys, { where: { keyId: id }, limit: 1 });
      const kind = type === 'api_key' ? "The store's key" : "The partner's key";
      return found === undefined ? `${kind} ${id.slice(0, 8)}` : `${kind} …${found.body.last4}`;
    }
    case 'customer':
      return 'The customer';
    default:
      if (id.startsWith(STORE_CONSOLE)) return `The store's people (console ${id.slice(STORE_CONSOLE.length)})`;
      return id === 'operator' ? 'The operator' : `Suuq (${id})`;
  }
}

/** Names of those who did these, each looked up once. */
export async function actorNames(reads: Reads, events: readonly Did[]): Promise<(event: Did) => string> {
  const names = new Map<string, string>();
  for (const { meta } of events) {
    const key = keyOf(meta.actor, meta.workspaceId);
    if (!names.has(key)) names.set(key, await nameOf(reads, meta.actor, meta.workspaceId));
  }
  return ({ meta }) => names.get(keyOf(meta.actor, meta.workspaceId)) ?? meta.actor.type;
}
