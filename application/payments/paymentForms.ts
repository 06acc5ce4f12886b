/** Records the contents of a payment form with its order before the form is sent, once per message. */

import { offerPayment } from '../../domain/checkout/offers.js';
import { derivedId } from '../../domain/ids.js';
import { type PaymentForm, paymentFormIn } from '../../domain/orders/offeredForms.js';
import { isPlaced, order } from '../../domain/orders/order.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { Cause, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { messageIdOf } from '../channel/customerMessages.js';

export interface AboutOrder extends Cause {
  readonly orderId: string;
}

/** Records the payment form of the task's message, once, and returns its contents. */
export async function offerPaymentForm(
  task: Task<AboutOrder>,
  context: ProcessorContext,
  attempt: number,
): Promise<PaymentForm | undefined> {
  const { orderId } = task.payload;
  const messageId = messageIdOf(task);
  await context.commands.decide(offering(task, context), order, orderId, offerPayment(orderId, attempt, messageId));
  return context.commands.query(order, orderId, (state) =>
    isPlaced(state) ? paymentFormIn(state, messageId) : undefined,
  );
}

/** Context of the command that records a form. It differs from that of the task's main command. */
export function offering(task: Task<AboutOrder>, context: ProcessorContext): CommandContext {
  const by = context.contextFor(task, task.payload);
  return { ...by, commandId: derivedId(by.commandId, 'offer') };
}
