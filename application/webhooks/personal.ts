/** Webhooks that wait tell of a customer: their text is under the customer's key, and what is sent after they were forgotten is nobody's. */

import { ERASED_PHONE } from '../../domain/erased.js';
import { type RecordedEvent, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { conversations } from '../../projections/conversations.js';
import { messages } from '../../projections/messages.js';
import type { PersonTexts } from '../ports/personTexts.js';
import type { OwedDelivery } from './deliver.js';
import type { Envelope, EventEnvelope } from './envelope.js';
import { isOfMessage } from './messageData.js';

export interface PersonalParts {
  /** Absent where nothing is sealed. */
  readonly people?: PersonTexts | undefined;
  readonly envelope: EventEnvelope;
  readonly eventAt: (stream: string, revision: number) => Promise<RecordedEvent | undefined>;
}

/** Read models that messages are told from. */
const VIEWS = [conversations.name, messages.name];

interface ToldContact {
  readonly phone?: string;
  readonly name?: string;
}

/** Whether the conversation in an envelope is one of nobody. */
function isNobodys(body: string): boolean {
  const { data } = JSON.parse(body) as { data: { conversation?: { contact: ToldContact } } };
  const { phone = '', name = '' } = data.conversation?.contact ?? {};
  return name === '' && (phone === '' || phone === ERASED_PHONE);
}

/** Streams of customers; products and tests tell of nobody. */
const isPersonal = (stream: string): boolean => stream.startsWith('order-') || stream.startsWith('conversation-');

/**
 * As `envelope`, sealed for waiting. Rejects with StoreUnavailable while read models still show somebody who was forgotten, so the wait
 * counts as no attempt of the endpoint. Orders are rendered from the log, which shows nobody at once.
 */
export const sealedEnvelope =
  ({ people, envelope }: Pick<PersonalParts, 'people' | 'envelope'>) =>
  async (...[event, type, one]: Parameters<EventEnvelope>): Promise<Envelope | undefined> => {
    const rendered = await envelope(event, type, one);
    const { stream } = event;
    if (people === undefined || rendered === undefined || !isPersonal(stream)) return rendered;
    const { body, ...rest } = rendered;
    const sealed = await people.seal(stream, one?.eventId ?? event.id, body);
    if (isOfMessage(event) && (await people.isForgotten(stream, event.revision)))
      await checkErased(people, stream, body);
    return sealed === undefined ? rendered : { ...rest, sealed };
  };

/** Rejects with StoreUnavailable while the read models still show the forgotten customer. A customer who came back is shown in the same conversation. */
async function checkErased(people: PersonTexts, stream: string, body: string): Promise<void> {
  const isErased = isNobodys(body) || !(await people.isForgotten(stream));
  if (!isErased || !(await people.isShown(VIEWS)))
    throw new StoreUnavailable('the read models are being rebuilt without a customer who was forgotten');
}

/** What a delivery sends, which is rendered anew, with the same id, where its customer was forgotten meanwhile. Undefined: nothing any more. */
export const bodyOf =
  ({ people, envelope, eventAt }: PersonalParts) =>
  async ({ eventId, eventType, source, body, sealed }: OwedDelivery): Promise<string | undefined> => {
    const at = source !== undefined && 'stream' in source && isPersonal(source.stream) ? source : undefined;
    const opened = sealed === undefined ? body : await people?.open(eventId, sealed);
    // What was noted before texts were sealed is in clear.
    const isCurrent = sealed !== undefined || at === undefined || !(await people?.isForgotten(at.stream, at.revision));
    if (opened !== undefined && isCurrent) return opened;
    const event = at && (await eventAt(at.stream, at.revision));
    const rendered = event && (await envelope(event, eventType));
    if (rendered !== undefined && people !== undefined && isOfMessage(event!))
      await checkErased(people, event!.stream, rendered.body);
    return rendered?.body;
  };
