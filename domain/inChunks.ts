const MOST = 2_000;

/** Splits a list into chunks of at most 2,000 items. A snapshot is written chunk by chunk, so that it does not block others. */
export function* inChunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += MOST) yield all.slice(from, from + MOST);
}
