/** The thread of startCheckpointer. */
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { logSize, type Trouble, unmoved, WORTH_BYTES } from './checkpointer.js';
import { codeOf, type Db, openDatabase } from './database.js';

const LOOK_MS = 200;
/** A log larger than this is emptied: writers wait a moment for the little that is not moved by then. */
const EMPTY_BYTES = 64 * 1024 * 1024;
/** Emptying waits for readers, such as a backup, and writers wait for it: so long at most, and then not again for a while. */
const EMPTY_MS = 50;
const AGAIN_MS = 5_000;

const { files } = workerData as { files: readonly string[] };

interface Moved {
  readonly file: string;
  /** Opened with the first log that is worth it: some files are made later, and most are quiet. */
  db: Db | undefined;
  emptyAt: number;
}

const all: readonly Moved[] = files.map((file) => ({ file, db: undefined, emptyAt: 0 }));

function opened(file: string): Db {
  const db = openDatabase(file, { cacheKb: 256 });
  db.exec(`PRAGMA busy_timeout = ${EMPTY_MS}`);
  return db;
}

/** False: a reader, or a writer, was in the way. */
const move = (db: Db, how: 'PASSIVE' | 'TRUNCATE'): boolean =>
  db.prepare<[number]>(`PRAGMA wal_checkpoint(${how})`).get()?.[0] === 0;

/** Looks that are left out after a failure, so that a full disk is not asked five times a second. */
const REST_LOOKS = 10;
let resting = 0;

function lookAt(one: Moved): void {
  const now = performance.now();
  const isLong = logSize(one.file) > EMPTY_BYTES && now >= one.emptyAt;
  if (!isLong && unmoved(one.file) < WORTH_BYTES) return;
  one.db ??= opened(one.file);
  // Nobody waits for this one; it leaves the next little to do.
  move(one.db, 'PASSIVE');
  if (isLong) {
    if (!move(one.db, 'TRUNCATE')) one.emptyAt = now + AGAIN_MS;
    return;
  }
  // What has come meanwhile is little: when nothing comes in the moment that this takes, the log begins anew.
  if (unmoved(one.file) > 0) move(one.db, 'PASSIVE');
}

/** What fails, as on a full disk, is tried again: meanwhile the log only grows. Each file by itself. */
function look(): void {
  if (resting > 0) {
    resting -= 1;
    return;
  }
  for (const one of all)
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
  for (const { db } of all) db?.close();
});
