/** The thread of startCheckpointer. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Trouble } from './checkpointer.js';
import { codeOf, type Db, openDatabase } from './database.js';

const LOOK_MS = 200;
/** A log smaller than this is left alone: moving little is as dear as moving much. */
const WORTH_BYTES = 4 * 1024 * 1024;
/** A log larger than this is emptied: writers wait a moment for the little that is not moved by then. */
const EMPTY_BYTES = 64 * 1024 * 1024;

const { files } = workerData as { files: readonly string[] };
const open = files.map((file) => ({ file, db: openDatabase(file, { cacheKb: 256 }) }));

const logSize = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
const move = (db: Db, how: 'PASSIVE' | 'TRUNCATE'): void => void db.prepare(`PRAGMA wal_checkpoint(${how})`).get();

/** Looks that are left out after a failure, so that a full disk is not asked five times a second. */
const REST_LOOKS = 10;
let resting = 0;

function lookAt({ file, db }: (typeof open)[number]): void {
  const size = logSize(file);
  if (size < WORTH_BYTES) return;
  // Nobody waits for this one; it leaves the next little to do.
  move(db, 'PASSIVE');
  if (size > EMPTY_BYTES) move(db, 'TRUNCATE');
}

/** What fails, as on a full disk, is tried again: meanwhile the log only grows. Each file by itself. */
function look(): void {
  if (resting > 0) {
    resting -= 1;
    return;
  }
  for (const one of open)
    try {
      lookAt(one);
    } catch (error) {
      resting = REST_LOOKS;
      parentPort!.postMessage({
        trouble: `${basename(one.file)}: ${codeOf(error) || String(error)}`,
      } satisfies Trouble);
    }
}

const timer = setInterval(look, LOOK_MS);
parentPort!.once('message', () => {
  clearInterval(timer);
  for (const { db } of open) db.close();
});
