/** Names of actors for people: a member's name, a key's last characters, a customer's phone. */
import type { EventMeta } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { members } from '../../projections/members.js';
import type { LoggedRequest } from './requestLog.js';

type Did = Pick<RecordedEvent, 'meta'>;

/** Prefix of actor ids for changes by a store's members in the console, followed by the session's first digits. */
const STORE_CONSOLE = 'console-store-';

const keyOf = ({ actor: { type, id }, workspaceId, operator }: EventMeta): string =>
  JSON.stringify([type, id, workspaceId, operator]);

async function nameOf(reads: Reads, { actor: { type, id }, workspaceId, operator }: EventMeta): Promise<string> {
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
      if (id !== 'operator') return `Suuq (${id})`;
      return operator === undefined ? 'The operator' : `The operator (${operator})`;
  }
}

interface NamesOptions {
  /** True: operators are named by their account, if the event contains it. False for a store's members. */
  readonly accounts: boolean;
}

/** Returns names of the actors of these events, each looked up once. */
export async function actorNames(
  reads: Reads,
  events: readonly Did[],
  { accounts }: NamesOptions = { accounts: false },
): Promise<(event: Did) => string> {
  const names = new Map<string, string>();
  const redacted = ({ operator, ...meta }: EventMeta): EventMeta => ({
    ...meta,
    ...(accounts && defined({ operator })),
  });
  for (const did of events) {
    const meta = redacted(did.meta);
    const key = keyOf(meta);
    if (!names.has(key)) names.set(key, await nameOf(reads, meta));
  }
  return ({ meta }) => names.get(keyOf(redacted(meta))) ?? meta.actor.type;
}

/** Caller of a request: the key, by its owner and last four characters, and the member of a session. */
export interface RequesterName {
  readonly key: string;
  readonly member?: string;
}

const didBy = (type: 'api_key' | 'partner_key' | 'member', id: string, workspaceId: string | undefined): Did => ({
  meta: { at: '', correlationId: '', actor: { type, id }, ...defined({ workspaceId }) },
});
const requestingKey = ({ keyKind, keyId, workspaceId }: LoggedRequest): Did => didBy(keyKind, keyId, workspaceId);
const requestingMember = ({ memberId, workspaceId }: LoggedRequest): Did | undefined =>
  memberId === undefined ? undefined : didBy('member', memberId, workspaceId);

/** Returns names of the callers of these requests, each looked up once. */
export async function requesterNames(
  reads: Reads,
  requests: readonly LoggedRequest[],
): Promise<(request: LoggedRequest) => RequesterName> {
  const members = requests.map(requestingMember).filter((one) => one !== undefined);
  const nameOf = await actorNames(reads, [...requests.map(requestingKey), ...members]);
  return (request) => {
    const member = requestingMember(request);
    return { key: nameOf(requestingKey(request)), ...(member !== undefined && { member: nameOf(member) }) };
  };
}
