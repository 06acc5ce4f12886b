/** Receivers of webhooks: they fail, are slow, and sometimes accept an event but answer with an error. */
import type { WebhookResult, WebhookSender } from '../../../application/ports/webhookSender.js';
import type { Remote } from './remote.js';

export interface Tried {
  readonly url: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Attempt number in the request. */
  readonly attempt: number;
  /** False: the receiver could not be reached. */
  readonly arrived: boolean;
  /** True if the sender received a success response. */
  readonly taken: boolean;
  /** Process that sent the webhook, and `isConfirmed` once it received the answer. */
  readonly by: string;
  isConfirmed: boolean;
}

export interface Receivers extends WebhookSender {
  /** All attempts, in order. */
  readonly tried: readonly Tried[];
}

/** Maximum failed attempts of one delivery. A retry after the third would take minutes. */
const MOST_FAILED = 2;

/** `refusing`: share of the first two attempts that are answered with an error. */
export function receivers(remote: Remote, refusing = 0.08): Receivers {
  const tried: Tried[] = [];
  return {
    tried,
    check: async () => undefined,
    close: async () => undefined,
    send({ url, headers, signal }) {
      const by = remote.caller;
      const attempt = Number(headers['Service-Delivery-Attempt']);
      const mayFail = attempt <= MOST_FAILED;
      const takes = remote.lies(0.1) ? remote.between(500, 9_000) : remote.between(10, 200);
      const isAway = mayFail && remote.lies(0.06);
      const isLying = mayFail && remote.lies(0.05);
      const isBroken = mayFail && remote.lies(refusing);
      const eventId = headers['Service-Event-Id']!;
      const what = `deliver ${eventId} ${attempt}`;
      let one: Tried | undefined;
      const answer = remote.request<WebhookResult>({ what, signal, takes }, () => {
        const latencyMs = Math.round(takes);
        const eventType = headers['Service-Event-Type']!;
        const taken = !isAway && !isBroken && !isLying;
        one = { url, eventId, eventType, attempt, arrived: !isAway, taken, by, isConfirmed: false };
        tried.push(one);
        if (isAway) return { error: 'connection refused', latencyMs };
        if (isBroken) return { responseCode: 500, latencyMs };
        return isLying ? { error: 'no answer within 10 s', latencyMs } : { responseCode: 200, latencyMs };
      });
      const notify = (): void => {
        if (one !== undefined) one.isConfirmed = true;
      };
      answer.then(notify, () => undefined);
      return answer;
    },
  };
}
