/** One product over time: its price and state, and the changes of each event. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { look } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { day, money } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { hrefOf, usePlace } from '../ui/router.js';
import { momentOf } from '../ui/slider.js';
import { Shown } from '../ui/states.js';
import { Steps } from './steps.js';

type Body = Schemas['ProductBody'];

/** Until when the sale price holds, and from when. */
const sale = ({ saleStartsAt, saleEndsAt }: Body, zone: string): string =>
  [saleStartsAt && `from ${day(saleStartsAt, zone)}`, saleEndsAt && `until ${day(saleEndsAt, zone)}`]
    .filter(Boolean)
    .join(' ');

function AsItWas({ body, zone }: { body: Body | undefined; zone: string }) {
  if (body === undefined) return <p class="soft">It was not in the catalog.</p>;
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

export function Product({ store, externalId }: { store: ConsoleStoreBody; externalId: string }) {
  const { query } = usePlace();
  const { workspaceId, timezone: zone } = store;
  const asked = { workspace: workspaceId, product: externalId, from: query.get('from') ?? undefined };
  const load = useLoad(`product ${JSON.stringify(asked)}`, () => look('/product-steps', {}, asked));
  return (
    <section class="page order-page">
      <Shown load={load} rows={8} top>
        {(of) => {
          const body = of.steps[momentOf(query, of.steps.length)]?.document?.body as Body | undefined;
          return (
            <>
              <header class="title">
                <p class="crumbs">
                  <a href={hrefOf(`/s/${workspaceId}/catalog`)}>Catalog</a>
                </p>
                <h1>
                  <Own text={body?.name ?? externalId} />
                </h1>
                <p class="fine">
                  <bdi>{externalId}</bdi> · times of {zone}
                </p>
              </header>
              <Steps of={of} what="product" zone={zone}>
                <section class="card">
                  <h2>As it was</h2>
                  <AsItWas body={body} zone={zone} />
                  <a
                    class="button small"
                    href={hrefOf(`/s/${workspaceId}/moments`, { kind: 'product', id: externalId })}
                  >
                    Compare two moments
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
