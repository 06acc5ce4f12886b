/** SHA-256 hashes of RFC 9162, section 2.1.1. A prefix byte distinguishes leaves from nodes. */
import { hash } from 'node:crypto';

/** 32 bytes as a 'latin1' string. Strings compare by value and need no Buffer per hash. */
export type Hash = string;

const LEAF = 0x00;
const NODE = 0x01;
export const HASH_BYTES = 32;

const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

export const nodeHash = (left: Hash, right: Hash): Hash => {
  node.write(left, 1, HASH_BYTES, 'latin1');
  node.write(right, 1 + HASH_BYTES, HASH_BYTES, 'latin1');
  return hash('sha256', node, 'binary');
};

/** Hash of a leaf. `entry`: bytes of the leaf, without the prefix byte. */
export const leafHash = (entry: Uint8Array): Hash =>
  hash('sha256', Buffer.concat([Uint8Array.of(LEAF), entry]), 'binary');

/** Hash of a leaf whose bytes already begin with the prefix byte. */
export const prefixedHash = (prefixed: Uint8Array): Hash => hash('sha256', prefixed, 'binary');

/** Root of the empty tree. */
export const EMPTY_ROOT: Hash = hash('sha256', '', 'binary');

export const toHex = (of: Hash): string => Buffer.from(of, 'latin1').toString('hex');
export const fromHex = (text: string): Hash => Buffer.from(text, 'hex').toString('latin1');

/** Returns the root over hashes of one level. A last node without a sibling moves up unchanged. */
export function rootOver(hashes: readonly Hash[]): Hash {
  if (hashes.length === 0) return EMPTY_ROOT;
  let level = hashes;
  while (level.length > 1) {
    const next: Hash[] = [];
    for (let i = 0; i + 1 < level.length; i += 2) next.push(nodeHash(level[i]!, level[i + 1]!));
    if (level.length % 2 === 1) next.push(level.at(-1)!);
    level = next;
  }
  return level[0]!;
}
