/** One product over time: its price and state, and the changes of each event. */

import type { ConsoleDocumentBody, ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, readConsole } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { Outcome, Sure, useActing } from '../ui/actions.js';
import { day, money } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { canChange } from '../ui/permission.js';
import { Thumbnail } from '../ui/pictures.js';
import { go, hrefOf, refine, usePlace } from '../ui/router.js';
import { momentOf } from '../ui/slider.js';
import { Shown } from '../ui/states.js';
import { ProductForm } from './productForm.js';
import { Steps } from './steps.js';

type Body = Schemas['ProductBody'];

/** Until when the sale price holds, and from when. */
const sale = ({ saleStartsAt, saleEndsAt }: Body, zone: string): string =>
  [saleStartsAt && `from ${day(saleStartsAt, zone)}`, saleEndsAt && `until ${day(saleEndsAt, zone)}`]
    .filter(Boolean)
    .join(' ');

function AsItWas({ body, zone }: { body: Body | undefined; zone: string }) {
  if (body === undefined) return <p class="soft">The product was not in the catalog.</p>;
  const { priceCents, salePriceCents, currency, sync, active, availability, stock } = body;
  return (
    <dl class="facts">
      <div>
        <dt>Price</dt>
        <dd>{money(priceCents, currency)}</dd>
      </div>
      {salePriceCents !== undefined && (
        <div>
          <dt>Sale price</dt>
          <dd>
            {money(salePriceCents, currency)} <span class="fine">{sale(body, zone)}</span>
          </dd>
        </div>
      )}
      <div>
        <dt>Sold</dt>
        <dd>
          {active ? (availability === 'in_stock' ? 'in stock' : 'out of stock') : 'not for sale'}
          {stock !== undefined && `, ${stock} left`}
        </dd>
      </div>
      <div>
        <dt>Channel</dt>
        <dd>
          <Chip value={sync.status} /> {sync.reason !== undefined && <Own text={sync.reason} />}
        </dd>
      </div>
      <div>
        <dt>Last push</dt>
        <dd>{sync.lastSyncedAt === undefined ? 'never' : <When at={sync.lastSyncedAt} zone={zone} />}</dd>
      </div>
    </dl>
  );
}

/** Returns the product of a stored document, which has the category in its keys. */
function productOf(document: ConsoleDocumentBody | undefined): Body | undefined {
  const { categoryExternalId: category } = document?.keys ?? {};
  const body = document?.body as Body | undefined;
  return typeof category !== 'string' ? body : body && { ...body, category: { externalId: category, name: category } };
}

interface ActionsProps {
  readonly store: ConsoleStoreBody;
  readonly product: Body;
  reload(): void;
}

/** Edits and deletes the product as it is now. */
function Actions({ store, product, reload }: ActionsProps) {
  const { query } = usePlace();
  const acting = useActing(() => go(hrefOf(`/s/${store.workspaceId}/catalog`)));
  const of = { workspaceId: store.workspaceId, externalId: product.externalId };
  const close = (): void => refine({ do: undefined });
  const saved = (): void => {
    close();
    reload();
  };
  if (query.get('do') === 'edit') return <ProductForm {...{ store, product }} away={close} done={saved} />;
  return (
    <div class="steering no-print">
      <p class="actions">
        <button type="button" class="button primary" onClick={() => refine({ do: 'edit', at: undefined })}>
          Edit
        </button>
        <Sure
          yes="Yes, delete it from the catalog"
          disabled={acting.busy}
          onYes={() =>
            acting.run(
              () => act('DELETE /workspaces/{workspaceId}/commerce/products/{externalId}', of, undefined),
              'The product is deleted.',
            )
          }
        >
          Delete
        </Sure>
      </p>
      <Outcome acting={acting} />
    </div>
  );
}

interface ProductProps {
  readonly session: ConsoleSessionBody;
  readonly store: ConsoleStoreBody;
  readonly externalId: string;
}

export function Product({ session, store, externalId }: ProductProps) {
  const { query } = usePlace();
  const { workspaceId, timezone: zone } = store;
  const params = { workspace: workspaceId, product: externalId, from: query.get('from') ?? undefined };
  const load = useLoad(`product ${JSON.stringify(params)}`, () => readConsole('/product-steps', {}, params));
  return (
    <section class="page order-page">
      <Shown load={load} rows={8} top>
        {(of) => {
          const now = productOf(of.steps.at(-1)?.document);
          const body = of.steps[momentOf(query, of.steps.length)]?.document?.body as Body | undefined;
          return (
            <>
              <header class="title">
                <p class="crumbs">
                  <a href={hrefOf(`/s/${workspaceId}/catalog`)}>Catalog</a>
                </p>
                <h1 class="with-picture">
                  <Thumbnail url={body?.imageUrls[0]} />
                  <Own text={body?.name ?? externalId} />
                </h1>
                <p class="fine">
                  <bdi>{externalId}</bdi> · times of {zone}
                </p>
              </header>
              {canChange(session, 'commerce:manage') && now !== undefined && !of.more && (
                <Actions store={store} product={now} reload={load.reload} />
              )}
              <Steps of={of} what="product" zone={zone}>
                <section class="card">
                  <h2>Earlier versions</h2>
                  <AsItWas body={body} zone={zone} />
                  <a
                    class="button small"
                    href={hrefOf(`/s/${workspaceId}/moments`, { kind: 'product', id: externalId })}
                  >
                    Compare versions
                  </a>
                </section>
              </Steps>
            </>
          );
        }}
      </Shown>
    </section>
  );
}
