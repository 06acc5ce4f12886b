/** What an event is found by in the index of the history: ids of stores, members, keys and requests. Customers: customerFacets.ts. */
import { isErased } from '../../domain/erased.js';

/** What of an event is looked at; metadata of other programs may be anything. */
interface About {
  readonly type: string;
  readonly meta: {
    readonly workspaceId?: unknown;
    readonly correlationId?: unknown;
    readonly operator?: unknown;
    readonly actor?: unknown;
  };
}

/** What is asked for: as `answers` of console/eventFilter.ts takes it. */
export interface FacetQuestion {
  readonly workspaceId?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  readonly correlationId?: string | undefined;
}

/** What a store's customer who is known by an id is found by. */
export type CustomerFacets = (store: string, id: string) => Promise<readonly string[]>;

const KINDS: ReadonlySet<string> = new Set(['member', 'partner_key', 'api_key', 'customer', 'system']);
/** Their ids tell of people, and are sealed. */
export const CUSTOMER = 'customer';
const OPERATOR = 'operator:';

const ofStore = (store: string): string => `store ${store}`;
const ofType = (store: string, type: string): string => `type ${store} ${type}`;
const ofKind = (store: string, kind: string): string => `kind ${store} ${kind}`;
const ofActor = (store: string, id: string): string => `actor ${store} ${id}`;
const ofOperators = (store: string): string => `operators ${store}`;
/** What all that a request did is found by. */
export const requestFacet = (correlationId: string): string => `request ${correlationId}`;

/** What an event is found by beside its request: the same for all of a type, an actor and a store. */
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

/** Who is meant: a kind, an id, both, or an operator. An id alone may be a customer's, who may have been forgotten since. */
async function actorFacets(store: string, actor: string, customer: CustomerFacets): Promise<readonly string[]> {
  if (actor.startsWith(OPERATOR)) return [ofOperators(store)];
  const [, kind, id] = /^([^:]*):(.+)$/s.exec(actor) ?? [];
  const before = actor.replace(/:$/, '');
  if (KINDS.has(before)) return [ofKind(store, before)];
  const [known, whose] = kind !== undefined && KINDS.has(kind) ? [kind, id!] : [undefined, actor];
  const facets = known === CUSTOMER ? [] : [ofActor(store, whose)];
  if (known !== undefined && known !== CUSTOMER) return facets;
  // Such an id is made of the event that it is read in, and nothing else leads there.
  return [...facets, ...(isErased(whose) ? [ofKind(store, CUSTOMER)] : await customer(store, whose))];
}

/**
 * Lists of facets, of each of which an event that answers has one. Undefined: nothing that is asked for is in the index.
 */
export async function facetsAsked(
  { workspaceId: store, types, actor, correlationId }: FacetQuestion,
  customer: CustomerFacets,
): Promise<readonly (readonly string[])[] | undefined> {
  // So few that nothing else need be looked up.
  if (correlationId !== undefined) return [[requestFacet(correlationId)]];
  if (store === undefined) return undefined;
  const lists: (readonly string[])[] = [];
  if (types !== undefined) lists.push(types.map((type) => ofType(store, type)));
  if (actor !== undefined) lists.push(await actorFacets(store, actor, customer));
  return lists.length === 0 ? [[ofStore(store)]] : lists;
}
