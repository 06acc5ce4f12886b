/** One order through time: a slider over its events, and the order as it was at each of them. */

import type { ConsoleSessionBody, ConsoleStoreBody, ConsoleTimelineBody } from '../../../api/console/contract.js';
import { readConsole } from '../api/client.js';
import { useChanges } from '../ui/changes.js';
import { money, typeWords } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { differences, type OrderBody } from '../ui/orderFacts.js';
import { Chip, WhenExactly } from '../ui/parts.js';
import { canChange, canSee } from '../ui/permission.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { momentOf, Slider } from '../ui/slider.js';
import { Shown } from '../ui/states.js';
import { OrderActions } from './orderActions.js';
import { OrderAt } from './orderAt.js';
import { OrderEvent } from './orderEvent.js';
import { PackingSlip, printSlip } from './packingSlip.js';

type Timeline = ConsoleTimelineBody;

function Story({ timeline, at, zone }: { timeline: Timeline; at: number; zone: string }) {
  const { steps } = timeline;
  const last = steps.length - 1;
  return (
    <ol class="story">
      {steps.map(({ event, order }, i) => {
        const changes = differences(steps[i - 1]?.order as OrderBody | undefined, order as OrderBody | undefined);
        return (
          <li key={event.id} class={i === at ? 'here' : i > at ? 'later' : ''}>
            <button
              type="button"
              aria-current={i === at ? 'step' : undefined}
              onClick={() => refine({ at: i === last ? undefined : i })}
            >
              <span class="what">{typeWords(event.type)}</span>
              <span class="fine">
                <bdi>{event.actor.name}</bdi> · <WhenExactly at={event.at} zone={zone} />
              </span>
              {changes.slice(0, 2).map(({ name, before, after }) => (
                <span class="change" key={name}>
                  {name}: {before !== undefined && <del>{before}</del>} <ins>{after ?? 'none'}</ins>
                </span>
              ))}
            </button>
          </li>
        );
      })}
      {timeline.more && <li class="fine">There are more events than can be shown at once.</li>}
    </ol>
  );
}

/** From its first event to its last. */
function compared({ workspaceId }: ConsoleStoreBody, { orderId, steps }: Timeline): string {
  const [from, to] = [steps[0]!, steps.at(-1)!].map(({ event }) => event.at);
  return hrefOf(`/s/${workspaceId}/moments`, { kind: 'order', id: orderId, from, to });
}

interface WholeProps {
  readonly timeline: Timeline;
  readonly store: ConsoleStoreBody;
  readonly session: ConsoleSessionBody;
  reload(): void;
}

function Whole({ timeline, store, session, reload }: WholeProps) {
  const { query } = usePlace();
  const { steps } = timeline;
  const at = momentOf(query, steps.length);
  const order = steps[at]!.order as OrderBody | undefined;
  const zone = store.timezone;
  const seesWhole = canSee(session, 'console:open');
  return (
    <>
      <header class="title order-title">
        <p class="crumbs">
          <a href={hrefOf(`/s/${store.workspaceId}/orders`)}>Orders</a>
        </p>
        <h1>
          Order #{order?.number ?? '—'} {order !== undefined && <Chip value={order.status} />}
        </h1>
        {order !== undefined && <p class="big">{money(order.totalCents, order.currency)}</p>}
        {order !== undefined && (
          <button type="button" class="button small no-print" onClick={printSlip}>
            Print packing slip
          </button>
        )}
      </header>
      {order !== undefined && <PackingSlip store={store} order={order} />}
      {canChange(session, 'orders:manage') && order !== undefined && at === steps.length - 1 && !timeline.more && (
        <OrderActions key={order.id} store={store} order={order} changed={reload} />
      )}
      <Slider of="order" steps={steps} at={at} more={timeline.more} zone={zone} />
      <div class="columns order-columns">
        <div class="main-column">
          {order !== undefined && (
            <OrderAt
              order={order}
              before={steps[at - 1]?.order as OrderBody | undefined}
              steps={steps.slice(0, at + 1)}
              zone={zone}
            />
          )}
        </div>
        <OrderEvent event={steps[at]!.event} zone={zone} isWhole={seesWhole} />
        <aside class="card side-column" aria-label="Timeline">
          <h2>Timeline</h2>
          <Story timeline={timeline} at={at} zone={zone} />
          {seesWhole && (
            <a class="button small" href={compared(store, timeline)}>
              Compare versions
            </a>
          )}
          {order?.conversationId !== undefined && (
            <a class="button small" href={hrefOf(`/s/${store.workspaceId}/inbox/${order.conversationId}`)}>
              Conversation
            </a>
          )}
        </aside>
      </div>
    </>
  );
}

interface OrderProps {
  readonly session: ConsoleSessionBody;
  readonly store: ConsoleStoreBody;
  readonly orderId: string;
}

export function Order({ session, store, orderId }: OrderProps) {
  const timeline = useLoad(`order ${orderId}`, () => readConsole('/orders/{orderId}/timeline', { orderId }));
  useChanges(session, store, { area: 'orders', stream: `order-${orderId}` }, timeline.reload);
  return (
    <section class="page order-page">
      <Shown load={timeline} rows={8} top>
        {(data) => <Whole timeline={data} store={store} session={session} reload={timeline.reload} />}
      </Shown>
    </section>
  );
}
