/** Subjects of history queries: their streams, and their form in the API. */
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { type RecordedEvent, streamName } from '../../engine/ports/eventStore.js';
import { foldOne, touches } from '../../engine/projections/foldOne.js';
import type { AnyProjection, View } from '../../engine/projections/projection.js';
import type { Reads } from '../../engine/projections/reads.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { conversations } from '../../projections/conversations.js';
import { deliverySettings } from '../../projections/deliverySettings.js';
import { members } from '../../projections/members.js';
import { orders } from '../../projections/orders.js';
import { productId, products } from '../../projections/products.js';
import { promotions } from '../../projections/promotions.js';
import { stores } from '../../projections/stores.js';
import { CategoryNames } from './categoryNames.js';
import type { HistoryLog } from './historySteps.js';

export const HISTORY_KINDS = [
  'store',
  'order',
  'product',
  'promotion',
  'conversation',
  'member',
  'key',
  'delivery',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** A state that is folded event by event. */
export interface Folding {
  take(event: RecordedEvent): void;
  /** Returns the API's form at this time (ms since 1970). Undefined: the subject does not exist. */
  shown(at: number): object | undefined;
}

export interface Subject {
  readonly kind: HistoryKind;
  readonly id: string;
  /** Streams from which its state is folded. */
  readonly streams: readonly string[];
  /** Store of the subject. Absent: none, as for a partner's key. */
  readonly workspaceId?: string;
  /** Returns true if an event of its streams is about it. */
  touches(event: RecordedEvent): boolean;
  /** True if its timeline includes everything in the store, in any stream. */
  readonly wholeStore?: true;
  /** True if it exists in each store, even without any event. */
  readonly always?: true;
  /** Start of its streams, in ms since 1970. Absent if they contain other subjects too. */
  readonly since?: number;
  folding(): Folding;
}

/** Subject of a query. A product is identified by its store and its external id. */
export interface Named {
  readonly kind: HistoryKind;
  readonly id: string;
  /** Limits the query to a store. Required for a product. */
  readonly workspaceId?: string | undefined;
}

type Body = object;
type Show = (view: View<Body>, at: number) => object;

const bodyOf: Show = ({ body }) => body;

/** Folds the document of a projection. */
function document(projection: AnyProjection, id: string, show: Show = bodyOf): Folding {
  let view: View<Body> | undefined;
  return {
    take(event) {
      view = foldOne<Body>(projection, id, view, event);
    },
    shown: (at) => view && show(view, at),
  };
}

/** Adds the API's `open`, which depends on the time. (Specification 1, 'States', Promotion.) */
const promotionAt: Show = ({ keys, body }, at) => ({
  open: keys.active === 1 && at >= Number(keys.startsAt) && at < Number(keys.endsAt),
  ...body,
});

/** Folds a product with its category, which may be renamed after the product was stored. */
function product(workspaceId: string, externalId: string): Folding {
  const names = new CategoryNames();
  const stored = document(products, productId(workspaceId, externalId), ({ keys, body }) => {
    const category = names.get(keys.categoryExternalId);
    return category === undefined ? body : { category, ...body };
  });
  return {
    take(event) {
      names.take(event);
      stored.take(event);
    },
    shown: stored.shown,
  };
}

const isAbout =
  (field: 'memberId' | 'keyId', id: string) =>
  ({ data }: RecordedEvent): boolean =>
    (data as Readonly<Record<string, unknown>>)[field] === id;

/** Kinds with a stream of their own, and the projections that show them. */
const OWN_STREAM: Readonly<
  Partial<Record<HistoryKind, { readonly category: string; readonly shownBy: AnyProjection }>>
> = {
  store: { category: 'store', shownBy: stores },
  order: { category: 'order', shownBy: orders },
  promotion: { category: 'promotion', shownBy: promotions },
  conversation: { category: 'conversation', shownBy: conversations },
  delivery: { category: 'delivery', shownBy: deliverySettings },
};

interface Parts {
  readonly log: HistoryLog;
  readonly reads: Reads;
}

async function ofOwnStream({ log }: Parts, named: Named): Promise<Subject | undefined> {
  const { kind, id } = named;
  const { category, shownBy } = OWN_STREAM[kind]!;
  const stream = streamName(category, id);
  const [first] = await log.readStream(stream, { limit: 1 });
  const always = kind === 'delivery' && named.workspaceId === id;
  if (first === undefined && !always) return undefined;
  const workspaceId = kind === 'store' || always ? id : first?.meta.workspaceId;
  return {
    kind,
    id,
    streams: [stream],
    ...defined({ workspaceId, since: first && Date.parse(first.meta.at) }),
    ...(kind === 'store' && { wholeStore: true as const }),
    ...(always && { always: true as const }),
    touches: () => true,
    folding: () => document(shownBy, id, kind === 'promotion' ? promotionAt : bodyOf),
  };
}

function ofProduct(id: string, workspaceId: string): Subject {
  return {
    kind: 'product',
    id,
    workspaceId,
    streams: [streamName('catalog', workspaceId), streamName('catalogSync', workspaceId)],
    touches: (event) => touches(products, productId(workspaceId, id), event),
    folding: () => product(workspaceId, id),
  };
}

async function ofMember({ reads }: Parts, { id, workspaceId: within }: Named): Promise<Subject | undefined> {
  const row =
    within === undefined
      ? (await reads.find(members, { where: { memberId: id }, limit: 1 }))[0]
      : await reads.get(members, `${within}/${id}`);
  if (row === undefined) return undefined;
  const workspaceId = String(row.keys.workspaceId);
  const named = isAbout('memberId', id);
  return {
    kind: 'member',
    id,
    workspaceId,
    streams: [streamName('members', workspaceId)],
    touches: (event) => named(event) || touches(members, row.id, event),
    folding: () => document(members, row.id),
  };
}

async function ofKey({ reads }: Parts, { id }: Named): Promise<Subject | undefined> {
  const [row] = await reads.find(apiKeys, { where: { keyId: id }, limit: 1 });
  if (row === undefined) return undefined;
  const { workspaceId, partnerId } = row.body;
  return {
    kind: 'key',
    id,
    ...defined({ workspaceId }),
    streams: [workspaceId === undefined ? streamName('partner', partnerId!) : streamName('store', workspaceId)],
    touches: isAbout('keyId', id),
    folding: () => document(apiKeys, row.id),
  };
}

async function find(parts: Parts, named: Named): Promise<Subject | undefined> {
  switch (named.kind) {
    case 'product':
      return named.workspaceId === undefined ? undefined : ofProduct(named.id, named.workspaceId);
    case 'member':
      return ofMember(parts, named);
    case 'key':
      return ofKey(parts, named);
    default:
      return ofOwnStream(parts, named);
  }
}

/** Returns the subject. Refuses `not_found`, also for another store's if `named.workspaceId` is given. */
export async function subjectOf(parts: Parts, named: Named): Promise<Subject> {
  const found = await find(parts, named);
  if (found !== undefined && (named.workspaceId === undefined || found.workspaceId === named.workspaceId)) return found;
  return refuse('not_found', `There is no ${named.kind} ${named.id}.`);
}
