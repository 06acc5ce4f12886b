/** The thread of startCheckpointer. */
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type LogState, logState, type Trouble, WORTH_BYTES } from './checkpointer.js';
import { codeOf, type Db, openDatabase } from './database.js';

const LOOK_MS = 200;
/** A log larger than this is emptied: writers wait a moment for the little that is not moved by then. */
const EMPTY_BYTES = 64 * 1024 * 1024;
/** Emptying waits for readers, such as a backup, and writers wait for it: so long at most, and then not again for a while. */
const EMPTY_MS = 50;
const AGAIN_MS = 5_000;
/** Pause between two moves of a log that has not grown. Such a log may hold a few new pages only, and each move costs flushes. */
const PAUSE_MS = 10_000;

const { files } = workerData as { files: readonly string[] };

interface Moved {
  readonly file: string;
  /** Opened with the first log that is worth it: some files are made later, and most are quiet. */
  db: Db | undefined;
  /** State of the log right before its last move. `changedMs` is NaN if that move left something in the log. */
  last: LogState;
  movedAt: number;
  emptyAt: number;
}

const all: readonly Moved[] = files.map((file) => ({
  file,
  db: undefined,
  last: { size: 0, changedMs: Number.NaN },
  movedAt: 0,
  emptyAt: 0,
}));

function opened(file: string): Db {
  const db = openDatabase(file, { cacheKb: 256 });
  db.exec(`PRAGMA busy_timeout = ${EMPTY_MS}`);
  return db;
}

/** Returns true if the whole log was moved. A reader, a writer or another checkpoint may have prevented it. */
function move(db: Db, how: 'PASSIVE' | 'TRUNCATE'): boolean {
  const [busy, pages, moved] =
    db.prepare<[busy: number, pages: number, moved: number]>(`PRAGMA wal_checkpoint(${how})`).get() ?? [];
  return busy === 0 && pages === moved;
}

/** Checks that are skipped after a failure, so that a full disk is not hit five times a second. */
const REST_LOOKS = 10;
let resting = 0;

/**
 * Returns true if a move is worth its flushes. A log keeps its length when it restarts, so its length does not show how much is left to
 * move. Growth does; a log that changed and did not grow is moved after a pause.
 */
function isDue({ last, movedAt }: Moved, { size, changedMs }: LogState, now: number): boolean {
  if (size < WORTH_BYTES) return false;
  return size - last.size >= WORTH_BYTES || (changedMs !== last.changedMs && now - movedAt >= PAUSE_MS);
}

function checkLog(one: Moved): void {
  const now = performance.now();
  const state = logState(one.file);
  if (state.size < one.last.size) one.last = { ...one.last, size: state.size };
  const isLong = state.size > EMPTY_BYTES && now >= one.emptyAt;
  if (!isLong && !isDue(one, state, now)) return;
  one.db ??= opened(one.file);
  // Nobody waits for the first move. The second moves the little that arrived meanwhile, so that the log can restart; it is free if nothing
  // arrived.
  move(one.db, 'PASSIVE');
  const isWhole = move(one.db, isLong ? 'TRUNCATE' : 'PASSIVE');
  if (isLong && !isWhole) one.emptyAt = now + AGAIN_MS;
  one.last = { size: state.size, changedMs: isWhole ? state.changedMs : Number.NaN };
  one.movedAt = now;
}

/** A failure, such as a full disk, is retried: meanwhile the log only grows. Each file is handled separately. */
function checkLogs(): void {
  if (resting > 0) {
    resting -= 1;
    return;
  }
  for (const one of all)
    try {
      checkLog(one);
    } catch (error) {
      resting = REST_LOOKS;
      parentPort!.postMessage({
        trouble: `${basename(one.file)}: ${codeOf(error) || String(error)}`,
      } satisfies Trouble);
    }
}

const timer = setInterval(checkLogs, LOOK_MS);
parentPort!.once('message', () => {
  clearInterval(timer);
  for (const { db } of all) db?.close();
});
