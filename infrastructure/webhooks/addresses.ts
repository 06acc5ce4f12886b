/** Which addresses a stranger's URL may reach: the public internet's, and for tests and the sandbox this machine's. */
import ipaddr from 'ipaddr.js';

/** Ranges beside ipaddr.js's own that are no part of the public internet, or that stand for other addresses. */
const REFUSED_V6 = [
  '::/96', // IPv4-compatible
  '64:ff9b::/96', // NAT64
  '64:ff9b:1::/48',
  '2001::/32', // Teredo
  '2002::/16', // 6to4
  'fec0::/10', // site-local
].map((range) => ipaddr.IPv6.parseCIDR(range));
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Answers to virtual machines of one cloud only, with their credentials. */
const CLOUD_METADATA = '168.63.129.16';

const publicV4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && address.toString() !== CLOUD_METADATA;

const publicV6 = (address: ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && address.match(GLOBAL_UNICAST) && !REFUSED_V6.some((range) => address.match(range));

/** The address itself, an IPv4 one also when it is written as ::ffff:a.b.c.d; undefined: not an address. */
function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

export function isPublicAddress(address: string): boolean {
  const found = parsed(address);
  if (found === undefined) return false;
  return found instanceof ipaddr.IPv4 ? publicV4(found) : publicV6(found);
}

export const isLoopbackAddress = (address: string): boolean => parsed(address)?.range() === 'loopback';
