/** DNS server on this machine over UDP, with answers set by a test, which may differ each time. (RFC 1035.) */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

/** Returns all addresses of a name in a family; undefined: never answers. */
export type Zone = (name: string, family: 4 | 6) => readonly string[] | undefined;

export interface NameServer {
  /** `127.0.0.1:{port}`. */
  readonly address: string;
  /** Names queried so far, once for each family. */
  readonly queries: string[];
  answer(zone: Zone): void;
  close(): Promise<void>;
}

const FAMILIES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };
const HEADER = 12;
const NO_SUCH_NAME = 3;

interface Question {
  readonly name: string;
  readonly type: number;
  /** Offset of the question's end. */
  readonly end: number;
}

function question(query: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(address: string, type: number): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  // The name as a pointer to the question, class IN, TTL 0.
  const head = Buffer.from([0xc0, HEADER, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}

function reply(query: Buffer, { type, end }: Question, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER));
  header.writeUInt16BE(0x8180 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8);
  return Buffer.concat([header, query.subarray(HEADER, end), ...addresses.map((address) => record(address, type))]);
}

export async function nameServer(zone: Zone = () => []): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  let current = zone;
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const one = question(query);
    queries.push(one.name);
    const family = FAMILIES[one.type] ?? 4;
    const addresses = current(one.name, family)?.filter((address) => address.includes(':') === (family === 6));
    if (addresses !== undefined) socket.send(reply(query, one, addresses), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    answer(next) {
      current = next;
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
