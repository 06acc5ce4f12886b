/** Index keys of events in the history index: ids of stores, members, keys and requests. Customers: customerFacets.ts. */
import { isErased } from '../../domain/erasure.js';

/** Indexed parts of an event. Metadata of other programs may contain anything. */
interface About {
  readonly type: string;
  readonly meta: {
    readonly workspaceId?: unknown;
    readonly correlationId?: unknown;
    readonly operator?: unknown;
    readonly actor?: unknown;
  };
}

/** Criteria of a query, as in `answers` of console/eventFilter.ts. */
export interface FacetQuestion {
  readonly workspaceId?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  readonly correlationId?: string | undefined;
}

/** Returns the index keys of a store's customer with this id. */
export type CustomerFacets = (store: string, id: string) => Promise<readonly string[]>;

const KINDS: ReadonlySet<string> = new Set(['member', 'partner_key', 'api_key', 'customer', 'system']);
/** Actor type whose ids identify people, and are sealed. */
export const CUSTOMER = 'customer';
const OPERATOR = 'operator:';

const ofStore = (store: string): string => `store ${store}`;
const ofType = (store: string, type: string): string => `type ${store} ${type}`;
const ofKind = (store: string, kind: string): string => `kind ${store} ${kind}`;
const ofActor = (store: string, id: string): string => `actor ${store} ${id}`;
const ofOperators = (store: string): string => `operators ${store}`;
/** Index key of all events of a request. */
export const requestFacet = (correlationId: string): string => `request ${correlationId}`;

/** Returns the index keys of an event, other than its request's. They are equal for all events with the same type, actor and store. */
export function facetsOf({ type, meta }: About): readonly string[] {
  const { workspaceId: store, operator } = meta;
  if (typeof store !== 'string') return [];
  const facets = [ofStore(store), ofType(store, type)];
  if (operator !== undefined) facets.push(ofOperators(store));
  const { type: kind, id } = (meta.actor ?? {}) as { readonly type?: unknown; readonly id?: unknown };
  if (typeof kind !== 'string') return facets;
  facets.push(ofKind(store, kind));
  if (typeof id === 'string' && kind !== CUSTOMER) facets.push(ofActor(store, id));
  return facets;
}

/**
 * Returns the index keys of an actor in a query: a type, an id, both, or an operator. An id alone may be that of a customer, who may have
 * been erased since.
 */
async function actorFacets(store: string, actor: string, customer: CustomerFacets): Promise<readonly string[]> {
  if (actor.startsWith(OPERATOR)) return [ofOperators(store)];
  const [, kind, id] = /^([^:]*):(.+)$/s.exec(actor) ?? [];
  const before = actor.replace(/:$/, '');
  if (KINDS.has(before)) return [ofKind(store, before)];
  const [known, owner] = kind !== undefined && KINDS.has(kind) ? [kind, id!] : [undefined, actor];
  const facets = known === CUSTOMER ? [] : [ofActor(store, owner)];
  if (known !== undefined && known !== CUSTOMER) return facets;
  // Such an id is derived from the event that contains it, so no index key exists.
  return [...facets, ...(isErased(owner) ? [ofKind(store, CUSTOMER)] : await customer(store, owner))];
}

/** Returns lists of index keys. A matching event has at least one key of each list. Undefined: the index does not cover the query. */
export async function facetsOfQuery(
  { workspaceId: store, types, actor, correlationId }: FacetQuestion,
  customer: CustomerFacets,
): Promise<readonly (readonly string[])[] | undefined> {
  // A request has so few events that no other key is needed.
  if (correlationId !== undefined) return [[requestFacet(correlationId)]];
  if (store === undefined) return undefined;
  const lists: (readonly string[])[] = [];
  if (types !== undefined) lists.push(types.map((type) => ofType(store, type)));
  if (actor !== undefined) lists.push(await actorFacets(store, actor, customer));
  return lists.length === 0 ? [[ofStore(store)]] : lists;
}
