/** Outgoing HTTP requests as spans, with trace context in their headers. (Semantic conventions for HTTP clients.) */
import { type Dispatcher, request } from 'undici';
import type { WebhookSender } from '../../application/ports/webhookSender.js';
import type { Tracing } from '../../engine/ports/tracing.js';

/** The form of undici's `request` that this service uses. */
export type HttpRequest = (url: string, options: HttpRequestOptions) => Promise<Dispatcher.ResponseData>;

type HttpRequestOptions = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
} & Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method' | 'headers'> & { readonly dispatcher: Dispatcher };

/** Host and port alone: a path or a query may hold what is nobody's business, such as a token or a phone number. */
function peerOf(url: string): Record<string, string | number> {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

const failing = (status: number): boolean => status >= 400;

/** `peer`: the other's name here, such as channel. The span ends with the head of the answer. */
export const tracedRequest =
  (tracing: Tracing, peer: string): HttpRequest =>
  (url, options) => {
    const words = { 'http.request.method': options.method, 'suuq.peer': peer, ...peerOf(url) };
    return tracing.during({ name: `${options.method} ${peer}`, kind: 'client', words }, async (span) => {
      const answer = await request(url, { ...options, headers: { ...options.headers, ...span.place } });
      span.note({ 'http.response.status_code': answer.statusCode });
      if (failing(answer.statusCode)) span.failed(String(answer.statusCode));
      return answer;
    });
  };

/** A delivery is a message that is sent, and a request: it bears the words of both. */
export const tracedSender = (sender: WebhookSender, tracing: Tracing): WebhookSender => ({
  check: (url) => sender.check(url),
  close: () => sender.close(),
  send: (request) => {
    const { url, headers } = request;
    const words = {
      'messaging.system': 'suuq',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'webhook',
      'messaging.message.id': headers['Service-Event-Id'],
      'suuq.event.type': headers['Service-Event-Type'],
      'http.request.method': 'POST',
      'http.request.resend_count': resends(headers['Service-Delivery-Attempt']),
      ...peerOf(url),
    };
    return tracing.during({ name: 'send webhook', kind: 'client', words }, async (span) => {
      const result = await sender.send({ ...request, headers: { ...headers, ...span.place } });
      const { responseCode, error } = result;
      span.note({ 'http.response.status_code': responseCode });
      if (responseCode !== undefined && failing(responseCode)) span.failed(String(responseCode));
      else if (error !== undefined) span.failed('no_answer');
      return result;
    });
  },
});

/** Absent for the first attempt. */
function resends(attempt: string | undefined): number | undefined {
  const count = Number(attempt ?? 1) - 1;
  return count > 0 ? count : undefined;
}
