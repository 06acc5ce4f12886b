/** State of a store, an order or a product at a given time: its documents, folded up to that time. */
import { type EventStore, streamName } from '../../engine/ports/eventStore.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { deliverySettings } from '../../projections/deliverySettings.js';
import { orders } from '../../projections/orders.js';
import { paymentSettings } from '../../projections/paymentSettings.js';
import { productId, products } from '../../projections/products.js';
import { stores } from '../../projections/stores.js';
import { documentAt, streamsOf } from './documentSteps.js';

export const MOMENT_KINDS = ['store', 'order', 'product'] as const;
export type MomentKind = (typeof MOMENT_KINDS)[number];

interface Part {
  readonly name: string;
  readonly projection: AnyProjection;
  readonly id: string;
}

/** `id`: of the order, or the product's external id. Unused for a store. */
export interface Momentous {
  readonly kind: MomentKind;
  readonly workspaceId: string;
  readonly id: string;
}

function partsOf({ kind, workspaceId, id }: Momentous): readonly Part[] {
  if (kind === 'order') return [{ name: 'order', projection: orders, id }];
  if (kind === 'product') return [{ name: 'product', projection: products, id: productId(workspaceId, id) }];
  return [
    { name: 'store', projection: stores, id: workspaceId },
    { name: 'delivery', projection: deliverySettings, id: workspaceId },
    { name: 'payments', projection: paymentSettings, id: workspaceId },
    { name: 'catalog', projection: catalogStatus, id: workspaceId },
  ];
}

export interface Moment {
  /** Bodies by name of the document. Absent if the document did not exist yet. */
  readonly documents: Readonly<Record<string, unknown>>;
  /** True if the history is too long for a request, so that the documents may be older than the time. */
  readonly bounded: boolean;
}

type MomentLog = Pick<EventStore, 'readStream' | 'readAll' | 'head'>;

/** Returns true if an order belongs to the store. Other kinds are identified by their store. */
export async function isOfStore(log: MomentLog, { kind, workspaceId, id }: Momentous): Promise<boolean> {
  if (kind !== 'order') return true;
  const [first] = await log.readStream(streamName('order', id), { limit: 1 });
  return first?.meta.workspaceId === workspaceId;
}

/** `at`: ms since 1970, inclusive. */
export async function momentOf(log: MomentLog, what: Momentous, at: number): Promise<Moment> {
  const documents: Record<string, unknown> = {};
  let bounded = false;
  for (const { name, projection, id } of partsOf(what)) {
    const streams = streamsOf(projection, id);
    const found = await documentAt(log, { projection, id, streams }, at);
    if (found.document !== undefined) documents[name] = found.document.body;
    bounded ||= found.bounded;
  }
  return { documents, bounded };
}
