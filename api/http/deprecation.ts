/** Header fields of deprecated operations. */
import type { Operation } from '../contract/operation.js';

/** Deprecation (RFC 9745, a structured date) and Sunset (RFC 8594, an HTTP date). */
export function deprecation({ deprecated }: Operation): Record<string, string> {
  if (deprecated === undefined) return {};
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecated.since) / 1000)}`,
    Sunset: new Date(deprecated.sunset).toUTCString(),
  };
}
