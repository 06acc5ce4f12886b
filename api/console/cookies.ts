/** The cookie of a console session: no script reads it, and no other site has it sent. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../contract/problems.js';

const NAME = 'suuq_console';
const CSRF_HEADER = 'x-csrf-token';

/** The session's token; undefined when there is none. */
export function tokenOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === NAME) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** `secure`: sent over TLS alone. */
export function cookie(token: string, maxAgeSeconds: number, secure: boolean): string {
  const parts = [`${NAME}=${token}`, 'Path=/console', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
}

/**
 * Returns true if the browser reaches the console over TLS, which may end at a proxy. The `Origin` of the request
 * decides, or the console's own address where there is none.
 */
export function isSecure({ headers }: Pick<IncomingMessage, 'headers'>, byAddress: boolean): boolean {
  const { origin } = headers;
  return origin === undefined || origin === 'null' ? byAddress : origin.startsWith('https:');
}

export const signedOut = (why = 'No session in this browser. Open a link from `suuq console`.'): Refusal =>
  new Refusal('console_signed_out', why);

/** A change has to bear the token that only the console's own pages know. */
export function checkCsrf({ headers }: Pick<IncomingMessage, 'headers'>, csrf: string): void {
  if (headers[CSRF_HEADER] !== csrf)
    throw new Refusal('csrf_token_missing', 'The change does not carry the token of its session. Reload the page.');
}
