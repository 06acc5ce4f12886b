/** The customer's answers to the checkout form reach the order. */
import { DomainError } from '../../domain/decider.js';
import { delivery } from '../../domain/delivery/delivery.js';
import { checkOutOrder, isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import type { Outcome, ProcessorContext, Task } from '../processors/processor.js';
import { type Fields, readAnswers } from './answers.js';
import { type Cause, type OrderDependencies, send } from './dependencies.js';
import { formAgain } from './messages.js';
import { textsIn } from './texts.js';

export interface FormReply extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
  readonly orderId: string;
  readonly fields: Fields;
}

const DONE: Outcome = { done: true };

/** Wrong answers bring the form again with what was wrong; a second answer changes nothing and is told so. */
export const checkOut =
  (dependencies: OrderDependencies) =>
  async (task: Task<FormReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, messageId, orderId, fields } = task.payload;
    const { commands } = context;
    const state = await commands.query(order, orderId, (seen) => seen);
    // Another form's answer, or a token that was made up.
    if (!isPlaced(state) || state.conversationId !== conversationId) return DONE;
    const locale = (await dependencies.storeOf(workspaceId))?.locale ?? 'en';
    const texts = textsIn(locale);
    const tell = async (content: Parameters<typeof send>[4]): Promise<Outcome> => {
      await send(dependencies, context, task, { conversationId }, content, { kind: 'order_help', orderId });
      return DONE;
    };
    const closed = closedBy(state, messageId);
    if (closed === 'this') return DONE;
    if (closed === 'checkout') return tell({ type: 'text', text: texts.alreadyCheckedOut(state.number) });
    if (closed === 'status') return tell({ type: 'text', text: texts.noLongerOpen(state.number) });
    const settings = await commands.query(delivery, workspaceId, (seen) => seen.settings);
    const answers = readAnswers(fields, settings);
    if (answers.wrong !== undefined)
      return tell(formAgain(locale, { orderId, number: state.number, totals: state.totals }, settings, answers.wrong));
    try {
      const by = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } as const };
      await commands.decide(by, order, orderId, checkOutOrder({ ...answers.checkOut, messageId }));
      return DONE;
    } catch (error) {
      // The store has cancelled it since the look above.
      if (!(error instanceof DomainError && error.code === 'order_status_not_allowed')) throw error;
      return tell({ type: 'text', text: texts.noLongerOpen(state.number) });
    }
  };

/** Why the order takes no answers any more; `this`: the very message has been taken before. */
function closedBy(state: PlacedOrder, messageId: string): 'this' | 'checkout' | 'status' | undefined {
  if (state.checkedOut && state.checkedOutBy === messageId) return 'this';
  if (state.status === 'cancelled' || state.status === 'refunded') return 'status';
  if (state.checkedOut) return 'checkout';
  return state.status === 'new' ? undefined : 'status';
}
