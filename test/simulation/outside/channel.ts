/**
 * The messaging channel: accepts messages, but sometimes answers that it did not, and notifies listeners of each one.
 */
import { ProviderError } from '../../../application/ports/catalogProvider.js';
import type { ChannelMessages, OutboundMessage } from '../../../application/ports/channelMessages.js';
import { numberOf, TWO_FORMS } from '../workload/wares.js';
import type { Remote } from './remote.js';

export interface Sent {
  readonly phoneNumberId: string;
  readonly message: OutboundMessage;
  readonly channelMessageId: string;
  /** Process that sent the message, and `isConfirmed` once it received the channel's confirmation. */
  readonly by: string;
  isConfirmed: boolean;
}

export interface Channel extends ChannelMessages {
  /** Messages that reached customers, in order, with repeats. */
  readonly sent: readonly Sent[];
  /** Calls the listener for each message that reaches a customer. */
  onSent(notify: (sent: Sent) => void): void;
}

const error = (code: string): ProviderError => new ProviderError(code, 'the channel did not take it', true);

/** `busy`, `lying`: shares of messages that are refused, and that are accepted and denied. */
export function channel(remote: Remote, { busy = 0.05, lying = 0.05 } = {}): Channel {
  const sent: Sent[] = [];
  const listeners: ((sent: Sent) => void)[] = [];
  return {
    sent,
    onSent: (reported) => void listeners.push(reported),
    send(phoneNumberId, message, _, signal) {
      const by = remote.caller;
      let sentNow: Sent | undefined;
      const isBusy = remote.lies(busy);
      const isLying = remote.lies(lying);
      const takes = isLying ? remote.between(1_000, 5_000) : remote.between(20, 400);
      const answer = remote.request({ what: `send ${message.messageId}`, signal, takes }, () => {
        if (isBusy) throw error('131016');
        const channelMessageId = `wamid.out.${sent.length + 1}`;
        sentNow = { phoneNumberId, message, channelMessageId, by, isConfirmed: false };
        const one = sentNow;
        sent.push(one);
        for (const reported of listeners) reported(one);
        if (isLying) throw error('timeout');
        const { phone = '' } = message.to;
        const waId = numberOf(phone) === TWO_FORMS[0] && remote.between(0, 1) < 0.5 ? TWO_FORMS[1] : numberOf(phone);
        return { channelMessageId: one.channelMessageId, waId };
      });
      const notify = (): void => {
        if (sentNow !== undefined) sentNow.isConfirmed = true;
      };
      answer.then(notify, () => undefined);
      return answer;
    },
  };
}
