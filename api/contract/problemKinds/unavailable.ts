/** The service cannot answer now, or not so often. */
import { kind } from './problemKind.js';

export const unavailable = {
  rate_limited: kind(
    429,
    'Too many requests in a short time (a large body counts as one more for each 64 KiB), or too many Idempotency-Keys in a day.',
    'Wait for the seconds in Retry-After; RateLimit tells what remains.',
  ),
  internal_error: kind(
    500,
    'Something went wrong on our side.',
    'Send the request again; report the requestId when it keeps failing.',
  ),
  unavailable: kind(
    503,
    'The service cannot do this right now.',
    'Send the same request again after the seconds in Retry-After, with the same Idempotency-Key where there is one.',
  ),
  storage_full: kind(
    503,
    'The service has no room to store this; what is there can be read.',
    'Send the same request again after the seconds in Retry-After, with the same Idempotency-Key where there is one. The service’s operator has to make room.',
  ),
} as const;
