/** Removes the oldest entries beyond `most`, for a cache whose entries are used soon or never. */
export function dropOldest<K>(entries: Map<K, unknown> | Set<K>, most: number): void {
  if (entries.size <= most) return;
  const [oldest] = entries.keys();
  entries.delete(oldest as K);
}
