/** Receives the channel's webhooks, in the channel's own format. (shared reference: 'Inbound webhooks'.) */
import type { ReceiveUpdates } from '../../../application/channel/inbound.js';
import type { ReceiveTemplateUpdates } from '../../../application/templates/templateUpdates.js';
import type { Clock } from '../../../engine/ports/clock.js';
import { inboundUpdates } from '../../../infrastructure/channel/inboundFormat.js';
import { sameText, signatureOf } from '../../../infrastructure/channel/signature.js';
import { templateUpdates } from '../../../infrastructure/channel/templateUpdates.js';
import { Refusal } from '../../contract/problems.js';
import type { RawRoute } from '../../http/rawRoutes.js';

export interface ChannelWebhookDependencies {
  readonly receive: ReceiveUpdates;
  /** Receives updates of message templates; absent: they are ignored. */
  readonly receiveTemplates?: ReceiveTemplateUpdates;
  readonly clock: Clock;
  /** Signs deliveries; one for the whole service. */
  readonly appSecret: string;
  /** Proves the handshake. */
  readonly verifyToken: string;
}

const PATH = '/channel/webhook';
/** Maximum size of the channel's requests. (Shared reference, 'Inbound webhooks'.) */
const MOST_BYTES = 3 * 1024 * 1024;
const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal('malformed_body', 'The delivery is not JSON.');
  }
}

const wrongSignature = (): Refusal =>
  new Refusal('permission_denied', 'X-Hub-Signature-256 does not match this body and the app secret.');

/** The handshake (GET) and the deliveries (POST). A delivery is answered 200 when all of it is durable, 503 otherwise. */
export function channelWebhook(dependencies: ChannelWebhookDependencies): RawRoute[] {
  const { receive, receiveTemplates, clock, appSecret, verifyToken } = dependencies;
  return [
    {
      method: 'GET',
      path: PATH,
      bodyLimit: 0,
      async handle({ query }) {
        const token = query['hub.verify_token'];
        const challenge = query['hub.challenge'];
        const proven = token !== undefined && sameText(token, verifyToken);
        if (query['hub.mode'] !== 'subscribe' || !proven || challenge === undefined)
          throw new Refusal('permission_denied', 'The handshake needs hub.mode=subscribe and the right verify token.');
        return { status: 200, contentType: 'text/plain; charset=utf-8', body: challenge };
      },
    },
    {
      method: 'POST',
      path: PATH,
      bodyLimit: MOST_BYTES,
      before(headers) {
        const signature = headers['x-hub-signature-256'];
        if (typeof signature !== 'string' || !SIGNATURE.test(signature))
          throw new Refusal('permission_denied', 'X-Hub-Signature-256 must be sha256= and 64 lower-case hex digits.');
      },
      async handle({ headers, rawBody, requestId }) {
        if (!sameText(String(headers['x-hub-signature-256']), signatureOf(rawBody, appSecret))) throw wrongSignature();
        const body = parsed(rawBody);
        const now = clock.now();
        await Promise.all([
          receive(inboundUpdates(body, now), requestId),
          receiveTemplates?.(templateUpdates(body, now), requestId),
        ]);
        return { status: 200, isProven: true };
      },
    },
  ];
}
