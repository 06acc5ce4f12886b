/**
 * Personal data in pending webhooks: bodies are sealed under the customer's key, and after an erasure they are rendered without the
 * customer's data.
 */

import { ERASED_PHONE } from '../../domain/erasure.js';
import { type RecordedEvent, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { conversations } from '../../projections/conversations.js';
import { messages } from '../../projections/messages.js';
import type { PersonTexts } from '../ports/personTexts.js';
import type { PendingDelivery } from './deliveryAttempts.js';
import type { Envelope, EventEnvelope } from './envelope.js';
import { isOfMessage } from './messageData.js';

export interface PersonalParts {
  /** Absent if nothing is sealed. */
  readonly people?: PersonTexts | undefined;
  readonly envelope: EventEnvelope;
  readonly eventAt: (stream: string, revision: number) => Promise<RecordedEvent | undefined>;
}

/** Read models from which message events are rendered. */
const VIEWS = [conversations.name, messages.name];

interface PublishedContact {
  readonly phone?: string;
  readonly name?: string;
}

/** Returns true if the conversation in an envelope has no personal data. */
function isNobodys(body: string): boolean {
  const { data } = JSON.parse(body) as { data: { conversation?: { contact: PublishedContact } } };
  const { phone = '', name = '' } = data.conversation?.contact ?? {};
  return name === '' && (phone === '' || phone === ERASED_PHONE);
}

/** Returns true for streams of customers. Products and tests contain no personal data. */
const isPersonal = (stream: string): boolean => stream.startsWith('order-') || stream.startsWith('conversation-');

/**
 * Same as `envelope`, sealed for storage. Rejects with StoreUnavailable while read models still show an erased customer, so that the wait
 * does not count as an attempt. Orders are rendered from the log, which hides erased data at once.
 */
export const sealedEnvelope =
  ({ people, envelope }: Pick<PersonalParts, 'people' | 'envelope'>) =>
  async (...[event, type, one]: Parameters<EventEnvelope>): Promise<Envelope | undefined> => {
    const rendered = await envelope(event, type, one);
    const { stream } = event;
    if (people === undefined || rendered === undefined || !isPersonal(stream)) return rendered;
    const { body, ...rest } = rendered;
    const sealed = await people.seal(stream, one?.eventId ?? event.id, body);
    const isForgotten = () => people.isForgotten(stream, event.revision);
    if (isOfMessage(event) && (await isForgotten())) await checkErased(people, stream, body);
    if (sealed !== undefined) return { ...rest, sealed };
    // The customer of an order may have been forgotten since it was rendered.
    return !isOfMessage(event) && (await isForgotten()) ? envelope(event, type, one) : rendered;
  };

/**
 * Rejects with StoreUnavailable while the read models still show the erased customer. A customer who came back is shown in the same
 * conversation.
 */
async function checkErased(people: PersonTexts, stream: string, body: string): Promise<void> {
  const isErased = isNobodys(body) || !(await people.isForgotten(stream));
  if (!isErased || !(await people.isShown(VIEWS)))
    throw new StoreUnavailable('the read models are being rebuilt without an erased customer');
}

/**
 * Returns the body of a delivery. It is rendered again, with the same id, if its customer was erased meanwhile. Undefined: there is nothing
 * to send any more.
 */
export const bodyOf =
  ({ people, envelope, eventAt }: PersonalParts) =>
  async ({ eventId, eventType, source, body, sealed }: PendingDelivery): Promise<string | undefined> => {
    const at = source !== undefined && 'stream' in source && isPersonal(source.stream) ? source : undefined;
    const opened = sealed === undefined ? body : await people?.open(eventId, sealed);
    // Bodies that were stored before sealing was introduced are in clear.
    const isCurrent = sealed !== undefined || at === undefined || !(await people?.isForgotten(at.stream, at.revision));
    if (opened !== undefined && isCurrent) return opened;
    const event = at && (await eventAt(at.stream, at.revision));
    const rendered = event && (await envelope(event, eventType));
    if (rendered !== undefined && people !== undefined && isOfMessage(event!))
      await checkErased(people, event!.stream, rendered.body);
    return rendered?.body;
  };
