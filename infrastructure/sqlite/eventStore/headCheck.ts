/** What is looked at before a log is used: that the file is all there, and that its newest events are as they were written. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { LogDamaged } from '../../../engine/ports/eventStore.js';
import type { Db } from '../database.js';
import { asDamage } from './checksum.js';
import { headOf, layoutOf } from './logFile.js';
import { requireWhole } from './rowCheck.js';
import { fileIn, openLogForReading } from './schema.js';

/** The newest events: what a crash, or a copy that was cut off, can have hit. `suuq verify` looks at all. */
const EVENTS = 1_000;

/** Throws LogDamaged. A file that is missing, or that a release from before SQLite's header made, is none of its business. */
export function checkHead(folder: string): void {
  const size = statSync(fileIn(folder), { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  checkLength(folder, size);
  let db: Db | undefined;
  try {
    db = openLogForReading(folder);
    if (layoutOf(db) === 0) return;
    checkNewest(db);
  } catch (error) {
    throw asDamage(error);
  } finally {
    db?.close();
  }
}

/** The header says how many pages there are, wherever nothing is left to be moved into the file. */
function checkLength(folder: string, size: number): void {
  const header = Buffer.alloc(100);
  const file = openSync(fileIn(folder), 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  if ((statSync(`${fileIn(folder)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const stated = header.readUInt16BE(16);
  const bytes = (stated === 1 ? 65_536 : stated) * header.readUInt32BE(28);
  // Only where the count was written by who wrote last.
  const isValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  if (isValid && size < bytes) throw new LogDamaged(`events.db is cut off: it has ${size} of ${bytes} bytes`);
}

function checkNewest(db: Db): void {
  const head = headOf(db);
  requireWhole(db, head - EVENTS, head);
  const missing = db
    .prepare<[number]>(
      `SELECT e.position FROM events e NOT INDEXED WHERE e.position > ? AND NOT (
         e.position IS (SELECT i.position FROM events i INDEXED BY events_by_stream WHERE i.stream = e.stream AND i.revision = e.revision)
         AND EXISTS (SELECT 1 FROM events i INDEXED BY events_by_id WHERE i.stream = e.stream AND i.id = e.id AND i.position = e.position))
       LIMIT 1`,
    )
    .get([head - EVENTS]);
  if (missing !== undefined)
    throw new LogDamaged(`events.db: its index does not know the event at position ${missing[0]}`);
}
