/** Which addresses a stranger's URL may reach: the public internet's. */
import ipaddr from 'ipaddr.js';
import { parsedAddress } from '../http/localHosts.js';

/** Ranges that are not part of the public internet, or that map to other addresses, in addition to those of ipaddr.js. */
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

export function isPublicAddress(address: string): boolean {
  const found = parsedAddress(address);
  if (found === undefined) return false;
  return found instanceof ipaddr.IPv4 ? publicV4(found) : publicV6(found);
}
