/** Small disk that a test can fill: a file system in memory. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Fills the disk up to `bytes` of free space. Default: 0. */
  fill(bytes?: number): void;
  /** Removes the data that `fill` has written. */
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

/** Returns the number of free bytes. */
function roomOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Mounts a small disk. Returns undefined where that is not possible: it needs Linux and the right to mount. */
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

/** Message of a test that is skipped because it cannot mount a small disk. */
export const NO_SMALL_DISK =
  'skipped: a small disk cannot be mounted here. With `unshare --mount --map-root-user npx mocha …` it may be.';
