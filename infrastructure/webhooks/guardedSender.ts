import type { Agent, Dispatcher } from 'undici';
import type { LocalListeners } from '../../application/ports/localListeners.js';
import type { WebhookRequest, WebhookResult, WebhookSender } from '../../application/ports/webhookSender.js';
import { unlessAborted } from '../../engine/unlessAborted.js';
import { type Clients, clients } from '../http/clients.js';
import { isLoopbackAddress } from '../http/localHosts.js';
import { endedUsedConnection, guardedConnector } from './guardedConnector.js';
import { createUrlGuard, type UrlGuard, type UrlGuardOptions, UrlRefused } from './urlGuard.js';

export interface GuardedSenderOptions extends UrlGuardOptions {
  /** For connection, headers and body together, in ms; 10,000 when absent. (Specification 2, 'Limits'.) */
  readonly deadlineMs?: number;
  /** PEM of the only authority to trust; for tests. */
  readonly ca?: string;
  /** URLs on this machine that an operator has admitted, each by itself. */
  readonly listeners?: Pick<LocalListeners, 'admits'>;
}

const DEADLINE_MS = 10_000;
/** More of an answer is not read, and none of it is decompressed: it says nothing that matters. */
const MOST_BODY_BYTES = 65_536;
/** Long enough that an endpoint with an event every few minutes keeps its connection, where its server does too. */
const KEEP_ALIVE_MS = 300_000;
const LONGEST_ERROR = 200;

/** Reads on, so that the connection can be used again, but only so far. */
async function drop(body: Dispatcher.ResponseData['body']): Promise<void> {
  body.on('error', () => undefined);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BODY_BYTES) return;
  }
}

/** Longer waits make no difference: nothing is tried after 72 hours. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;
const HTTP_DATE = /^[A-Z][a-z]+, .* GMT$/;

/** ms that a Retry-After header asks for: seconds or an HTTP date. Undefined when it is neither, or has passed. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) * 1000 : undefined;
  const wait = seconds ?? (HTTP_DATE.test(header) ? Date.parse(header) - Date.now() : 0);
  return wait > 0 ? Math.min(wait, LONGEST_WAIT_MS) : undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  UND_ERR_SOCKET: 'the connection closed before an answer came',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate chain has a self-signed one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the TLS certificate chain is not complete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another name',
};

function said(error: unknown): string {
  if (error instanceof UrlRefused) return `refused: ${error.message}`;
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return WORDS[code] ?? (code === '' ? error.message : code).slice(0, LONGEST_ERROR);
}

const isRedirect = (status: number): boolean => status >= 300 && status <= 399;

interface Progress {
  responseCode?: number;
  retryAfterMs?: number;
  error?: string;
}

async function exchange(agent: Agent, request: WebhookRequest, signal: AbortSignal, progress: Progress) {
  const { origin, pathname, search } = new URL(request.url);
  const { statusCode, headers, body } = await agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { ...request.headers },
    body: request.body,
    signal,
  });
  progress.responseCode = statusCode;
  const wait = retryAfter(headers['retry-after']);
  if (wait !== undefined) progress.retryAfterMs = wait;
  if (isRedirect(statusCode)) progress.error = 'redirects are not followed';
  await drop(body);
}

/** Sends webhooks by the rules of the port; see urlGuard.ts for where they may go. */
export function createGuardedSender(options: GuardedSenderOptions = {}): WebhookSender {
  const { deadlineMs = DEADLINE_MS } = options;
  const guard = createUrlGuard(options);
  // As many connections to one origin as there are requests: many stores' endpoints may share a host, and one that hangs
  // must not queue the others. The number of requests at once is the processor's.
  const newAgent = (by: Clients, pipelining: 0 | 1, admittedBy = guard): Agent =>
    new by.Agent({
      connect: guardedConnector(by, admittedBy, options.ca),
      pipelining,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  let pooled: Agent | undefined;
  /** Each request on a connection of its own. */
  let unpooled: Agent | undefined;
  const isAdmitted = (url: string): boolean => options.listeners?.admits(url) === true;
  const admitting: UrlGuard = {
    refusalOf: () => undefined,
    addressesOf: async (host) => [host],
    admits: isLoopbackAddress,
  };
  /** To admitted URLs, made for the first of them. */
  let toListeners: Agent | undefined;
  function agentFor(by: Clients, url: string, isAnew: boolean): Agent {
    if (isAdmitted(url)) {
      toListeners ??= newAgent(by, 0, admitting);
      return toListeners;
    }
    if (isAnew) {
      unpooled ??= newAgent(by, 0);
      return unpooled;
    }
    pooled ??= newAgent(by, 1);
    return pooled;
  }
  const refusalOf = (url: string): string | undefined => (isAdmitted(url) ? undefined : guard.refusalOf(url));

  /**
   * A connection that was idle may have been closed by the receiver just now: that is no failure of the receiver's, so
   * the request is made again on a new connection, at once and under the same deadline. Should the receiver have taken
   * it after all, it knows the event's id.
   */
  async function exchangeAnew(request: WebhookRequest, signal: AbortSignal, progress: Progress): Promise<void> {
    const by = await clients();
    try {
      await exchange(agentFor(by, request.url, false), request, signal, progress);
    } catch (error) {
      if (signal.aborted || progress.responseCode !== undefined || !endedUsedConnection(error)) throw error;
      await exchange(agentFor(by, request.url, true), request, signal, progress);
    }
  }

  async function send(request: WebhookRequest): Promise<WebhookResult> {
    request.signal.throwIfAborted();
    const begun = performance.now();
    const ending = new AbortController();
    const stop = (): void => ending.abort();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      ending.abort();
    }, deadlineMs);
    request.signal.addEventListener('abort', stop);
    const progress: Progress = {};
    try {
      const refusal = refusalOf(request.url);
      if (refusal !== undefined) throw new UrlRefused(refusal);
      // undici does not look at the signal before it is connected.
      await unlessAborted(exchangeAnew(request, ending.signal, progress), ending.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      progress.error ??= late ? `no complete answer within ${deadlineMs / 1000} seconds` : said(error);
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', stop);
    }
    return { ...progress, latencyMs: Math.round(performance.now() - begun) };
  }

  return {
    send,
    async check(url) {
      if (isAdmitted(url)) return undefined;
      const refusal = guard.refusalOf(url);
      if (refusal !== undefined) return refusal;
      try {
        await guard.addressesOf(new URL(url).hostname);
        return undefined;
      } catch (error) {
        if (error instanceof UrlRefused) return error.message;
        throw error;
      }
    },
    async close() {
      await Promise.all([pooled?.destroy(), unpooled?.destroy(), toListeners?.destroy()]);
    },
  };
}
