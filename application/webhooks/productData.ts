import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import type { Reads } from '../../engine/projections/reads.js';
import { type SyncStatus, syncOutcomes } from '../../projections/productSync.js';
import { productId, products } from '../../projections/products.js';
import { categoryRefs, withCategory } from '../catalog/productCategories.js';

interface ProductDataParts {
  readonly reads: Reads;
  /** Waits, for a bounded time, until the views of products have passed a position. Returns false after the time. */
  readonly passed: (position: Position, store?: string) => Promise<boolean>;
}

/** Statuses that are published. Intermediate ones are not: an upload would publish thousands of them. */
const OUTCOMES: ReadonlySet<SyncStatus> = new Set(['approved', 'rejected', 'failed', 'inactive']);

/** Returns true if an event is about products. */
export const isOfProducts = ({ stream }: RecordedEvent): boolean =>
  stream.startsWith('catalog-') || stream.startsWith('catalogSync-');

/** External ids of the products that an event is about. */
export const productsOf = (event: RecordedEvent): readonly string[] =>
  event.type === 'ProductRevised'
    ? [(event.data as { externalId: string }).externalId]
    : [...syncOutcomes(seen(event) as never).keys()];

/** Renders `data` of events about products, in the form of the API. Both throw while the views lag. */
export interface ProductData {
  /**
   * Returns those of an event's products whose sync status this event changed last, to an outcome. A later event publishes its own changes.
   */
  changed(event: RecordedEvent, externalIds: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Returns the current product. Undefined: it was removed. */
  one(event: RecordedEvent, externalId: string): Promise<object | undefined>;
}

export function productData({ reads, passed }: ProductDataParts): ProductData {
  async function rowsOf(event: RecordedEvent, externalIds: readonly string[]) {
    if (!(await passed(event.position, event.meta.workspaceId))) throw new Error('the product read model lags behind');
    const { streamId: workspaceId } = seen(event);
    const found = await reads.getMany(
      products,
      externalIds.map((externalId) => productId(workspaceId, externalId)),
    );
    const rows = [...found.values()];
    // A build from before this key is still in use. It cannot show which products to publish.
    if (rows.some(({ keys }) => typeof keys.syncChangedBy !== 'string'))
      throw new Error('the product read model is being rebuilt');
    return { workspaceId, rows };
  }

  async function dataOf(workspaceId: string, rows: Awaited<ReturnType<typeof rowsOf>>['rows']) {
    const refs = await categoryRefs(reads, workspaceId, rows);
    return new Map(
      rows.map((row) => [row.body.externalId, { product: JSON.parse(withCategory(row, refs)) as object }]),
    );
  }

  return {
    async changed(event, externalIds) {
      const { workspaceId, rows } = await rowsOf(event, externalIds);
      const reported = rows.filter(
        ({ keys, body }) => keys.syncChangedBy === event.id && OUTCOMES.has(body.sync.status),
      );
      return dataOf(workspaceId, reported);
    },
    async one(event, externalId) {
      const { workspaceId, rows } = await rowsOf(event, [externalId]);
      return (await dataOf(workspaceId, rows)).get(externalId);
    },
  };
}
