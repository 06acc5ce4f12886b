/** The packing slip of an order: on paper only. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { money } from '../ui/format.js';
import type { OrderBody } from '../ui/orderFacts.js';
import { Own, When } from '../ui/parts.js';

/** Prints the slip without the rest of the page. */
export function printSlip(): void {
  document.body.classList.add('slip-only');
  addEventListener('afterprint', () => document.body.classList.remove('slip-only'), { once: true });
  window.print();
}

export function PackingSlip({ store, order }: { store: ConsoleStoreBody; order: OrderBody }) {
  const { number, createdAt, customerName, customerPhone, contactPhone, address, deliveryArea, fulfilment } = order;
  const to = [customerName, contactPhone ?? customerPhone, deliveryArea, address].filter((one) => one !== undefined);
  return (
    <section class="slip" aria-hidden="true">
      <h1>
        <Own text={store.name} /> · Order #{number}
      </h1>
      <p>
        <When at={createdAt} zone={store.timezone} /> · {fulfilment ?? 'not checked out'}
      </p>
      <address>
        {to.map((line) => (
          <p key={line}>
            <Own text={line} />
          </p>
        ))}
      </address>
      <table>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
            <th scope="col">Product</th>
            <th scope="col">Item</th>
          </tr>
        </thead>
        <tbody>
          {(order.items ?? []).map(({ name, retailerId, quantity, size, color }) => (
            <tr key={retailerId}>
              <td>{quantity}</td>
              <td>
                <Own text={name} />
              </td>
              <td>
                <bdi>{[retailerId, size, color].filter(Boolean).join(' · ')}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {order.customerNote !== undefined && (
        <p>
          The customer wrote: <Own text={order.customerNote} />
        </p>
      )}
      <p>Total: {money(order.totalCents, order.currency)}</p>
    </section>
  );
}
