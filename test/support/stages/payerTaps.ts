/** A customer who names a number to pay with that is not the chat's, and says that it is right. */
import { until } from '../doubles/fakeClock.js';
import type { OrderStage } from './orderStage.js';

/** Whether the customer was asked about the number of the try with this reference. */
export const isAskedFor = async (stage: OrderStage, customer: string, reference: string): Promise<boolean> =>
  (await stage.queued(customer)).some(
    ({ content }) => content.type === 'menu' && content.options.some(({ id }) => id.endsWith(`:${reference}`)),
  );

/** Taps an answer, whether it was asked or not. `messageId`: the channel's id of the tap. */
export const tapPayer = (
  stage: OrderStage,
  customer: string,
  reference: string,
  messageId: string,
  answer: 'yes' | 'no' = 'yes',
): Promise<void> =>
  stage.receive(customer, messageId, { type: 'choice', id: `payer:${answer}:${reference}`, title: answer });

/** Waits for the question and says yes. */
export async function confirmsNumber(stage: OrderStage, customer: string, reference: string): Promise<void> {
  await until('the customer is asked about the number', () => isAskedFor(stage, customer, reference));
  await tapPayer(stage, customer, reference, `wamid.yes.${reference}`);
}
