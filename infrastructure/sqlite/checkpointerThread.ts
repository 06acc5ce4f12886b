/** The thread of startCheckpointer. */
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type Db, openDatabase } from './database.js';

const LOOK_MS = 200;
/** A log smaller than this is left alone: moving little is as dear as moving much. */
const WORTH_BYTES = 4 * 1024 * 1024;
/** A log larger than this is emptied: writers wait a moment for the little that is not moved by then. */
const EMPTY_BYTES = 64 * 1024 * 1024;

const { files } = workerData as { files: readonly string[] };
const open = files.map((file) => ({ file, db: openDatabase(file, { cacheKb: 256 }) }));

const logSize = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
const move = (db: Db, how: 'PASSIVE' | 'TRUNCATE'): void => void db.prepare(`PRAGMA wal_checkpoint(${how})`).get();

function look(): void {
  for (const { file, db } of open) {
    const size = logSize(file);
    if (size < WORTH_BYTES) continue;
    // Nobody waits for this one; it leaves the next little to do.
    move(db, 'PASSIVE');
    if (size > EMPTY_BYTES) move(db, 'TRUNCATE');
  }
}

const timer = setInterval(look, LOOK_MS);
parentPort!.once('message', () => {
  clearInterval(timer);
  for (const { db } of open) db.close();
});
