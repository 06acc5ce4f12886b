/** A customer who names a payment number other than the chat's, and confirms it. */
import { until } from '../doubles/fakeClock.js';
import type { OrderStage } from './orderStage.js';

/** Returns whether the customer got the question about the number of the attempt with this reference. */
export const isRequested = async (stage: OrderStage, customer: string, reference: string): Promise<boolean> =>
  (await stage.queued(customer)).some(
    ({ content }) => content.type === 'menu' && content.options.some(({ id }) => id.endsWith(`:${reference}`)),
  );

/** Taps an answer, with or without the question. `messageId`: the channel's id of the tap. */
export const tapPayer = (
  stage: OrderStage,
  customer: string,
  reference: string,
  messageId: string,
  answer: 'yes' | 'no' = 'yes',
): Promise<void> =>
  stage.receive(customer, messageId, { type: 'choice', id: `payer:${answer}:${reference}`, title: answer });

/** Waits for the question and taps yes. */
export async function confirmsNumber(stage: OrderStage, customer: string, reference: string): Promise<void> {
  await until('the customer is asked about the number', () => isRequested(stage, customer, reference));
  await tapPayer(stage, customer, reference, `wamid.yes.${reference}`);
}
