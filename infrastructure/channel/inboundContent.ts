/** The content of one inbound message, from the channel's format. (shared reference: 'Inbound webhooks', table.) */

import type { Revoked } from '../../application/channel/inboundUpdates.js';
import { safeName } from '../../application/files/fileNames.js';
import type { InboundContent, MediaKind, SharedContact } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { finite, list, record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { e164 } from './e164.js';
import { choice, interactive } from './inboundAnswers.js';
import { cart } from './inboundCart.js';
import { type InboundTexts, TEXT, TITLE } from './inboundTexts.js';

const CHANNEL_ID = 512;
const FILENAME = 240;
/** Applies to a longer name with its folders. */
const FILENAME_READ = 1_024;
const EMOJI = 64;
const CONTACTS = 20;
const PHONES = 10;

type Read = (body: JsonObject, texts: InboundTexts) => InboundContent | Revoked | undefined;

const text: Read = (body, texts) => {
  const found = texts.text('body', body.body, TEXT);
  return found === undefined ? undefined : { type: 'text', text: found };
};

/** As customers call it, without what would mislead an agent: folders, line breaks, what turns text around. */
const filename = (given: unknown, texts: InboundTexts): string | undefined =>
  texts.text('filename', safeName(texts.text('filename', given, FILENAME_READ) ?? ''), FILENAME);

const media =
  (type: MediaKind): Read =>
  (body, texts) => {
    const channelMediaId = texts.text('id', body.id, CHANNEL_ID);
    if (channelMediaId === undefined) return undefined;
    return {
      type,
      channelMediaId,
      ...defined({
        mimeType: texts.text('mime_type', body.mime_type, TITLE),
        sha256: texts.text('sha256', body.sha256, 128),
        filename: filename(body.filename, texts),
        caption: texts.text('caption', body.caption, TEXT),
      }),
      ...(body.voice === true ? { voice: true } : {}),
    };
  };

const location: Read = (body, texts) => {
  const latitude = finite(body.latitude, -90, 90);
  const longitude = finite(body.longitude, -180, 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  return {
    type: 'location',
    latitude,
    longitude,
    ...defined({ name: texts.text('name', body.name, TITLE), address: texts.text('address', body.address, 1_024) }),
  };
};

function sharedContact(value: unknown, texts: InboundTexts): SharedContact | undefined {
  const card = record(value);
  const named = record(card?.name);
  const phones = texts.list('phones', list(card?.phones), PHONES).flatMap(phoneOf);
  const name =
    texts.text('name', named?.formatted_name, TITLE) ?? texts.text('name', named?.first_name, TITLE) ?? phones[0];
  return name === undefined ? undefined : { name, phones };
}

/** As the channel knows it, else as the customer wrote it. */
function phoneOf(value: unknown): string[] {
  const phone = record(value);
  const written = e164(phone?.wa_id) ?? cleanText(phone?.phone, 40);
  return written === undefined ? [] : [written];
}

function contacts(value: unknown, texts: InboundTexts): InboundContent | undefined {
  const cards = texts.list('cards', list(value), CONTACTS).map((card) => sharedContact(card, texts));
  const read = cards.filter((card) => card !== undefined);
  return read.length === 0 ? undefined : { type: 'contacts', contacts: read };
}

const reaction: Read = (body, texts) => {
  const channelMessageId = texts.text('message_id', body.message_id, CHANNEL_ID);
  if (channelMessageId === undefined) return undefined;
  return { type: 'reaction', emoji: texts.text('emoji', body.emoji, EMOJI) ?? '', channelMessageId };
};

const revoke: Read = (body, texts) => {
  const channelMessageId = texts.text('original_message_id', body.original_message_id, CHANNEL_ID);
  return channelMessageId === undefined ? undefined : { type: 'revoke', channelMessageId };
};

const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['text', text],
  ['image', media('image')],
  ['video', media('video')],
  ['audio', media('audio')],
  ['document', media('document')],
  ['sticker', media('sticker')],
  ['location', location],
  ['reaction', reaction],
  ['button', (body, texts) => choice({ id: body.payload, title: body.text }, texts)],
  ['interactive', interactive],
  ['revoke', revoke],
]);

/** Kinds that are not understood, and contents that are not as the channel declares them, become `unsupported`. */
export function inboundContent(message: JsonObject, texts: InboundTexts): InboundContent | Revoked {
  const channelType = cleanText(message.type, 64) ?? 'unknown';
  const unsupported = { type: 'unsupported', channelType } as const;
  if (channelType === 'contacts') return contacts(message.contacts, texts) ?? unsupported;
  const body = record(message[channelType]);
  // A cart is one however it looks: a customer who sent one waits for an order.
  if (channelType === 'order') return cart(body ?? {}, texts);
  const read = READERS.get(channelType);
  return (body && read?.(body, texts)) ?? unsupported;
}
