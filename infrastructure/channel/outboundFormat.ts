/** Outgoing messages in the channel's format: the body of `POST /{phone-number-id}/messages`. (shared reference: 'Outbound'.) */
import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { OutboundMessage } from '../../application/ports/channelMessages.js';
import type { ChannelCustomer, MediaKind, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { never } from '../../domain/decider.js';
import { callbackData } from './callbackData.js';
import { fitting } from './cleanText.js';
import { mediaId, templateBody } from './templateFormat.js';

/** The channel's limits, in characters. */
const TEXT = 4_096;
const INTERACTIVE_BODY = 1_024;
const CAPTION = 1_024;
const FILENAME = 240;
const FLOW_CTA = 20;
const BUTTON = { title: 20, id: 256, most: 3 };
const ROW = { title: 24, id: 200, most: 10 };
const LIST_BUTTON = 20;

type Content<T extends OutboundContent['type']> = Extract<OutboundContent, { type: T }>;
type Media = Content<MediaKind>;
type MediaIds = Readonly<Record<string, string>>;

/** The phone where it is known: the channel prefers it and then keeps naming it. */
function recipient({ phone, userId }: ChannelCustomer): object {
  if (phone !== undefined) return { to: phone };
  if (userId !== undefined) return { recipient: userId };
  throw new ProviderError('131009', 'The message has no recipient.', false);
}

const words = (text: string): object => ({ body: { text: fitting(text, INTERACTIVE_BODY) } });

/** Audio and stickers have no caption; only documents show a name. */
function mediaBody({ type, text, fileId, filename, voice }: Media, mediaIds: MediaIds): object {
  const hasCaption = type !== 'audio' && type !== 'sticker' && text !== '';
  return {
    id: mediaId(fileId, mediaIds),
    ...(hasCaption ? { caption: fitting(text, CAPTION) } : {}),
    ...(type === 'document' && filename !== undefined ? { filename: fitting(filename, FILENAME) } : {}),
    ...(type === 'audio' && voice ? { voice } : {}),
  };
}

/** Cut titles that have become equal get a number: the channel refuses two options of one title. */
function titles(options: Content<'menu'>['options'], most: number): string[] {
  const used = new Set<string>();
  return options.map(({ title }) => {
    let fitted = fitting(title, most);
    for (let number = 2; used.has(fitted); number++) {
      const ending = ` ${number}`;
      fitted = `${fitting(title, most - ending.length)}${ending}`;
    }
    used.add(fitted);
    return fitted;
  });
}

/** An option with its title. The id comes back with the tap, so it is never cut. */
function option(id: string, title: string, mostId: number): object {
  if (id.length > mostId) throw new ProviderError('131009', 'An option of the menu has too long an id.', false);
  return { id, title };
}

function menu({ text, options, listButton }: Content<'menu'>): object {
  const isList = listButton !== undefined || options.length > BUTTON.most;
  const limits = isList ? ROW : BUTTON;
  const shown = options.slice(0, limits.most);
  const named = titles(shown, limits.title);
  const all = shown.map(({ id }, i) => option(id, named[i]!, limits.id));
  if (!isList)
    return { type: 'button', ...words(text), action: { buttons: all.map((reply) => ({ type: 'reply', reply })) } };
  const button = fitting(listButton ?? 'Menu', LIST_BUTTON);
  return { type: 'list', ...words(text), action: { button, sections: [{ rows: all }] } };
}

const flow = ({ text, flowName, cta, token, screen, data }: Content<'flow'>): object => ({
  type: 'flow',
  ...words(text),
  action: {
    name: 'flow',
    parameters: {
      flow_message_version: '3',
      flow_name: flowName,
      flow_cta: fitting(cta, FLOW_CTA),
      flow_token: token,
      flow_action: 'navigate',
      flow_action_payload: { screen, data },
    },
  },
});

const locationRequest = ({ text }: Content<'location_request'>): object => ({
  type: 'location_request_message',
  ...words(text),
  action: { name: 'send_location' },
});

function body(content: OutboundContent, mediaIds: MediaIds): object {
  const { type } = content;
  switch (type) {
    case 'text':
      return { type, text: { body: fitting(content.text, TEXT), preview_url: false } };
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return { type, [type]: mediaBody(content, mediaIds) };
    case 'menu':
      return { type: 'interactive', interactive: menu(content) };
    case 'flow':
      return { type: 'interactive', interactive: flow(content) };
    case 'location_request':
      return { type: 'interactive', interactive: locationRequest(content) };
    case 'template':
      return { type, template: templateBody(content, mediaIds) };
    default:
      return never(type);
  }
}

/** Longer texts end in an ellipsis rather than being refused. Throws `ProviderError` for what no change of length mends. */
export const messagePayload = ({
  to,
  content,
  messageId,
  conversationId,
  repliesTo,
  mediaIds = {},
}: OutboundMessage): object => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...recipient(to),
  ...(repliesTo === undefined ? {} : { context: { message_id: repliesTo } }),
  ...body(content, mediaIds),
  biz_opaque_callback_data: callbackData(messageId, conversationId),
});
