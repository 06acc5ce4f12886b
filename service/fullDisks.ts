/** Errors of a disk without room, from whichever thread and engine they come, and which disk that is. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DomainError } from '../domain/decider.js';
import { spaceOf } from '../infrastructure/files/freeSpace.js';

/** Texts of the file system and the driver. A full disk may look like a failing one to the driver. */
const NO_ROOM = /\b(?:ENOSPC|EDQUOT|SQLITE_FULL\w*|SQLITE_IOERR\w*|disk I\/O error|database or disk is full)/;

/** The matching text; undefined for other errors. */
export function noRoomIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message, code = '' } = error as NodeJS.ErrnoException;
  return (NO_ROOM.exec(String(code)) ?? NO_ROOM.exec(message))?.[0];
}

const existing = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existing(dirname(path));

/** The folder whose disk has the least room. */
async function fullest(folders: readonly string[]): Promise<string> {
  const rooms = await Promise.all(
    folders.map(async (folder) => {
      const { free } = await spaceOf(existing(resolve(folder))).catch(() => ({ free: Number.POSITIVE_INFINITY }));
      return { folder, free };
    }),
  );
  return rooms.reduce((least, one) => (one.free < least.free ? one : least)).folder;
}

const isFull = (error: unknown): boolean =>
  noRoomIn(error) !== undefined || (error instanceof DomainError && error.code === 'storage_full');

/** Does work that writes to several folders, and names the one whose disk is full. Rejects with `storage_full`, or as `work` does. */
export async function namingFullDisk<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFull(error)) throw error;
    const reason = noRoomIn(error) ?? (error as Error).message;
    throw new DomainError(
      'storage_full',
      `The disk of ${await fullest(folders)} is full or failing (${reason}). Free some space and repeat the command.`,
    );
  }
}
