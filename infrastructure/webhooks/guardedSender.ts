import type { Agent } from 'undici';
import type { LocalListeners } from '../../application/ports/localListeners.js';
import type { WebhookRequest, WebhookResult, WebhookSender } from '../../application/ports/webhookSender.js';
import { LateCache } from '../../engine/lateCache.js';
import { type Clients, clients } from '../http/clients.js';
import { isLoopbackAddress } from '../http/localHosts.js';
import { type Attempt, createBounds } from './bounds.js';
import { exchange, type Progress, type Target } from './exchange.js';
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
/** Long enough that an endpoint with an event every few minutes keeps its connection, where its server does too. */
const KEEP_ALIVE_MS = 300_000;
const LONGEST_ERROR = 200;
/** URLs that need not be taken apart and judged again: those used last. */
const MOST_URLS = 2_000;

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  UND_ERR_SOCKET: 'the connection closed before a response came',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_OVERFLOW: 'the header fields of the response are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the length of the response body does not match Content-Length',
  UND_ERR_INVALID_ARG: 'the response is not HTTP/1.1',
  ECONNABORTED: 'the connection was aborted',
  EPIPE: 'the connection closed before the request was sent',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'no route to its address',
  ENETUNREACH: 'no route to its address',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate chain has a self-signed one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the TLS certificate chain is not complete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another name',
};

/** Codes of libraries, of which there are many for one fault. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, 'the response is not HTTP/1.1'],
  [/CERT|ISSUER|CRL/, 'the TLS certificate is not valid'],
  [/SSL|TLS|EPROTO/, 'TLS could not be agreed on'],
];

function reasonOf(error: unknown): string {
  if (error instanceof UrlRefused) return `refused: ${error.message}`;
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error.name === 'HTTPParserError') return 'the response is not HTTP/1.1';
  const known = WORDS[code] ?? FAMILIES.find(([codes]) => codes.test(code))?.[1];
  return known ?? (code === '' ? error.message : 'the connection failed').slice(0, LONGEST_ERROR);
}

/** Target of a URL, or the reason for its refusal. */
interface Written extends Target {
  readonly refusal: string | undefined;
}

const NOWHERE = { origin: '', pathname: '', search: '' };

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
  function agentFor(by: Clients, url: string, isRetry: boolean): Agent {
    if (isAdmitted(url)) {
      toListeners ??= newAgent(by, 0, admitting);
      return toListeners;
    }
    if (isRetry) {
      unpooled ??= newAgent(by, 0);
      return unpooled;
    }
    pooled ??= newAgent(by, 1);
    return pooled;
  }
  const bounds = createBounds(deadlineMs);
  const known = new LateCache<Written>({ max: MOST_URLS });
  /** Judges the text of a URL, with the same result each time; addresses are checked at every connection. */
  function written(url: string): Written {
    return known.getOrMake(url, () => {
      const { origin, pathname, search } = URL.canParse(url) ? new URL(url) : NOWHERE;
      return { refusal: guard.refusalOf(url), origin, path: pathname + search };
    });
  }

  /**
   * A connection that was idle may have been closed by the receiver just now: that is no failure of the receiver's, so
   * the request is made again on a new connection, at once and under the same deadline. Should the receiver have taken
   * it after all, it knows the event's id.
   */
  async function retryExchange(request: WebhookRequest, attempt: Attempt, progress: Progress): Promise<void> {
    const { url } = request;
    const to = written(url);
    if (to.refusal !== undefined && !isAdmitted(url)) throw new UrlRefused(to.refusal);
    const by = clients();
    try {
      await exchange(agentFor(by, url, false), to, request, attempt, progress);
    } catch (error) {
      const isOver = attempt.ended !== undefined || progress.responseCode !== undefined;
      if (isOver || !endedUsedConnection(error)) throw error;
      await exchange(agentFor(by, url, true), to, request, attempt, progress);
    }
  }

  async function send(request: WebhookRequest): Promise<WebhookResult> {
    const { signal } = request;
    signal.throwIfAborted();
    const startedAt = performance.now();
    const attempt = bounds.begin(signal);
    const progress: Progress = {};
    try {
      await retryExchange(request, attempt, progress);
    } catch (error) {
      signal.throwIfAborted();
      const isLate = attempt.ended === 'late';
      progress.error ??= isLate ? `no complete response within ${deadlineMs / 1000} seconds` : reasonOf(error);
    } finally {
      bounds.done(attempt, signal);
    }
    return { ...progress, latencyMs: Math.round(performance.now() - startedAt) };
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
      bounds.close();
    },
  };
}
