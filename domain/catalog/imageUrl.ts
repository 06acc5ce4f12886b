/** Checks that the catalog provider could fetch an image, by the URL alone: no DNS lookup. */

import { isWebUrl } from '../urls.js';

/** Maximum length of an image URL, in characters. */
const MAX_URL = 2048;

/** Names of private networks. (RFC 6761, RFC 6762, RFC 8375; 'internal' is ICANN's private-use name.) */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion)$/;

/** First and last address of IPv4 blocks that are not public. (IANA special-purpose address registry.) */
const PRIVATE_V4: readonly (readonly [number, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
].map(([base, bits]) => {
  const first = v4Number(base as string);
  return [first, first + 2 ** (32 - (bits as number)) - 1] as const;
});

/**
 * Matches URLs that need no parsing, which are nearly all: https, a host name, no user name, password or port. Excludes labels with two
 * hyphens in a row (`xn--`) and a last label with digits, which may be an address.
 */
const PLAIN = /^https:\/\/((?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,})\/[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/;

const V4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Returns why this is no HTTPS URL on the public internet, or undefined if it is one. (Specification 1, 'Product', imageUrls.) Numeric
 * hosts in any notation count as addresses, as the URL standard reads them.
 */
export function imageUrlProblem(text: string): string | undefined {
  if (text.length > MAX_URL) return `The image URL is longer than ${MAX_URL} characters.`;
  const plain = PLAIN.exec(text)?.[1];
  if (plain !== undefined && isPublicHost(plain)) return undefined;
  if (!text.startsWith('https://')) return 'The image URL must begin with https://.';
  if (!isWebUrl(text))
    return 'The URL is not valid. Encode spaces, line breaks and non-ASCII characters (%20), and remove user names and backslashes.';
  return isPublicHost(new URL(text).hostname) ? undefined : 'The host of the image URL must be on the public internet.';
}

function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return isPublicV6(host.slice(1, -1));
  if (V4.test(host)) return isPublicV4(v4Number(host));
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return name.includes('.') && !PRIVATE_NAME.test(name);
}

const isPublicV4 = (address: number): boolean =>
  !PRIVATE_V4.some(([first, last]) => address >= first && address <= last);

/** Allows only global unicast 2000::/3, without documentation and the transition blocks that hide an IPv4 address. */
function isPublicV6(address: string): boolean {
  const [first = '', second = ''] = address.split(':');
  const head = Number.parseInt(first, 16);
  if (!(head >= 0x2000 && head <= 0x3fff)) return false;
  if (head === 0x2002 || head === 0x3fff) return false;
  const next = second === '' ? 0 : Number.parseInt(second, 16);
  return !(head === 0x2001 && (next < 0x200 || next === 0xdb8));
}

function v4Number(dotted: string): number {
  return dotted.split('.').reduce((value, part) => value * 256 + Number(part), 0);
}
