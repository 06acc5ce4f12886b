/** What an event is found by in the index of the history. Facets hold ids of stores, members, keys and requests, and nothing of customers. */
import type { HistoryIndex } from '../ports/historyIndex.js';

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

const KINDS: ReadonlySet<string> = new Set(['member', 'partner_key', 'api_key', 'customer', 'system']);
/** Their ids tell of people, and are sealed. */
const PERSON = 'customer';
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
  if (typeof id === 'string' && kind !== PERSON) facets.push(ofActor(store, id));
  return facets;
}

/** Who is meant: a kind, an id, both, or an operator. An id that the index does not know may be a customer's. */
function actorFacets(store: string, actor: string, index: Pick<HistoryIndex, 'has'>): readonly string[] {
  if (actor.startsWith(OPERATOR)) return [ofOperators(store)];
  const colon = actor.indexOf(':');
  const kind = colon === -1 ? actor : actor.slice(0, colon);
  if (KINDS.has(kind) && (colon === -1 || kind === PERSON || colon === actor.length - 1)) return [ofKind(store, kind)];
  const id = ofActor(store, KINDS.has(kind) ? actor.slice(colon + 1) : actor);
  return index.has(id) ? [id] : [id, ofKind(store, PERSON)];
}

/**
 * Lists of facets, of each of which an event that answers has one. Undefined: nothing that is asked for is in the index.
 */
export function facetsAsked(
  { workspaceId: store, types, actor, correlationId }: FacetQuestion,
  index: Pick<HistoryIndex, 'has'>,
): readonly (readonly string[])[] | undefined {
  // So few that nothing else need be looked up.
  if (correlationId !== undefined) return [[requestFacet(correlationId)]];
  if (store === undefined) return undefined;
  const lists: (readonly string[])[] = [];
  if (types !== undefined) lists.push(types.map((type) => ofType(store, type)));
  if (actor !== undefined) lists.push(actorFacets(store, actor, index));
  return lists.length === 0 ? [[ofStore(store)]] : lists;
}
