/** Actions on an order: its next statuses, and cancelling it with a reason. */
import { useState } from 'preact/hooks';
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { act } from '../api/client.js';
import { FormEnd, Outcome, useActing } from '../ui/actions.js';
import { words } from '../ui/format.js';
import type { OrderBody } from '../ui/orderFacts.js';
import { useSending } from '../ui/sending.js';
import { TextField } from '../ui/textField.js';

const ORDER = '/workspaces/{workspaceId}/commerce/orders/{orderId}';

const STEPS = ['preparing', 'out_for_delivery', 'delivered'] as const;
const LABELS: Readonly<Record<(typeof STEPS)[number], string>> = {
  preparing: 'Accept and prepare',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
};

interface OrderActionsProps {
  readonly store: ConsoleStoreBody;
  readonly order: OrderBody;
  /** Called when the order has changed. */
  changed(): void;
}

function CancelForm({ store, order, changed, close }: OrderActionsProps & { close(): void }) {
  const sending = useSending();
  const [reason, setReason] = useState('');
  const of = { workspaceId: store.workspaceId, orderId: order.id };
  const submit = (event: SubmitEvent): void =>
    sending.send(
      event,
      (once) => act(`POST ${ORDER}/cancel`, of, reason.trim() === '' ? {} : { reason: reason.trim() }, {}, once),
      () => {
        close();
        changed();
      },
    );
  return (
    <form class="fields stacked" aria-label={`Cancel order #${order.number}`} onSubmit={submit}>
      <p>
        The customer is notified if the delivery settings include cancellations. Payments are refunded. This cannot be
        undone.
      </p>
      <TextField
        {...{
          id: 'cancel-reason',
          name: 'reason',
          label: 'Reason',
          value: reason,
          most: 500,
          rows: 2,
          change: setReason,
        }}
        about="Stored with the order."
      />
      <FormEnd submit="Cancel the order" busy={sending.busy} error={sending.error} away={close} />
    </form>
  );
}

export function OrderActions({ store, order, changed }: OrderActionsProps) {
  const acting = useActing(changed);
  const [isCancelling, setCancelling] = useState(false);
  const of = { workspaceId: store.workspaceId, orderId: order.id };
  const next = STEPS.filter((status) => order.nextStatuses.includes(status));
  if (order.nextStatuses.length === 0) return null;
  if (isCancelling) return <CancelForm {...{ store, order, changed }} close={() => setCancelling(false)} />;
  return (
    <div class="steering no-print">
      <p class="actions">
        {next.map((status) => (
          <button
            key={status}
            type="button"
            class={status === next[0] ? 'button primary' : 'button'}
            disabled={acting.busy}
            onClick={() =>
              acting.run(() => act(`POST ${ORDER}/status`, of, { status }), `The order is now: ${words(status)}.`)
            }
          >
            {LABELS[status]}
          </button>
        ))}
        {order.nextStatuses.includes('cancelled') && (
          <button type="button" class="button danger" disabled={acting.busy} onClick={() => setCancelling(true)}>
            Cancel…
          </button>
        )}
      </p>
      <Outcome acting={acting} />
    </div>
  );
}
