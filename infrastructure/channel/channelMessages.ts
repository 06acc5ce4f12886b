import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { ChannelMessages, OutboundMessage } from '../../application/ports/channelMessages.js';
import type { ChannelCustomer, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { cut, cutCharacters, wellFormed } from './cleanText.js';
import { list, record } from './inboundContent.js';
import { createProviderHttp, type ProviderOptions, part } from './providerHttp.js';

/** The channel's limits. (shared reference: 'Outbound'.) */
const TEXT = 4_096;
const INTERACTIVE_BODY = 1_024;
const FLOW_CTA = 20;

/** Longer texts end in an ellipsis rather than being refused by the channel. */
function fitting(text: string, most: number): string {
  const clean = wellFormed(text);
  return clean.length <= most ? clean : `${cut(clean, most - 1)}…`;
}

/** The phone where it is known: the channel prefers it and then keeps naming it. */
function recipient({ phone, userId }: ChannelCustomer): object {
  if (phone !== undefined) return { to: phone };
  if (userId !== undefined) return { recipient: userId };
  throw new ProviderError('131009', 'The message has no recipient.', false);
}

/** The channel takes no line breaks, tabs or long gaps in a template's variables. */
const parameter = (text: string): object => ({
  type: 'text',
  text: fitting(text.replace(/\s+/g, ' ').trim(), INTERACTIVE_BODY),
});

function body(content: OutboundContent): object {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: { body: fitting(content.text, TEXT), preview_url: false } };
    case 'location_request':
      return {
        type: 'interactive',
        interactive: {
          type: 'location_request_message',
          body: { text: fitting(content.text, INTERACTIVE_BODY) },
          action: { name: 'send_location' },
        },
      };
    case 'flow':
      return {
        type: 'interactive',
        interactive: {
          type: 'flow',
          body: { text: fitting(content.text, INTERACTIVE_BODY) },
          action: {
            name: 'flow',
            parameters: {
              flow_message_version: '3',
              flow_name: content.flowName,
              flow_cta: cutCharacters(wellFormed(content.cta), FLOW_CTA),
              flow_token: content.token,
              flow_action: 'navigate',
              flow_action_payload: { screen: content.screen, data: content.data },
            },
          },
        },
      };
    case 'template':
      return {
        type: 'template',
        template: {
          name: content.name,
          language: { code: content.language },
          components: [{ type: 'body', parameters: content.body.map(parameter) }],
        },
      };
    default:
      throw new ProviderError('131009', `A message of the type ${content.type} cannot be sent.`, false);
  }
}

/** The request's body for `POST /{phone-number-id}/messages`. */
export const messagePayload = ({ to, content, messageId }: OutboundMessage): object => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...recipient(to),
  ...body(content),
  biz_opaque_callback_data: messageId,
});

/** The messaging channel over its HTTP protocol. */
export function createChannelMessages(options: ProviderOptions): ChannelMessages & { close(): Promise<void> } {
  const http = createProviderHttp(options);
  return {
    async send(phoneNumberId, message, accessToken, signal) {
      const answer = await http.call({
        method: 'POST',
        path: `/${part(phoneNumberId)}/messages`,
        body: JSON.stringify(messagePayload(message)),
        accessToken,
        signal,
      });
      const id = record(list(answer.messages)[0])?.id;
      if (typeof id !== 'string' || id === '')
        throw new ProviderError('bad_answer', 'The channel took the message without naming it.', true);
      return { channelMessageId: cut(id, 512) };
    },
    close: () => http.close(),
  };
}
