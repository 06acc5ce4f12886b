/** A webhook receiver for trials: it verifies and shows deliveries, and fails on demand. */

import { createServer, type IncomingHttpHeaders } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { verifyFresh } from '../../application/webhooks/verification.js';
import { dropOldest } from '../../infrastructure/dropOldest.js';
import { close, listen, shownHost } from '../../infrastructure/http/listen.js';

/** One request as it is shown. `answered`: the status that it got. */
export interface Heard {
  readonly at: string;
  readonly answered: number;
  /** Why it was not taken; absent when it was. */
  readonly reason?: string;
  readonly attempt?: number;
  /** Its id was verified before. */
  readonly again?: boolean;
  /** Duration of the forwarding, in ms. */
  readonly took?: number;
  /** The verified body. */
  readonly event?: unknown;
}

/** As it came: the bytes that the signature is over, and the header fields. */
export interface Delivery {
  readonly raw: Buffer;
  readonly headers: IncomingHttpHeaders;
}

export interface Forwarded {
  readonly answered: number;
  /** Why nothing answered. */
  readonly reason?: string;
  /** Retry-After, as the receiver sent it. */
  readonly retryAfter?: string;
  /** ms. */
  readonly took: number;
}

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The signing secret; deliveries wait for one that is still to come. */
  readonly secret: string | Promise<string>;
  /** Path of deliveries, such as /hooks. Default: any. */
  readonly path?: string;
  /** Passes a verified delivery on, and answers as it was answered; 204 when absent. Never rejects. */
  readonly forward?: (delivery: Delivery) => Promise<Forwarded>;
  /** Share of the verified deliveries that is answered 500, 0 to 1. */
  readonly failRate: number;
  heard(one: Heard): void;
  /** In [0, 1); Math.random when absent. */
  readonly random?: () => number;
}

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

const MOST_BYTES = 10 * 1024 * 1024;
/** Longest time for a delivery to come in whole, in ms. */
const REQUEST_MS = 30_000;
/** Maximum number of recorded ids; the oldest are dropped first. */
const MOST_IDS = 10_000;

function parsed(raw: Buffer): { id: string } | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString());
    return typeof value === 'object' && value !== null && 'id' in value
      ? { ...value, id: String(value.id) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Listens. Rejects when the port is taken. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { host, port, secret, path, forward, failRate, heard, random = Math.random } = options;
  const ids = new Set<string>();

  function record(id: string): boolean {
    const again = ids.has(id);
    ids.add(id);
    dropOldest(ids, MOST_IDS);
    return again;
  }

  async function judge(request: Request, response: Response): Promise<Omit<Heard, 'at'>> {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const verdict = verifyFresh(
      { header: request.get('service-signature') ?? '', raw, secret: await secret },
      Date.now(),
    );
    if (!verdict.valid) return { answered: 401, reason: verdict.reason };
    const event = parsed(raw);
    if (event === undefined) return { answered: 400, reason: 'the body is not an event' };
    const attempt = Number(request.get('service-delivery-attempt')) || 1;
    if (random() < failRate) return { answered: 500, reason: 'on purpose', attempt, event };
    if (forward === undefined) return { answered: 204, attempt, again: record(event.id), event };
    const { retryAfter, ...answer } = await forward({ raw, headers: request.headers });
    if (retryAfter !== undefined) response.set('Retry-After', retryAfter);
    return { ...answer, attempt, again: record(event.id), event };
  }

  function answer(request: Request, response: Response, one: Omit<Heard, 'at'>): void {
    // What is left of a body that is too long is not waited for.
    if (!request.complete) response.set('Connection', 'close');
    response.status(one.answered).end();
    heard({ at: new Date().toISOString(), ...one });
  }

  const tooLong = { answered: 413, reason: `the body is longer than ${MOST_BYTES} bytes` };
  const failed: ErrorRequestHandler = (error: { status?: number; message: string }, request, response, _next) => {
    const { status = 500, message } = error;
    answer(request, response, status === tooLong.answered ? tooLong : { answered: status, reason: message });
  };
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    if (path !== undefined && request.path !== path) response.status(404).end();
    // Whether somebody listens still: no delivery.
    else if (request.method === 'OPTIONS') response.status(204).end();
    else if (request.method !== 'POST') answer(request, response, { answered: 405, reason: 'a delivery is a POST' });
    else if (Number(request.get('content-length') ?? 0) > MOST_BYTES) answer(request, response, tooLong);
    else next();
  });
  // The raw bytes, whatever their content type: the signature covers them.
  app.use(express.raw({ type: () => true, limit: MOST_BYTES, inflate: false }));
  app.use(async (request, response) => answer(request, response, await judge(request, response)));
  app.use(failed);

  const server = createServer({ requestTimeout: REQUEST_MS }, app);
  const taken = await listen(server, host, port);
  return { url: `http://${shownHost(host)}:${taken}${path ?? '/'}`, close: () => close(server, 0) };
}
