/** Checkout forms for customers. The contents of a form are recorded with the order before the form is sent. */

import { offerCheckout } from '../../domain/checkout/offers.js';
import { delivery, offersHandover } from '../../domain/delivery/delivery.js';
import type { DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import { type CheckoutForm, checkoutFormIn } from '../../domain/orders/offeredForms.js';
import { isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import type { WalletId } from '../../domain/payments/paymentEvents.js';
import type { ProcessorContext, Task } from '../../engine/processors/processor.js';
import { messageIdOf } from '../channel/customerMessages.js';
import { type AboutOrder, offering } from '../payments/paymentForms.js';
import { walletsOffered } from '../payments/walletChoice.js';
import type { OrderDependencies } from './orderDependencies.js';

/** Contents for a message. */
export interface CheckoutOffer {
  readonly order: PlacedOrder;
  /** Undefined: the store offers no choice, or the order can no longer be checked out. */
  readonly form: CheckoutForm | undefined;
  readonly settings: DeliverySettings;
  readonly wallets: readonly WalletId[] | undefined;
}

/** Records the checkout form of the task's message, once, and returns its contents. They are the same for each performance of the task. */
export async function offerCheckoutForm(
  { takesPayments }: Pick<OrderDependencies, 'takesPayments'>,
  task: Task<AboutOrder>,
  context: ProcessorContext,
): Promise<CheckoutOffer | undefined> {
  const { commands } = context;
  const { orderId, workspaceId } = task.payload;
  const settings = await commands.query(delivery, workspaceId, (seen) => seen.settings);
  const wallets = (await walletsOffered(commands, workspaceId, takesPayments))?.wallets;
  const messageId = messageIdOf(task);
  if (offersHandover(settings)) {
    const decision = offerCheckout({ orderId, messageId, settings });
    await commands.decide(offering(task, context), order, orderId, decision);
  }
  const state = await commands.query(order, orderId, (seen) => seen);
  return isPlaced(state) ? { order: state, form: checkoutFormIn(state, messageId), settings, wallets } : undefined;
}
