/** Verifies proofs without the tree (RFC 9162, sections 2.1.3.2 and 2.1.4.2). */
import { type Hash, nodeHash } from './hashing.js';

const isOdd = (number: number): boolean => number % 2 === 1;
const half = (number: number): number => Math.floor(number / 2);

/**
 * Climbs from node `at` of a level whose last node is `last` up to the root. Calls `join` with each hash of the path
 * and its side. Returns false if the path has the wrong length.
 */
function climbs(at: number, last: number, path: readonly Hash[], join: (one: Hash, isLeft: boolean) => void): boolean {
  for (const one of path) {
    if (last === 0) return false;
    const isLeft = isOdd(at) || at === last;
    join(one, isLeft);
    if (isLeft) while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    [at, last] = [half(at), half(last)];
  }
  return last === 0;
}

/** Returns true if the path leads from the leaf at `index` to the root over `size` leaves. */
export function provesInclusion(
  leaf: Hash,
  { index, size, root }: { readonly index: number; readonly size: number; readonly root: Hash },
  path: readonly Hash[],
): boolean {
  if (index < 0 || index >= size) return false;
  let hash = leaf;
  const join = (one: Hash, isLeft: boolean): void => {
    hash = isLeft ? nodeHash(one, hash) : nodeHash(hash, one);
  };
  return climbs(index, size - 1, path, join) && hash === root;
}

export interface SizedRoot {
  readonly size: number;
  readonly root: Hash;
}

/** Returns true if the path proves that `earlier` is a prefix of `later`. */
export function provesConsistency(earlier: SizedRoot, later: SizedRoot, path: readonly Hash[]): boolean {
  if (earlier.size > later.size || earlier.size === 0) return false;
  if (earlier.size === later.size) return path.length === 0 && earlier.root === later.root;
  const isWhole = Number.isInteger(Math.log2(earlier.size));
  const [first, ...rest] = isWhole ? [earlier.root, ...path] : path;
  if (first === undefined) return false;
  let [at, last] = [earlier.size - 1, later.size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  let [was, is] = [first, first];
  const join = (one: Hash, isLeft: boolean): void => {
    if (isLeft) was = nodeHash(one, was);
    is = isLeft ? nodeHash(one, is) : nodeHash(is, one);
  };
  return climbs(at, last, rest, join) && was === earlier.root && is === later.root;
}
