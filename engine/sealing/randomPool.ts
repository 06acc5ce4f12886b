/** Random bytes for keys and nonces, which are asked of the system many at a time: each asking costs as much as a box. */
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(8 * 1024);
let used = pool.length;

/** `count` bytes in memory of their own, 8 KiB at most; the pool keeps none of them. */
export function randomOf(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const own = Buffer.from(pool.subarray(used, used + count));
  pool.fill(0, used, used + count);
  used += count;
  return own;
}
