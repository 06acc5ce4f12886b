/** Removes the oldest entries beyond `most`, for a cache whose entries are used soon or never. */
export function dropOldest<K>(kept: Map<K, unknown> | Set<K>, most: number): void {
  if (kept.size <= most) return;
  const [oldest] = kept.keys();
  kept.delete(oldest as K);
}
