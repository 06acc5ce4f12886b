/** Random bytes for keys and nonces, requested from the system in blocks. A request costs as much as sealing a box. */
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(8 * 1024);
let used = pool.length;

/** Returns `count` bytes in their own memory, 8 KiB at most. The pool clears its copy. */
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
