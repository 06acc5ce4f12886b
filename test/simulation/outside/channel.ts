/** The messaging channel: takes messages, says at times that it did not, tells how far they came, and brings what customers send. */
import { ProviderError } from '../../../application/ports/catalogProvider.js';
import type { ChannelMessages, OutboundMessage } from '../../../application/ports/channelMessages.js';
import type { Remote } from './remote.js';

export interface Sent {
  readonly phoneNumberId: string;
  readonly message: OutboundMessage;
  readonly channelMessageId: string;
}

export interface Channel extends ChannelMessages {
  /** What reached customers, in order, repeats too. */
  readonly sent: readonly Sent[];
  /** Told of each message that reaches a customer. */
  onSent(told: (sent: Sent) => void): void;
}

const error = (code: string): ProviderError => new ProviderError(code, 'the channel did not take it', true);

export function channel(remote: Remote): Channel {
  const sent: Sent[] = [];
  const listeners: ((sent: Sent) => void)[] = [];
  return {
    sent,
    onSent: (told) => void listeners.push(told),
    send(phoneNumberId, message, _, signal) {
      const isBusy = remote.lies(0.05);
      const isLying = remote.lies(0.05);
      const takes = isLying ? remote.between(1_000, 5_000) : remote.between(20, 400);
      return remote.ask({ what: `send ${message.messageId}`, signal, takes }, () => {
        if (isBusy) throw error('131016');
        const one = { phoneNumberId, message, channelMessageId: `wamid.out.${sent.length + 1}` };
        sent.push(one);
        for (const told of listeners) told(one);
        if (isLying) throw error('timeout');
        return { channelMessageId: one.channelMessageId };
      });
    },
  };
}
