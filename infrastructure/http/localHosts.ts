/** Addresses, and which hosts are this machine however they are written. */
import ipaddr from 'ipaddr.js';

/** The address itself, an IPv4 one also when it is written as ::ffff:a.b.c.d; undefined: not an address. */
export const parsedAddress = (host: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.isValid(host) ? ipaddr.process(host) : undefined;

/** Such as `loopback`, `private` or `unspecified`; undefined: not an address. */
export const rangeOf = (host: string): string | undefined => parsedAddress(host)?.range();

export const isLoopbackAddress = (host: string): boolean => rangeOf(host) === 'loopback';

const LOCALHOST = /^(.+\.)?localhost\.?$/;

/** `localhost` and names below it, which lead nowhere else; in lower case. */
export const isLocalName = (host: string): boolean => LOCALHOST.test(host);

/** A name or an address, in lower case and without brackets, that is this machine's own. */
export const isLocalHost = (host: string): boolean => isLocalName(host) || isLoopbackAddress(host);
