import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, openDatabase } from './database.js';

/** Owned by one process; the operating system releases it when that process ends, however it ends. */
export interface FolderLock {
  release(): void;
}

const FILE = 'lock.db';
const HELD = /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/;

/** Undefined: another process (or this one) holds it. The folder must exist. Throws FileDamaged. */
export function lockFolder(folder: string): FolderLock | undefined {
  const db = openDatabase(join(folder, FILE), { cacheKb: 16 });
  db.exec('PRAGMA busy_timeout = 0');
  try {
    // A write transaction that is never finished: SQLite's own file lock is the lock, so nothing stale can stay behind.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db.close();
    // A disk without room, such as for the shared memory of the lock's own file, is nobody who holds it.
    if (!HELD.test(codeOf(error))) throw error;
    return undefined;
  }
  return { release: () => db.close() };
}

/** True if a process owns it now. Creates nothing. */
export function isLocked(folder: string): boolean {
  if (!existsSync(join(folder, FILE))) return false;
  const lock = lockFolder(folder);
  lock?.release();
  return lock === undefined;
}
