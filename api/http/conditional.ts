/** Conditional requests: an answer's ETag, and whether a client has the answer already. (RFC 9110, 8.8.3 and 13.1.2.) */
import { hash } from 'node:crypto';
import type { KnownAnswer } from './answerCache.js';
import type { Exchange } from './exchange.js';

/** 132 bits: other bytes never have it. */
const TAG_CHARS = 22;

/**
 * Returns the strong ETag of these bytes (of a text: in UTF-8), with its quotes. It reveals nothing beyond the bytes.
 */
export const etagOf = (content: string | Buffer): string =>
  `"${hash('sha256', content, 'base64url').slice(0, TAG_CHARS)}"`;

/** Returns true if an If-None-Match names the ETag, compared weakly; `*` matches any. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header === etag || header.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
}

/** Returns true if an If-Match names the ETag, compared strongly; `*` matches any. */
export const isMatched = (header: string, etag: string): boolean =>
  header.split(',').some((one) => ['*', etag].includes(one.trim()));

/** Ends the exchange with what was read, or with 304 where If-None-Match names it; answers the status. */
export function answerRead(exchange: Exchange, content: string | Buffer, etag: string): 200 | 304 {
  const { headers } = exchange;
  // Caches must revalidate, and never share an answer between credentials.
  headers['Cache-Control'] = 'private, no-cache';
  headers.Vary = 'Authorization, Origin';
  headers.ETag = etag;
  if (isKnown(exchange.request.headers['if-none-match'], etag)) {
    exchange.answer(304);
    return 304;
  }
  exchange.answer(200, content);
  return 200;
}

/** Answers from the cache. Undefined: the bytes are needed and not cached. */
export function answerKnown(exchange: Exchange, known: KnownAnswer): 200 | 304 | undefined {
  const { etag, bytes } = known;
  if (bytes !== undefined || isKnown(exchange.request.headers['if-none-match'], etag))
    return answerRead(exchange, bytes ?? '', etag);
  known.isRequested = true;
  return undefined;
}
