/** The hashes of RFC 9162, section 2.1.1: SHA-256, with a byte before what is hashed that tells leaves from nodes. */
import { hash } from 'node:crypto';

/** 32 bytes, one character each ('latin1'): compared as text, and made without an object of its own. */
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

/** `entry`: all that the leaf stands for. */
export const leafHash = (entry: Uint8Array): Hash =>
  hash('sha256', Buffer.concat([Uint8Array.of(LEAF), entry]), 'binary');

/** The same of what has the leaf's byte before it already. */
export const prefixedHash = (prefixed: Uint8Array): Hash => hash('sha256', prefixed, 'binary');

/** Of the tree without leaves. */
export const EMPTY_ROOT: Hash = hash('sha256', '', 'binary');

export const toHex = (of: Hash): string => Buffer.from(of, 'latin1').toString('hex');
export const fromHex = (text: string): Hash => Buffer.from(text, 'hex').toString('latin1');

/** The root over these hashes, which are all of one level; the last nodes of a level may stand alone. */
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
