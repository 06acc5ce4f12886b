/** Contents of events as messages of the API show them. */

import type { InboundContent, OutboundContent } from '../domain/channel/conversationEvents.js';
import { defined } from '../domain/defined.js';
import type { MessageContents, MessageMedia, MessageType } from './messageBodies.js';

/** Type, text and other contents of a message. */
export interface DescribedMessage {
  readonly type: MessageType;
  readonly text: string;
  readonly contents: MessageContents;
}

type Inbound<T extends InboundContent['type']> = Extract<InboundContent, { type: T }>;
type File = Extract<InboundContent, { channelMediaId: string }> | Extract<OutboundContent, { fileId: string }>;

const textOf = (type: MessageType, text = '', contents: MessageContents = {}): DescribedMessage => ({
  type,
  text,
  contents,
});

function media(status: MessageMedia['status'], file: File, fileId: string | undefined, caption: string): MessageMedia {
  const { filename, mimeType, voice } = file;
  return defined({ status, fileId, filename, mimeType, caption: caption === '' ? undefined : caption, voice });
}

const order = ({ items, catalogId, text }: Inbound<'order'>): DescribedMessage =>
  textOf('order', text, {
    order: defined({
      items: items.map(({ productRetailerId, quantity, currency, itemPrice }) =>
        defined({ productRetailerId, quantity, currency, itemPrice }),
      ),
      catalogId,
      text,
    }),
  });

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Answers that were left empty are no answers. */
const flowReply = ({ name, fields }: Inbound<'flow_reply'>): DescribedMessage =>
  textOf('interactive', '', {
    flowReply: defined({
      name,
      fields: Object.entries(fields)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([field, value]) => ({ name: field, value }))
        .sort(byName),
    }),
  });

const choice = ({ id, title, description }: Inbound<'choice'>): DescribedMessage =>
  textOf('interactive', title, { choice: defined({ id, title, description }) });

const location = ({ latitude, longitude, name, address }: Inbound<'location'>): DescribedMessage =>
  textOf('location', '', { location: defined({ latitude, longitude, name, address }) });

/** The shape of a message has no place for address cards: a line each. */
const cards = ({ contacts }: Inbound<'contacts'>): DescribedMessage =>
  textOf('contacts', contacts.map(({ name, phones }) => [name, ...phones].join(', ')).join('\n'));

/** Returns the contents of a customer's message. Files are `pending` until they are copied. (Decisions: types of messages.) */
export function inboundText(content: InboundContent): DescribedMessage {
  switch (content.type) {
    case 'text':
      return textOf('text', content.text);
    case 'order':
      return order(content);
    case 'flow_reply':
      return flowReply(content);
    case 'choice':
      return choice(content);
    case 'location':
      return location(content);
    case 'contacts':
      return cards(content);
    case 'reaction':
      return textOf('reaction', content.emoji);
    case 'unsupported':
      return textOf('unsupported');
    default: {
      const { caption = '' } = content;
      return textOf(content.type, caption, { media: media('pending', content, undefined, caption) });
    }
  }
}

/** Returns the contents of a message that the store, or the service on its behalf, sends. */
export function outboundText(content: OutboundContent): DescribedMessage {
  const { text } = content;
  switch (content.type) {
    case 'text':
      return textOf('text', text);
    case 'menu': {
      const options = content.options.map(({ id, title }) => ({ id, title }));
      return textOf('interactive', text, { menu: defined({ body: text, options, listButton: content.listButton }) });
    }
    case 'flow':
      return textOf('interactive', text, { flow: { cta: content.cta } });
    case 'location_request':
      return textOf('interactive', text, { locationRequest: true });
    case 'template': {
      const { templateId, name, language } = content;
      return textOf('template', text, { template: defined({ templateId, name, language }) });
    }
    default:
      return textOf(content.type, text, { media: media('ready', content, content.fileId, text) });
  }
}
