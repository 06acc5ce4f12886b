/** Room on a disk, and how much of it is left for what matters more than files. */
import { statfs } from 'node:fs/promises';
import { StorageFull } from '../../engine/ports/eventStore.js';

/** In bytes. */
export interface Space {
  /** For those who are not root. */
  readonly free: number;
  readonly total: number;
}

/** Free space on the disk of `path`. Rejects with the file system's error. */
export async function spaceOf(path: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Space that files leave free: bytes, or a share of the disk in per cent. */
export type SpaceFloor = { readonly bytes: number } | { readonly percent: number };

const GB = 1024 * 1024 * 1024;
const DEFAULT_PERCENT = 5;

const floorIn = (total: number, floor: SpaceFloor): number =>
  'bytes' in floor ? floor.bytes : (total * floor.percent) / 100;

/** The smaller of 1 GiB and 5 % without a `floor`. */
export const floorBytes = (total: number, floor: SpaceFloor | undefined): number =>
  floor === undefined
    ? Math.min(floorIn(total, { bytes: GB }), floorIn(total, { percent: DEFAULT_PERCENT }))
    : floorIn(total, floor);

/** Codes of a full disk, or of an exhausted quota. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

export const hasNoRoom = (error: unknown): boolean => NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '');

/** Bytes that are written between two looks at the disk: what those at once may exceed the floor by, each. */
const LOOK_EVERY = 4 * 1024 * 1024;

const UNKNOWN: Space = { free: 0, total: 0 };

export interface SpaceRules {
  readonly floor?: SpaceFloor;
  /** In place of the file system; for tests. */
  space?(): Promise<Space>;
}

/** Watches the disk that `path` is on while files are written there. */
export class RoomWatch {
  readonly #space: () => Promise<Space>;
  readonly #floor: SpaceFloor | undefined;

  constructor(path: string, { floor, space = () => spaceOf(path) }: SpaceRules) {
    this.#space = space;
    this.#floor = floor;
  }

  /** Throws `StorageFull` when less is free than files must leave. */
  async check(): Promise<void> {
    // If a file system reports no size, writing decides.
    const { free, total } = await this.#space().catch(() => UNKNOWN);
    if (total === 0) return;
    const least = floorBytes(total, this.#floor);
    if (free < least)
      throw new StorageFull(`the disk of the file store has ${free} bytes free, but ${least} are reserved`);
  }

  /** Passes `bytes` on, and looks before the first and every few megabytes. */
  async *watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let unseen = LOOK_EVERY;
    for await (const chunk of bytes) {
      unseen += chunk.byteLength;
      if (unseen > LOOK_EVERY) {
        await this.check();
        unseen = 0;
      }
      yield chunk;
    }
  }
}
