/** Passes deliveries on to a program of the developer's, word for word, and its answer back. */
import { type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { Delivery, Forwarded } from './listener.js';

/** Below the service's time limit of 10 s, so that a slow target is reported. */
const ANSWER_MS = 9_000;
/** More at once are refused, and tried again by the service. */
const MOST_AT_ONCE = 32;
/** More of an answer is not read, in bytes. */
const MOST_ANSWER = 65_536;

/** Headers of the connection rather than of the delivery. */
const OF_CONNECTION = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: no program listens there',
  ECONNRESET: 'the connection was closed before an answer came',
  ENOTFOUND: 'its host name does not resolve',
};

const reasonOf = (error: NodeJS.ErrnoException): string => REASONS[error.code ?? ''] ?? error.message;

/** Reads on to the end, but only so far. */
function drained(answer: IncomingMessage, done: () => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER) answer.destroy();
  });
  answer.once('close', done);
}

type Answer = Omit<Forwarded, 'took'>;

const sent = (target: URL, { raw, headers }: Delivery, answerMs: number): Promise<Answer> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(answerMs);
    const fields = { ...passedOn(headers), 'content-length': raw.length };
    const make = target.protocol === 'https:' ? overHttps : overHttp;
    const late: Answer = { answered: 504, reason: `no answer within ${answerMs / 1000} s` };
    const outgoing = make(target, { method: 'POST', headers: fields, signal }, (answer) => {
      const { statusCode = 502, headers: answerHeaders } = answer;
      const retryAfter = answerHeaders['retry-after'];
      drained(answer, () => {
        const cut = !answer.complete && signal.aborted;
        resolve(cut ? late : { answered: statusCode, ...(retryAfter !== undefined && { retryAfter }) });
      });
    });
    outgoing.on('error', (error) => resolve(signal.aborted ? late : { answered: 502, reason: reasonOf(error) }));
    outgoing.end(raw);
  });

/** `answerMs`: how long the target may take. */
export function forwardingTo(target: URL, answerMs = ANSWER_MS): (delivery: Delivery) => Promise<Forwarded> {
  let atOnce = 0;
  return async (delivery) => {
    const startedAt = performance.now();
    const took = (): number => Math.round(performance.now() - startedAt);
    if (atOnce >= MOST_AT_ONCE)
      return { answered: 503, reason: `${MOST_AT_ONCE} deliveries are already being forwarded`, took: 0 };
    atOnce += 1;
    try {
      return { ...(await sent(target, delivery, answerMs)), took: took() };
    } finally {
      atOnce -= 1;
    }
  };
}
