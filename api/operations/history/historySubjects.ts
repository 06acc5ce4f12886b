/** Kinds of things with a history of their own, and their ids in a request. */
import type { HistoryKind, Named } from '../../../application/history/historySubjects.js';
import { ExternalId, Uuid } from '../../contract/schemas.js';

export interface Thing {
  readonly kind: HistoryKind;
  /** In operation ids: `listOrderHistory`. */
  readonly name: string;
  /** Behind `/history/`. */
  readonly path: string;
  /** The path's parameter; absent: there is one in each store. */
  readonly params: Readonly<Record<string, typeof Uuid | typeof ExternalId>>;
  /** In a sentence. */
  readonly noun: string;
}

const byId = (kind: HistoryKind, name: string, plural: string, param: string, noun: string, id = Uuid): Thing => ({
  kind,
  name,
  path: `${plural}/{${param}}`,
  params: { [param]: id },
  noun,
});

export const things: readonly Thing[] = [
  byId('order', 'Order', 'orders', 'orderId', 'an order'),
  byId('product', 'Product', 'products', 'externalId', 'a product', ExternalId),
  byId('promotion', 'Promotion', 'promotions', 'promotionId', 'a promotion'),
  byId('conversation', 'Conversation', 'conversations', 'conversationId', 'a conversation'),
  byId('member', 'Member', 'members', 'memberId', 'a member'),
  byId('key', 'Key', 'keys', 'keyId', "a key of the store's own"),
  { kind: 'delivery', name: 'Delivery', path: 'delivery', params: {}, noun: "the store's delivery settings" },
];

/** Which one a request is about. */
export function namedBy(
  { kind, params }: Thing,
  values: Readonly<Record<string, unknown>>,
  workspaceId: string,
): Named {
  const [param] = Object.keys(params);
  const id = param === undefined ? workspaceId : String(values[param]);
  return { kind, workspaceId, id: kind === 'product' ? id : id.toLowerCase() };
}
