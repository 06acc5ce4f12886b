/** One request and its answer: what the steps of the pipeline share. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Principal } from '../../application/access/principal.js';
import type { ReservedBytes } from '../../infrastructure/http/bodyBudget.js';
import { isBodyAwaited } from '../../infrastructure/http/expectation.js';
import type { Taken } from './rates/rateLimit.js';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** Time in which the rest of a request is read and discarded after its answer, in ms. */
const LINGER_MS = 10_000;
/** The same while the service stops: a client that keeps sending does not delay the stop. */
const STOPPING_LINGER_MS = 500;
/** Longest time in which a client reads nothing of a streamed answer, in ms. */
const READ_WITHIN_MS = 60_000;

/** Every answer has this. */
export const PLAIN_HEADERS = { 'X-Content-Type-Options': 'nosniff' };

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own request id when it is a sane one, else a new UUID. */
function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID();
}

/**
 * CORS header fields, sent to browsers only. Any page may call the API, since access needs a bearer credential and
 * never a cookie.
 */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'API-Version, Content-Disposition, Content-Range, Deprecation, ETag, Idempotent-Replay-Request-Id, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id',
};

/** Header fields of the answer to a preflight, besides `Allow`: methods, and the time a browser may cache it, in s. */
export const preflight = (methods: string) => ({
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id, traceparent, tracestate',
  'Access-Control-Max-Age': '7200',
});

/** The limits with this one in place of what was found of it before: a large body is counted once more. */
const withLimit = (limits: string, name: string, limit: string): string =>
  limits
    .split(', ')
    .map((one) => (one.startsWith(`"${name}";`) ? limit : one))
    .join(', ');

/** Answers that never have a body, so that a length would be that of another one. */
const BODILESS = new Set([204, 304]);

/** Shared by all exchanges of a server. */
export class Lifecycle {
  #phase: 'starting' | 'ready' | 'stopping' = 'starting';
  /** Requests that go on after their answer. */
  readonly #late = new Set<IncomingMessage>();

  get phase() {
    return this.#phase;
  }

  ready(): void {
    this.#phase = 'ready';
  }

  stop(): void {
    this.#phase = 'stopping';
    for (const request of this.#late) this.#endAfter(STOPPING_LINGER_MS, request);
  }

  /** Ends a connection whose request goes on long after its answer. */
  endLate(request: IncomingMessage): void {
    this.#late.add(request);
    request.once('close', () => this.#late.delete(request));
    this.#endAfter(this.#phase === 'stopping' ? STOPPING_LINGER_MS : LINGER_MS, request);
  }

  #endAfter(ms: number, request: IncomingMessage): void {
    const timer = setTimeout(() => request.destroy(), ms).unref();
    request.once('close', () => clearTimeout(timer));
  }
}

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Time of the monotonic clock, in ms. */
  readonly startedAt = performance.now();
  /** The operation's id, for metrics and logs. */
  readonly operation: string;
  /** Header fields that steps on the way add to the answer. */
  readonly headers: Record<string, string>;
  /** Memory reserved for its body; released by the function that serves it. */
  reserved: ReservedBytes | undefined;
  /**
   * For the log of requests: the caller with a key, the store reached, the reason of a refusal, and the events
   * appended.
   */
  principal: Principal | undefined = undefined;
  workspaceId: string | undefined = undefined;
  memberId: string | undefined = undefined;
  code: string | undefined = undefined;
  events = 0;
  readonly #lifecycle: Lifecycle;
  #policies = '';
  #limits = '';

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    operation: string,
    headers: Readonly<Record<string, string>>,
    lifecycle: Lifecycle,
  ) {
    this.#lifecycle = lifecycle;
    this.request = request;
    this.response = response;
    this.operation = operation;
    this.requestId = requestIdOf(request);
    this.headers = { ...headers, 'X-Request-Id': this.requestId };
    if (request.headers.origin !== undefined && 'API-Version' in headers) Object.assign(this.headers, CORS);
  }

  /** Notes what a limit found, for RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). */
  limited(name: string, policy: string, taken: Taken): void {
    const limit = `"${name}";r=${taken.remaining};t=${taken.resetSeconds}`;
    if (this.#policies.includes(policy)) this.#limits = withLimit(this.#limits, name, limit);
    else {
      this.#policies = this.#policies === '' ? policy : `${this.#policies}, ${policy}`;
      this.#limits = this.#limits === '' ? limit : `${this.#limits}, ${limit}`;
    }
    this.headers['RateLimit-Policy'] = this.#policies;
    this.headers.RateLimit = this.#limits;
  }

  /** Ends the exchange. `content` absent: no body. Does nothing when the client is gone. */
  answer(status: number, content?: string | Buffer, contentType: string = JSON_TYPE): void {
    if (this.response.headersSent || this.response.destroyed) return;
    const headers = this.headers;
    if (this.#lifecycle.phase === 'stopping' || isBodyAwaited(this.request)) headers.Connection = 'close';
    if (content !== undefined) {
      headers['Content-Type'] = contentType;
      headers['Content-Length'] = String(Buffer.byteLength(content));
    } else if (!BODILESS.has(status)) headers['Content-Length'] = '0';
    this.response.writeHead(status, headers);
    this.response.end(content);
    if (!this.request.complete) this.#lifecycle.endLate(this.request);
  }

  /** Ends the exchange with bytes as they come, or without any; resolves when they are sent. Rejects as the stream does. */
  async stream(status: number, fields: Readonly<Record<string, string>>, content?: Readable): Promise<void> {
    const { response, headers } = this;
    if (response.destroyed) {
      content?.destroy();
      return;
    }
    if (this.#lifecycle.phase === 'stopping') headers.Connection = 'close';
    response.writeHead(status, { ...headers, ...fields });
    if (content === undefined) {
      response.end();
      return;
    }
    response.setTimeout(READ_WITHIN_MS, () => response.destroy());
    await pipeline(content, response);
    // The request began before the stop, so no header announced the end of the connection.
    if (this.#lifecycle.phase === 'stopping') this.request.socket.end();
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }
}
