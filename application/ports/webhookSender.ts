export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these UTF-8 bytes. */
  readonly body: string;
  /** Aborted when the service stops: `send` then rejects. */
  readonly signal: AbortSignal;
}

/** What came of one attempt. A success is a 2xx `responseCode` without an `error`. */
export interface WebhookResult {
  /** Absent when no response arrived. */
  readonly responseCode?: number;
  /** Why it failed when the code does not say; for people to read. */
  readonly error?: string;
  readonly latencyMs: number;
  /** What the receiver asked to wait (Retry-After), in ms. */
  readonly retryAfterMs?: number;
}

/**
 * POSTs to URLs that strangers have chosen: only https to the public internet, to the address that was checked, with one
 * deadline of 10 s for connection, headers and body, redirects not followed, the answer's body bounded and dropped.
 * (Specification 2, 'Delivery rules'.)
 */
export interface WebhookSender {
  /** Rejects only when the signal aborts. */
  send(request: WebhookRequest): Promise<WebhookResult>;
  /** Why the URL cannot be an endpoint's; undefined when it can. Resolves its host. */
  check(url: string): Promise<string | undefined>;
  close(): Promise<void>;
}
