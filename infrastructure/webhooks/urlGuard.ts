/** Decides where a webhook may go. The same rules when an endpoint is created and at every connection. */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { HostUnknown } from '../../application/ports/webhookSender.js';
import { isWebUrl } from '../../domain/urls.js';
import { isLocalHost, isLocalName, isLoopbackAddress } from '../http/localHosts.js';
import { isPublicAddress } from './addresses.js';

/** All addresses of a host name; empty: it has none. Rejects where that is not known. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface UrlGuardOptions {
  /** Admits loopback addresses, and http for them. */
  readonly allowLoopback?: boolean;
  /** `address:port` of the name servers to query. Default: the system's. */
  readonly nameServers?: readonly string[];
  /** Instead of name servers. */
  readonly resolve?: Resolve;
}

export interface UrlGuard {
  /** Why the URL is refused by how it is written; undefined when it is not. */
  refusalOf(url: string): string | undefined;
  /** The addresses of a host that may be connected to. Rejects with UrlRefused when there is none or any is not public, and with HostUnknown. */
  addressesOf(host: string): Promise<readonly string[]>;
  admits(address: string): boolean;
}

export class UrlRefused extends Error {
  override readonly name = 'UrlRefused';
}

const MOST_ADDRESSES = 16;
const LONGEST_URL = 2048;
/** https's own port, and those that are open to any program: not the well-known ports of other protocols. */
const portAllowed = (port: string): boolean => port === '' || port === '443' || Number(port) >= 1024;

/** For all name servers and tries together. */
const RESOLVE_MS = 5000;

/** Answers of no name server about the name, or of one that could not find out. */
const UNKNOWN = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED', 'ECANCELLED']);
const isUnknown = (error: unknown): boolean => UNKNOWN.has(String((error as NodeJS.ErrnoException).code));

/** Queries name servers without the system's thread pool, so that slow names delay nothing else in the process. */
function nameServerResolver(servers: readonly string[] | undefined): Resolve {
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const silent = answers.some((answer) => answer.status === 'rejected' && isUnknown(answer.reason));
    if (addresses.length === 0 && silent) throw new HostUnknown();
    return addresses;
  };
}

/** Rejects with HostUnknown when the answer is late. */
async function inTime(answer: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostUnknown()), RESOLVE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** A URL's host without the brackets of an IPv6 address. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

export function createUrlGuard(options: UrlGuardOptions = {}): UrlGuard {
  const { allowLoopback = false, resolve = nameServerResolver(options.nameServers) } = options;
  const admits = (address: string): boolean =>
    isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

  /** Here: this machine, where the setting admits it. */
  function isHere(url: URL): boolean {
    return allowLoopback && isLocalHost(bare(url.hostname));
  }

  function offInternet(url: URL): boolean {
    const host = bare(url.hostname);
    return !isHere(url) && (isLocalHost(host) || (isIP(host) !== 0 && !admits(host)));
  }

  const rules: readonly (readonly [string, (url: URL) => boolean])[] = [
    ['it must begin with https://', (url) => url.protocol !== 'https:' && !(isHere(url) && url.protocol === 'http:')],
    ['it must not carry a user name or password', (url) => url.username !== '' || url.password !== ''],
    ['its port must be 443 or one from 1024 on', (url) => !isHere(url) && !portAllowed(url.port)],
    ['its address is not on the public internet', offInternet],
  ];

  function refusalOf(text: string): string | undefined {
    if (text.length > LONGEST_URL) return `it is longer than ${LONGEST_URL} characters`;
    if (!URL.canParse(text)) return 'it is not a URL';
    const url = new URL(text);
    const broken = rules.find(([, isBroken]) => isBroken(url))?.[0];
    if (broken !== undefined || isWebUrl(text)) return broken;
    return 'it does not follow RFC 3986: https:// in lower case, then host, port and path, with other characters percent-encoded';
  }

  async function addressesOf(host: string): Promise<readonly string[]> {
    const name = bare(host);
    const addresses = isIP(name) === 0 ? await found(name) : [name];
    if (addresses.length === 0) throw new UrlRefused('its host name does not resolve');
    if (!addresses.every(admits))
      throw new UrlRefused('its host name resolves to an address that is not on the public internet');
    return addresses.slice(0, MOST_ADDRESSES);
  }

  async function found(name: string): Promise<readonly string[]> {
    if (isLocalName(name)) return ['127.0.0.1', '::1'];
    return inTime(resolve(name));
  }

  return { refusalOf, addressesOf, admits };
}
