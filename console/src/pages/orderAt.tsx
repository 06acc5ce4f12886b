/** An order as it was at a moment: lines, how the price came about, customer, payment. What the moment changed is marked. */
import type { ConsoleTimelineStepBody } from '../../../api/console/contract.js';
import { money, words } from '../ui/format.js';
import { type OrderBody, paymentTries } from '../ui/orderFacts.js';
import { Chip, Own, When } from '../ui/parts.js';
import { PriceSteps } from '../ui/priceSteps.js';

export interface OrderAtProps {
  readonly order: OrderBody;
  /** Before the event of the moment. */
  readonly before: OrderBody | undefined;
  readonly steps: readonly ConsoleTimelineStepBody[];
  readonly zone: string;
}

function Lines({ order }: { order: OrderBody }) {
  return (
    <section class="card">
      <h2>Lines</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" class="num">
                Unit price
              </th>
              <th scope="col" class="num">
                Quantity
              </th>
              <th scope="col" class="num">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {(order.items ?? []).map(({ name, retailerId, quantity, unitPriceCents, size, color }) => (
              <tr key={retailerId}>
                <td>
                  <Own text={name} />
                  <small class="fine">
                    <bdi>{[retailerId, size, color].filter(Boolean).join(' · ')}</bdi>
                  </small>
                </td>
                <td class="num">{money(unitPriceCents, order.currency)}</td>
                <td class="num">{quantity}</td>
                <td class="num">{money(unitPriceCents * quantity, order.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {order.customerNote !== undefined && (
        <p class="note">
          <span class="fine">The customer wrote:</span> <Own text={order.customerNote} />
        </p>
      )}
      {order.note !== undefined && (
        <p class="note">
          <Own text={order.note} />
        </p>
      )}
    </section>
  );
}

function Facts({ order, before }: Pick<OrderAtProps, 'order' | 'before'>) {
  const facts: readonly (readonly [string, keyof OrderBody])[] = [
    ['Name', 'customerName'],
    ['Chat', 'customerPhone'],
    ['Contact', 'contactPhone'],
    ['Fulfilment', 'fulfilment'],
    ['Area', 'deliveryArea'],
    ['Address', 'address'],
    ['Coupon', 'couponCode'],
    ['Cancelled because', 'cancelReason'],
  ];
  const given = facts.filter(([, name]) => order[name] !== undefined && order[name] !== '');
  return (
    <section class="card">
      <h2>Customer</h2>
      <dl class="facts">
        {given.map(([label, name]) => (
          <div key={name} class={before !== undefined && before[name] !== order[name] ? 'changed' : ''}>
            <dt>{label}</dt>
            <dd>{name === 'fulfilment' ? words(String(order[name])) : <Own text={String(order[name])} />}</dd>
          </div>
        ))}
        {order.location !== undefined && (
          <div>
            <dt>Location</dt>
            <dd>
              {order.location.latitude.toFixed(5)}, {order.location.longitude.toFixed(5)}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Payment({ order, steps }: Pick<OrderAtProps, 'order' | 'steps'>) {
  const tries = paymentTries(steps);
  return (
    <section class="card">
      <h2>Payment</h2>
      {tries.length === 0 ? (
        <p class="soft">No payment yet.</p>
      ) : (
        <ol class="tries">
          {tries.map(({ attempt, state, wallet, payer, amountCents, reason, transactionId }) => (
            <li key={attempt}>
              <Chip value={state === 'requested' || state === 'started' ? 'catching_up' : state} label={words(state)} />{' '}
              {amountCents !== undefined && <strong>{money(amountCents, order.currency)}</strong>}{' '}
              <span class="fine">
                {[wallet, payer, reason && words(reason), transactionId].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export function OrderAt({ order, before, steps, zone }: OrderAtProps) {
  return (
    <div class="order-at">
      <Lines order={order} />
      <div class="stack">
        <section class="card">
          <h2>Price calculation</h2>
          <PriceSteps steps={steps} currency={order.currency} />
        </section>
        <Payment order={order} steps={steps} />
      </div>
      <Facts order={order} before={before} />
      <p class="fine">
        Placed <When at={order.createdAt} zone={zone} />, changed <When at={order.updatedAt} zone={zone} />. Times in{' '}
        {zone}.
      </p>
    </div>
  );
}
