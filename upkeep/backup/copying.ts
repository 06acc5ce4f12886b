/** Common parts of copying to and from a backup. */

/** A backup has no size limit. */
export const ANY_SIZE = Number.MAX_SAFE_INTEGER;
/** Files copied at once: each waits for the disk several times. */
const AT_ONCE = 8;

/** Works on all items, eight at a time. Rejects with what failed first, when nothing is worked on any more. */
export async function eachOf<T>(
  items: AsyncIterator<T>,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const one = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      const next = await items.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  const working = await Promise.allSettled(Array.from({ length: AT_ONCE }, one));
  for (const each of working) if (each.status === 'rejected') throw each.reason;
}
