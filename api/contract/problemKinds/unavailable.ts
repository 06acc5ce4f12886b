/** The service cannot answer now, or not so often. */
import { kind } from './problemKind.js';

export const unavailable = {
  rate_limited: kind(
    429,
    'Too many requests in a short time (a large body counts as one more for each 64 KiB), or too many Idempotency-Keys in a day.',
    'Wait for the seconds in Retry-After. RateLimit shows the remaining quota.',
  ),
  internal_error: kind(
    500,
    'Internal error of the service.',
    'Send the request again. If it keeps failing, report the requestId.',
  ),
  unavailable: kind(
    503,
    'The service is temporarily unavailable for this request.',
    'Send the same request again after the seconds in Retry-After, with the same Idempotency-Key if it has one.',
  ),
  storage_full: kind(
    503,
    'The storage of the service is full. Reads still work.',
    'Send the same request again after the seconds in Retry-After, with the same Idempotency-Key if it has one. The operator of the service must free some space.',
  ),
} as const;
