import { text } from '../../../application/texts/texts.js';
import { paymentReference } from '../../../domain/orders/paymentDecisions.js';
import { eventsOfType } from './eventsOfType.js';
import type { Ended, Invariant } from './invariant.js';

interface Requested {
  readonly attempt: number;
  readonly awaitsAnnouncement?: true;
  readonly awaitsConfirmation?: true;
}
interface Queued {
  readonly content: { readonly type: string; readonly text?: string };
}

/** An attempt that ends later than this, in ms, is still open when the storm is over and its customer gets a message. */
const LONG_MS = 45_000;
const LOCALES = ['en', 'so', 'ar'] as const;

/** Returns the messages that each event caused. */
function messagesBy({ data }: Ended): ReadonlyMap<string, readonly Queued[]> {
  const found = new Map<string, Queued[]>();
  for (const { meta, data: queued } of eventsOfType<Queued>(data, 'MessageQueued'))
    found.set(meta.causationId ?? '', [...(found.get(meta.causationId ?? '') ?? []), queued]);
  return found;
}

/** Returns the time at which each attempt ended, in ms since 1970. */
function ends({ data }: Ended): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const type of ['OrderPaid', 'OrderPaymentFailed', 'OrderPaymentSurplus'])
    for (const { streamId, meta, data: ended } of eventsOfType<Requested>(data, type))
      found.set(`${streamId}.${ended.attempt}`, Date.parse(meta.at));
  for (const { streamId, meta, data: moved } of eventsOfType<{ readonly to: string }>(data, 'OrderStatusChanged'))
    if (moved.to === 'cancelled') found.set(streamId, Date.parse(meta.at));
  return found;
}

/** Lists attempts of a payment form whose customer never got instructions for them. */
function uninstructed(ended: Ended): string[] {
  const messages = messagesBy(ended);
  const over = ends(ended);
  return eventsOfType<Requested>(ended.data, 'OrderPaymentRequested')
    .filter(({ id, data }) => !ended.erased.has(id) && !data.awaitsAnnouncement && !data.awaitsConfirmation)
    .filter(({ meta }) => !messages.has(meta.causationId ?? ''))
    .filter(({ streamId, meta, data: { attempt } }) => {
      const end = Math.min(over.get(`${streamId}.${attempt}`) ?? Infinity, over.get(streamId) ?? Infinity);
      return end - Date.parse(meta.at) > LONG_MS;
    })
    .map(({ streamId, data: { attempt } }) => `nobody told the customer to confirm payment ${attempt} of ${streamId}`);
}

/** Lists customers who confirmed the number of a payment, and got the message that they were too late. */
function calledLate(ended: Ended): string[] {
  const messages = messagesBy(ended);
  const numbers = new Map(
    eventsOfType<{ readonly number: number }>(ended.data, 'OrderPlaced').map((one) => [one.streamId, one.data.number]),
  );
  return eventsOfType<Requested>(ended.data, 'OrderPaymentConfirmed').flatMap(
    ({ streamId, meta, data: { attempt } }) => {
      const values = { number: numbers.get(streamId) ?? 0 };
      const late = new Set(
        LOCALES.flatMap((locale) => [
          text(locale, 'payments.underWay', values),
          text(locale, 'payments.notOpen', values),
        ]),
      );
      const isLate = messages.get(meta.causationId ?? '')?.some(({ content }) => late.has(content.text ?? ''));
      return isLate ? [`who confirmed payment ${attempt} of ${streamId} was told to be too late`] : [];
    },
  );
}

/** Lists payments that never reached the provider, and are recorded as unanswered. */
function calledUnanswered({ data, people: { payments } }: Ended): string[] {
  return eventsOfType<Requested & { readonly reason: string }>(data, 'OrderPaymentFailed')
    .filter(({ data: { reason } }) => reason === 'no_answer')
    .map(({ streamId, data: { attempt } }) => paymentReference(streamId, attempt))
    .filter((reference) => payments.answers.get(reference) === 'not_sent')
    .map((reference) => `${reference} never reached the provider, and is recorded as unanswered`);
}

/**
 * A customer who starts a payment gets instructions for it, and one who confirms a payer never reads that it was too
 * late. A payment that could not be sent is recorded as such. Only in worlds whose clocks are right and whose processes
 * go on.
 */
export const payersNotified: Invariant = (ended) =>
  ended.isUndisturbed ? [...uninstructed(ended), ...calledLate(ended), ...calledUnanswered(ended)] : [];
