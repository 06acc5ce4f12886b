/** Keeps what the channel sent with a message and no field of its content shows: nothing that a customer sent is lost. */
import type { ReceivedMessage } from '../../application/channel/inboundUpdates.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { inboundContent } from './inboundContent.js';
import { InboundTexts, type JsonLimits } from './inboundTexts.js';

const CHANNEL_ID = 512;
const LIMITS: JsonLimits = { depth: 8, characters: 16_384 };

const ENVELOPE = ['id', 'from', 'from_user_id', 'timestamp', 'type', 'context'];
const CONTEXT = ['from', 'id', 'forwarded', 'frequently_forwarded'];
const MEDIA = ['id', 'mime_type', 'sha256', 'filename', 'caption', 'voice'];

/**
 * Fields of the channel's own object that each kind's content already shows. For contacts it shows less than there is, so all fields are
 * stored.
 */
const SHOWN: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['body']],
  ['image', MEDIA],
  ['video', MEDIA],
  ['audio', MEDIA],
  ['document', MEDIA],
  ['sticker', MEDIA],
  ['location', ['latitude', 'longitude', 'name', 'address']],
  ['reaction', ['message_id', 'emoji']],
  ['button', ['payload', 'text']],
  ['interactive', ['type', 'button_reply', 'list_reply', 'nfm_reply']],
  ['order', ['catalog_id', 'text', 'product_items']],
  ['revoke', ['original_message_id']],
]);

const without = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

const filled = (from: JsonObject): JsonObject | undefined => (Object.keys(from).length === 0 ? undefined : from);

/** The file's address opens only with the store's own key, for minutes: it is nothing to keep. */
const withoutAddress = (type: unknown, body: JsonObject): JsonObject =>
  SHOWN.get(type) === MEDIA ? without(body, ['url']) : body;

function restOf(message: JsonObject, understood: boolean): JsonObject | undefined {
  const type = message.type;
  const name = typeof type === 'string' && !ENVELOPE.includes(type) ? type : '';
  const body = record(message[name]);
  const rest = body && withoutAddress(type, understood ? without(body, SHOWN.get(type) ?? []) : body);
  const context = record(message.context);
  return filled({
    ...without(message, [...ENVELOPE, ...(body === undefined ? [] : [name])]),
    ...defined({ [name]: rest && filled(rest), context: context && filled(without(context, CONTEXT)) }),
  });
}

/** The message as the customer wants it to be read by now, in the place of the one that they edited. */
function asEdited(message: JsonObject): { message: JsonObject; edits?: string } {
  const edit = message.type === 'edit' ? record(message.edit) : undefined;
  const edits = cleanText(edit?.original_message_id, CHANNEL_ID);
  const now = record(edit?.message);
  return edits === undefined || now === undefined
    ? { message }
    : { message: { ...without(message, ['edit']), ...now }, edits };
}

/** Content of a message, with the rest of the channel's data. */
export function contentAndDetails(
  received: JsonObject,
): Pick<ReceivedMessage, 'content' | 'details' | 'repliesTo' | 'forwarded'> {
  const { message, edits } = asEdited(received);
  const texts = new InboundTexts();
  const content = inboundContent(message, texts);
  const rest = restOf(message, content.type !== 'unsupported');
  const channel = rest && texts.json('channel', rest, LIMITS);
  const cut = texts.cut.size === 0 ? undefined : [...texts.cut];
  const details = defined({ edits, cut, channel });
  const context = record(message.context);
  return {
    content,
    ...defined({ repliesTo: cleanText(context?.id, CHANNEL_ID) }),
    ...(context?.forwarded === true || context?.frequently_forwarded === true ? { forwarded: true } : {}),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}
