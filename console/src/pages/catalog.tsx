/** Products of a store: prices, state in the channel's catalog, and queued changes. */

import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { money, words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { ListHead, PagedList, Tabs, usePaged } from '../ui/paged.js';
import { Chip, Own, When } from '../ui/parts.js';
import { canChange } from '../ui/permission.js';
import { Thumbnail } from '../ui/pictures.js';
import { go, hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty } from '../ui/states.js';
import { ProductForm } from './productForm.js';

type Row = Schemas['ProductBody'];
type Status = Row['sync']['status'];

const STATUSES: readonly Status[] = ['queued', 'in_review', 'approved', 'rejected', 'failed', 'inactive'];
const TABS = [['', 'All'], ...STATUSES.map((one) => [one, words(one)] as const)] as const;
const PAGE = 100;
const ROW_PX = 56;
const PRODUCTS = '/workspaces/{workspaceId}/commerce/products';

const HEAD = (
  <ListHead cells="product-cells" names={['Product', 'Channel', 'Reason', 'Last push', 'Price']} numbers={['Price']} />
);

export const productHref = (store: ConsoleStoreBody, externalId: string): string =>
  hrefOf(`/s/${store.workspaceId}/catalog/${encodeURIComponent(externalId)}`);

function ProductRow({ product, store, index }: { product: Row; store: ConsoleStoreBody; index: number }) {
  const { externalId, name, sync, priceCents, salePriceCents, currency, availability, variants, imageUrls } = product;
  const reason = sync.reason ?? variants.find((one) => one.sync.reason !== undefined)?.sync.reason;
  return (
    <div class="row cells product-cells" role="row" aria-rowindex={index + 1} style={{ height: `${ROW_PX}px` }}>
      <span role="cell" class="who">
        <Thumbnail url={imageUrls[0]} />
        <a class="whole" href={productHref(store, externalId)}>
          <Own text={name} />
        </a>
        <small class="fine">
          <bdi>{externalId}</bdi>
          {availability === 'out_of_stock' && ' · out of stock'}
        </small>
      </span>
      <span role="cell">
        <Chip value={sync.status} />
      </span>
      <span role="cell" class="soft" title={reason}>
        {reason !== undefined && <Own text={reason} />}
      </span>
      <span role="cell" class="soft">
        {sync.lastSyncedAt === undefined ? 'never' : <When at={sync.lastSyncedAt} zone={store.timezone} />}
      </span>
      <span role="cell" class="num total">
        {money(salePriceCents ?? priceCents, currency)}
        {salePriceCents !== undefined && <small class="fine"> of {money(priceCents, currency)}</small>}
      </span>
    </div>
  );
}

/** State of the store's catalog at the channel, and the number of changes to push. */
function CatalogState({ workspaceId }: { workspaceId: string }) {
  const load = useLoad(`catalog ${workspaceId}`, () =>
    read(PRODUCTS, { workspaceId }, { status: 'queued', limit: PAGE }),
  );
  if (load.data === undefined) return <p class="fine">…</p>;
  const { catalog, products, next } = load.data;
  return (
    <p class="fine">
      Channel catalog: {words(catalog.status)}
      {catalog.errorMessage !== undefined && ` (${catalog.errorMessage})`} · {products.length}
      {next === undefined ? '' : '+'} queued
    </p>
  );
}

export function Catalog({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const mayChange = canChange(session, 'commerce:manage');
  const close = (): void => refine({ do: undefined });
  const { workspaceId } = store;
  const status = query.get('status') ?? '';
  const products = usePaged<Row>(`products ${workspaceId} ${status}`, async (cursor) => {
    const filter = { ...(status !== '' && { status: status as Status }), ...(cursor && { cursor }) };
    const page = await read(PRODUCTS, { workspaceId }, { ...filter, limit: PAGE });
    return { rows: page.products, next: page.next };
  });
  return (
    <section class="page fill">
      <header class="title">
        <h1>Catalog</h1>
        <CatalogState workspaceId={workspaceId} />
        <a class="button" href={hrefOf(`/s/${workspaceId}/categories`)}>
          Categories
        </a>
        {mayChange && query.get('do') !== 'new' && (
          <button type="button" class="button primary" onClick={() => refine({ do: 'new' })}>
            New product
          </button>
        )}
      </header>
      {mayChange && query.get('do') === 'new' && (
        <ProductForm store={store} away={close} done={(externalId) => go(productHref(store, externalId))} />
      )}
      <Tabs label="Channel" chosen={status} tabs={TABS} choose={(one) => refine({ status: one })} />
      <PagedList
        of={products}
        label="Products, by name"
        height={ROW_PX}
        head={HEAD}
        row={(product, i) => <ProductRow key={product.externalId} product={product} store={store} index={i} />}
        empty={
          <Empty title={status === '' ? 'No products yet' : 'No matching products'}>
            {status === '' ? (
              <>
                The API’s <code>upsertProducts</code> fills the catalog.
              </>
            ) : (
              <a href={hrefOf(`/s/${workspaceId}/catalog`)}>Show all products</a>
            )}
          </Empty>
        }
      />
    </section>
  );
}
