/**
 * Host names under which a server without a password may be addressed. A page of another site can let its own name lead to this machine
 * (DNS rebinding), and a browser then lets it read and act here. But it cannot change that the requests carry its name as Host. It can also
 * send simple requests from its own site, which carry its Origin.
 */
import type { IncomingMessage } from 'node:http';
import { isLocalHost, rangeOf } from './localHosts.js';

export interface OwnHostsOptions {
  /** The host that is listened on. */
  readonly host: string;
  /** Base address that clients use. */
  readonly publicUrl?: string | undefined;
  /** Further names and addresses. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** A request that is not for this server, or comes from another site. `message` describes the remedy for an operator. */
export interface ForeignRequest {
  readonly status: 421 | 403;
  readonly message: string;
}

/** `name`, `name:port`, `[v6]:port`. */
const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::\d{1,5})?$/i;

/** A host as it is compared: lower case, without brackets and the dot of the root. */
const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** Such as 0.0.0.0 or ::, which listen on all of the machine's addresses. */
export const isUnspecified = (host: string): boolean => rangeOf(bare(host)) === 'unspecified';

/** Undefined: neither header field is there, or not as one. */
function originOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Answers what is wrong with a request's Host or Origin; undefined: it is one of our own. */
export function ownHosts({
  host,
  publicUrl,
  allowedHosts = [],
}: OwnHostsOptions): (request: IncomingMessage) => ForeignRequest | undefined {
  const given = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const named = new Set([...given, ...allowedHosts].map(bare));
  const bound = bare(host);
  const everywhere = isUnspecified(host);
  // An address is no name that a site could turn: listening on all of them, each is our own.
  const isOwn = (name: string): boolean =>
    named.has(name) || name === bound || isLocalHost(name) || (everywhere && rangeOf(name) !== undefined);

  /** True if the requesting page is from this server. The port counts: another server of this machine is another site. */
  function isOwnOrigin({ headers }: IncomingMessage): boolean {
    // A browser sends this field even if a page's policy hides its origin. No script can write it.
    if (headers.origin === undefined || headers['sec-fetch-site'] === 'same-origin') return true;
    const origin = originOf(headers.origin);
    if (origin === undefined) return false;
    if (named.has(bare(origin.hostname))) return true;
    return origin.host === originOf(`${origin.protocol}//${headers.host}`)?.host;
  }

  return (request) => {
    const sent = request.headers.host ?? '';
    const name = HOST.exec(sent)?.[1];
    if (name === undefined || !isOwn(bare(name)))
      return {
        status: 421,
        message:
          'Unknown host in the Host header field. Use the address of this machine, or add the host to SUUQ_ALLOWED_HOSTS.',
      };
    if (!isOwnOrigin(request))
      return {
        status: 403,
        message:
          'Requests from pages of other sites are refused. If it is your page, add its host to SUUQ_ALLOWED_HOSTS and use the same address.',
      };
    return undefined;
  };
}
