/** One request and its answer. */
import type { Dispatcher } from 'undici';
import type { WebhookRequest } from '../../application/ports/webhookSender.js';
import type { Attempt } from './bounds.js';

/** Limit of the response body that is read; it is not decompressed, as its content does not matter. */
const MOST_BODY_BYTES = 65_536;
/** Longer waits make no difference: nothing is tried after 72 hours. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;
const HTTP_DATE = /^[A-Z][a-z]+, .* GMT$/;

/** ms of a Retry-After header: seconds or an HTTP date. Undefined if it is neither, or has passed. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) * 1000 : undefined;
  const wait = seconds ?? (HTTP_DATE.test(header) ? Date.parse(header) - Date.now() : 0);
  return wait > 0 ? Math.min(wait, LONGEST_WAIT_MS) : undefined;
}

const isRedirect = (status: number): boolean => status >= 300 && status <= 399;

/** Facts about a response as it arrives. */
export interface Progress {
  responseCode?: number;
  retryAfterMs?: number;
  error?: string;
}

/** Error for a cancelled connection; the attempt has the actual reason. */
const BROKEN_OFF = new Error('the service ended it');

type Controller = Dispatcher.DispatchController;

/**
 * Reads an answer as it comes from the connection. The package's `request` would make a stream, a resource of async hooks and
 * some promises of each, which cost more than the exchange itself.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #progress: Progress;
  /** With what failed. */
  readonly #ended: (failure?: unknown) => void;
  #controller: Controller | undefined;
  #isOver = false;
  #bytes = 0;

  constructor(progress: Progress, ended: (failure?: unknown) => void) {
    this.#progress = progress;
    this.#ended = ended;
  }

  /** Ignores further data and closes the connection. */
  breakOff(failure?: unknown): void {
    this.#end(failure);
    this.#controller?.abort(BROKEN_OFF);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(BROKEN_OFF);
  }

  onResponseStart(_: Controller, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.#isOver || status < 200) return;
    this.#progress.responseCode = status;
    const wait = retryAfter(headers['retry-after']);
    if (wait !== undefined) this.#progress.retryAfterMs = wait;
    if (isRedirect(status)) this.#progress.error = 'redirects are not followed';
  }

  /** Reads on, so that the connection can be used again, but only so far. */
  onResponseData(_: Controller, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_BODY_BYTES) this.breakOff();
  }

  onResponseEnd(): void {
    this.#end();
  }

  /** A 204 is whole with its header fields: a body after it is no part of the answer. */
  onResponseError(_: Controller, error: Error): void {
    this.#end(this.#progress.responseCode === 204 ? undefined : error);
  }

  #end(failure?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended(failure);
  }
}

/** Target of a request: origin, and path with query. */
export interface Target {
  readonly origin: string;
  readonly path: string;
}

/**
 * Sends a POST, and resolves when enough of the response has arrived. Rejects with the failure, and at once when the attempt is ended
 * (which then has the reason).
 */
export const exchange = (
  by: Dispatcher,
  { origin, path }: Target,
  { headers, body }: WebhookRequest,
  attempt: Attempt,
  progress: Progress,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const one = new Exchange(progress, (failure) => (failure === undefined ? resolve() : reject(failure)));
    // The client checks a request for cancellation only after it is connected.
    attempt.onEnd = () => one.breakOff(BROKEN_OFF);
    if (attempt.ended !== undefined) one.breakOff(BROKEN_OFF);
    else by.dispatch({ origin, path, method: 'POST', headers, body }, one);
  });
