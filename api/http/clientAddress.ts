import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The eight 16-bit groups' first four: providers give a customer at least that much, so one customer is one client. */
function network(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** As whom a limit counts an address: an IPv6 address as its /64 network. */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped === null ? network(address) : mapped[1]!;
}

/** As some proxies write it: with its port, an IPv6 address then in brackets. */
const WITH_PORT = /^(?:\[([0-9a-f:.]{2,64})\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i;

const withoutPort = (entry: string): string => {
  const found = WITH_PORT.exec(entry);
  return found?.[1] ?? found?.[2] ?? entry;
};

/**
 * Returns the key for the limit by IP address: the address, for IPv6 its /64 network. `hops` proxies in front of the
 * service are trusted to have appended to X-Forwarded-For. Entries further left come from the client and are ignored.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const remote = request.socket.remoteAddress ?? 'unknown';
  const header = hops === 0 ? undefined : request.headers['x-forwarded-for'];
  if (header === undefined) return clientOf(remote);
  const chain = (Array.isArray(header) ? header.join(',') : header).split(',').map((part) => part.trim());
  const claimed = withoutPort(chain[Math.max(0, chain.length - hops)] ?? '');
  return clientOf(isIP(claimed) === 0 ? remote : claimed);
}
