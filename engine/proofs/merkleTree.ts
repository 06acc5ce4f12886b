/** Roots and proofs of a Merkle tree (RFC 9162, section 2.1), from the hashes of its complete subtrees. */
import { EMPTY_ROOT, type Hash, nodeHash } from './hashing.js';

/** Hash over the `2**level` leaves from `index * 2**level` on. All of these leaves exist. */
export type Subtree = (level: number, index: number) => Promise<Hash> | Hash;

/** The largest power of two below `size`, as its exponent; `size` is 2 or more. */
const splitLevel = (size: number): number => {
  let level = 0;
  while (2 ** (level + 1) < size) level += 1;
  return level;
};

const levelOf = (size: number): number | undefined => {
  const level = Math.round(Math.log2(size));
  return 2 ** level === size ? level : undefined;
};

/** MTH of the leaves from `start` on; `start` is a multiple of the least power of two that is not below `size`. */
async function hashOf(subtree: Subtree, start: number, size: number): Promise<Hash> {
  const level = levelOf(size);
  if (level !== undefined) return subtree(level, start / size);
  const left = 2 ** splitLevel(size);
  return nodeHash(await hashOf(subtree, start, left), await hashOf(subtree, start + left, size - left));
}

/** The root over the first `size` leaves. */
export const rootOf = async (subtree: Subtree, size: number): Promise<Hash> =>
  size === 0 ? EMPTY_ROOT : hashOf(subtree, 0, size);

/** PATH of section 2.1.3.1: from the leaf at `index` to the root over `size` leaves, nearest first. */
export async function inclusionPath(subtree: Subtree, index: number, size: number): Promise<Hash[]> {
  const path: Hash[] = [];
  let [start, count] = [0, size];
  while (count > 1) {
    const left = 2 ** splitLevel(count);
    const isLeft = index - start < left;
    path.push(isLeft ? await hashOf(subtree, start + left, count - left) : await hashOf(subtree, start, left));
    if (!isLeft) start += left;
    count = isLeft ? left : count - left;
  }
  return path.reverse();
}

/**
 * PROOF of section 2.1.4.1: proves that the tree of the first `from` leaves is a prefix of the tree of `size` leaves. 0
 * < from ≤ size.
 */
export async function consistencyPath(subtree: Subtree, from: number, size: number): Promise<Hash[]> {
  const path: Hash[] = [];
  let [start, count, old] = [0, size, from];
  let isWhole = true;
  while (old !== count) {
    const left = 2 ** splitLevel(count);
    if (old <= left) {
      path.push(await hashOf(subtree, start + left, count - left));
      count = left;
    } else {
      path.push(await hashOf(subtree, start, left));
      start += left;
      count -= left;
      old -= left;
      isWhole = false;
    }
  }
  if (!isWhole) path.push(await hashOf(subtree, start, count));
  return path.reverse();
}

/** Adds leaves one by one and knows the root after each. Memory: one hash per level. */
export class RunningRoot {
  size = 0;
  /** Complete subtrees so far, largest first. */
  readonly #whole: Hash[] = [];
  readonly #subtree: ((level: number, hash: Hash) => void) | undefined;

  /** `subtree`: called with the hash of each complete subtree of more than one leaf. */
  constructor(subtree?: (level: number, hash: Hash) => void) {
    this.#subtree = subtree;
  }

  add(leaf: Hash): void {
    let hash = leaf;
    let level = 0;
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) {
      hash = nodeHash(this.#whole.pop()!, hash);
      level += 1;
      this.#subtree?.(level, hash);
    }
    this.#whole.push(hash);
    this.size += 1;
  }

  root(): Hash {
    return this.#whole.length === 0 ? EMPTY_ROOT : this.#whole.reduceRight((right, left) => nodeHash(left, right));
  }
}
