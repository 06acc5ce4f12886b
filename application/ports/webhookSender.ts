/** The name servers did not answer, so that the addresses of a host are unknown. */
export class HostUnknown extends Error {
  override readonly name = 'HostUnknown';
  constructor() {
    super('the DNS servers do not answer for its host name');
  }
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these UTF-8 bytes. */
  readonly body: string;
  /** Aborted when the service stops. `send` then rejects. */
  readonly signal: AbortSignal;
}

/** Outcome of one attempt. A success is a 2xx `responseCode` without an `error`. */
export interface WebhookResult {
  /** Absent when no response arrived. */
  readonly responseCode?: number;
  /** Reason of the failure if the code does not show it, in words for people. */
  readonly error?: string;
  readonly latencyMs: number;
  /** Delay that the receiver requested (Retry-After), in ms. */
  readonly retryAfterMs?: number;
}

/**
 * Sends POST requests to URLs chosen by third parties: only https to the public internet, to the address that was checked, with one
 * deadline of 10 s for connection, headers and body. Redirects are not followed, and the response body is limited and discarded.
 * (Specification 2, 'Delivery rules'.)
 */
export interface WebhookSender {
  /** Rejects only if the signal aborts. */
  send(request: WebhookRequest): Promise<WebhookResult>;
  /** Returns why an endpoint cannot have the URL. Undefined: it can. Resolves its host. Rejects with HostUnknown. */
  check(url: string): Promise<string | undefined>;
  close(): Promise<void>;
}
