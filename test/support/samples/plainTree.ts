/** Merkle tree exactly as RFC 9162 defines it, as a reference for other implementations. */
import { EMPTY_ROOT, type Hash, nodeHash } from '../../../engine/proofs/hashing.js';
import type { Subtree } from '../../../engine/proofs/merkleTree.js';

/** MTH of section 2.1.1. */
export function plainRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return EMPTY_ROOT;
  if (leaves.length === 1) return leaves[0]!;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(plainRoot(leaves.slice(0, split)), plainRoot(leaves.slice(split)));
}

export const treeOver =
  (leaves: readonly Hash[]): Subtree =>
  (level, index) =>
    plainRoot(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
