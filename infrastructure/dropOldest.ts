/** Lets go of what came first, once more than `most` are kept: for what is asked for soon or never. */
export function dropOldest<K>(kept: Map<K, unknown> | Set<K>, most: number): void {
  if (kept.size <= most) return;
  const [oldest] = kept.keys();
  kept.delete(oldest as K);
}
