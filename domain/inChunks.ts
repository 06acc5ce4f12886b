const MOST = 2_000;

/** Parts of a list, of 2,000 items at most: a snapshot is written a part at a time, so that others have their turn between. */
export function* inChunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += MOST) yield all.slice(from, from + MOST);
}
