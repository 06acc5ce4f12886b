/** A small disk of its own, which a test can fill: a file system in memory. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Leaves `bytes` of room, none when absent. */
  fill(bytes?: number): void;
  /** Takes away what `fill` has put there. */
  makeRoom(): void;
  close(): void;
}

const BLOCK = 4096;
const FILLER = 'filler';

function fill(path: string, left: number): void {
  const file = openSync(join(path, FILLER), 'a');
  try {
    for (let room = roomOf(path); room > left; room = roomOf(path))
      writeSync(file, Buffer.alloc(Math.max(BLOCK, Math.min(1024 * 1024, room - left))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

/** Bytes that are free. */
function roomOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Undefined where this machine does not allow it: it needs Linux, and the right to mount. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  if (process.platform !== 'linux') return undefined;
  const path = mkdtempSync(join(tmpdir(), 'suuq-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  const close = (): void => {
    spawnSync('umount', ['--lazy', path]);
    rmdirSync(path);
  };
  if (mounted.status !== 0) {
    rmdirSync(path);
    return undefined;
  }
  process.once('exit', close);
  return {
    path,
    fill: (left = 0) => fill(path, left),
    makeRoom: () => rmSync(join(path, FILLER), { force: true }),
    close() {
      process.off('exit', close);
      close();
    },
  };
}

/** What a test says that cannot have one. */
export const NO_SMALL_DISK =
  'skipped: a small disk cannot be mounted here. With `unshare --mount --map-root-user npx mocha …` it may be.';
