/** The store's view at the same time: the customer's order with its price, its timeline, and the last webhook. */
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleStoreBody, ConsoleTimelineBody, ConsoleWebhookBody } from '../../../api/console/contract.js';
import { read, readConsole } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { money, span, typeWords, words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { differences, type OrderBody } from '../ui/orderFacts.js';
import { Chip, Own, WhenExactly } from '../ui/parts.js';
import { PriceSteps } from '../ui/priceSteps.js';
import { hrefOf } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';

type Row = Schemas['StoreOrderBody'];

/** Orders of the customer that one can choose among. */
const MOST_ORDERS = 6;
/** So many of the newest events are looked at for a webhook. */
const LOOKED_BACK = 3;

interface Of {
  readonly store: ConsoleStoreBody;
  /** Grows with what happens in the store. */
  readonly beat: number;
}

/** Again with each beat; what there was stays meanwhile. */
function useAgain(beat: number, reload: () => void): void {
  useEffect(() => {
    if (beat > 0) reload();
  }, [beat]);
}

function Webhook({
  of: { eventType, url, status, responseCode, error, latencyMs, attemptedAt, endpointId },
  store,
}: {
  of: ConsoleWebhookBody;
  store: ConsoleStoreBody;
}) {
  return (
    <p class="last-webhook">
      <code>{eventType}</code> <Chip value={status} />
      <small class="fine">
        to <a href={hrefOf(`/s/${store.workspaceId}/webhooks`, { endpoint: endpointId })}>{url}</a> ·{' '}
        {responseCode ?? error ?? 'no response'} · {span(latencyMs)} ·{' '}
        <WhenExactly at={attemptedAt} zone={store.timezone} />
      </small>
    </p>
  );
}

/** Returns the newest webhook about one of these events; undefined if there is none. */
async function lastWebhook(positions: readonly number[]): Promise<{ readonly delivery?: ConsoleWebhookBody }> {
  for (const position of positions) {
    const { webhooks } = await readConsole('/events/{position}/effects', { position: String(position) });
    const delivery = webhooks.toSorted((a, b) => (a.attemptedAt < b.attemptedAt ? 1 : -1))[0];
    if (delivery !== undefined) return { delivery };
  }
  return {};
}

function LastWebhook({ steps, store, beat }: Of & Pick<ConsoleTimelineBody, 'steps'>) {
  const newest = steps.slice(-LOOKED_BACK).map(({ event }) => event.position);
  const load = useLoad(`told ${steps[0]?.event.id}`, () => lastWebhook(newest.toReversed()));
  useAgain(beat + steps.length, load.reload);
  return (
    <section class="card">
      <h2>Last webhook</h2>
      <Shown load={load} rows={1}>
        {({ delivery }) =>
          delivery === undefined ? (
            <p class="soft">No endpoint has received its newest events.</p>
          ) : (
            <Webhook of={delivery} store={store} />
          )
        }
      </Shown>
    </section>
  );
}

function Timeline({ steps, store }: Pick<ConsoleTimelineBody, 'steps'> & { store: ConsoleStoreBody }) {
  return (
    <section class="card">
      <h2>Timeline</h2>
      <ol class="growing" aria-live="polite" aria-label="What happened">
        {steps
          .map(({ event, order }, i) => {
            const [first] = differences(steps[i - 1]?.order as OrderBody | undefined, order as OrderBody | undefined);
            return (
              <li key={event.id}>
                <a href={hrefOf(`/events/${event.position}`)}>{typeWords(event.type)}</a>
                <span class="fine">
                  <bdi>{event.actor.name}</bdi> · <WhenExactly at={event.at} zone={store.timezone} />
                </span>
                {first !== undefined && (
                  <span class="change">
                    {first.name}: {first.before !== undefined && <del>{first.before}</del>}{' '}
                    <ins>{first.after ?? 'none'}</ins>
                  </span>
                )}
              </li>
            );
          })
          .toReversed()}
      </ol>
    </section>
  );
}

function Whole({ timeline, store, beat }: Of & { timeline: ConsoleTimelineBody }) {
  const { steps, orderId } = timeline;
  const order = steps.at(-1)?.order as OrderBody | undefined;
  if (order === undefined) return null;
  return (
    <>
      <section class="card seen-order">
        <h2>
          <a href={hrefOf(`/s/${store.workspaceId}/orders/${orderId}`)}>Order #{order.number}</a>{' '}
          <Chip value={order.status} />
          <span class="big">{money(order.totalCents, order.currency)}</span>
        </h2>
        <p class="fine">
          <Own text={order.customerName ?? order.customerPhone} />
          {order.fulfilment !== undefined && (
            <>
              {' '}
              · {words(order.fulfilment)} <Own text={order.deliveryArea ?? ''} />
            </>
          )}
        </p>
        <ul class="seen-lines">
          {(order.items ?? []).map(({ retailerId, name, size, color, quantity, unitPriceCents }) => (
            <li key={retailerId}>
              <span>
                {quantity} × <Own text={[name, size, color].filter(Boolean).join(' · ')} />
              </span>
              <span class="num">{money(unitPriceCents * quantity, order.currency)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>Price calculation</h2>
        <PriceSteps steps={steps} currency={order.currency} />
      </section>
      <Timeline steps={steps} store={store} />
      <LastWebhook steps={steps} store={store} beat={beat} />
    </>
  );
}

function OneOrder({ orderId, store, beat }: Of & { orderId: string }) {
  const load = useLoad(`order ${orderId}`, () => readConsole('/orders/{orderId}/timeline', { orderId }));
  useAgain(beat, load.reload);
  return (
    <Shown load={load} rows={5}>
      {(timeline) => <Whole timeline={timeline} store={store} beat={beat} />}
    </Shown>
  );
}

function Orders({ rows, store, beat }: Of & { rows: readonly Row[] }) {
  const [chosen, choose] = useState<string>();
  const newest = rows[0]!.id;
  // A new order is what the store sees next.
  useEffect(() => choose(undefined), [newest]);
  const shown = rows.find(({ id }) => id === chosen) ?? rows[0]!;
  return (
    <>
      {rows.length > 1 && (
        <div class="tabs" role="group" aria-label="Orders of this customer">
          {rows.map(({ id, number }) => (
            <button key={id} type="button" aria-pressed={id === shown.id} onClick={() => choose(id)}>
              #{number}
            </button>
          ))}
        </div>
      )}
      <OneOrder key={shown.id} orderId={shown.id} store={store} beat={beat} />
    </>
  );
}

/** `phone`: of the customer, digits with or without '+'; empty: not known, and the store's newest orders are shown. */
export function StoreSees({ store, phone, beat }: Of & { phone: string }) {
  const { workspaceId } = store;
  const requested = phone === '' ? {} : { phone: `+${phone.replace(/^\+/, '')}` };
  const load = useLoad(`orders ${workspaceId} ${phone}`, () =>
    read('/workspaces/{workspaceId}/commerce/orders', { workspaceId }, { ...requested, limit: MOST_ORDERS }),
  );
  useAgain(beat, load.reload);
  return (
    <section class="store-sees" aria-label="What the store sees">
      <h2>What the store sees</h2>
      <Shown load={load} rows={5}>
        {({ orders }) =>
          orders.length === 0 ? (
            <Empty title="No orders yet">The next cart of this customer appears here.</Empty>
          ) : (
            <Orders rows={orders} store={store} beat={beat} />
          )
        }
      </Shown>
    </section>
  );
}
