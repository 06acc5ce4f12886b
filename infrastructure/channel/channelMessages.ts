import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { ChannelMessages } from '../../application/ports/channelMessages.js';
import { defined } from '../../domain/defined.js';
import { list, record } from '../untypedJson.js';
import { cut } from './cleanText.js';
import { e164 } from './e164.js';
import { messagePayload } from './outboundFormat.js';
import { createProviderHttp, type ProviderOptions, part } from './providerHttp.js';

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
        throw new ProviderError('bad_answer', 'The channel accepted the message without returning an id.', true);
      const waId = e164(record(list(answer.contacts)[0])?.wa_id);
      return { channelMessageId: cut(id, 512), ...defined({ waId }) };
    },
    close: () => http.close(),
  };
}
