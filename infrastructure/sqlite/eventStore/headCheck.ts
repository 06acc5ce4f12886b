/** Checks before a log is used: the file is complete, and its newest events are as they were written. */
import { statSync } from 'node:fs';
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
  if ((statSync(fileIn(folder), { throwIfNoEntry: false })?.size ?? 0) === 0) return;
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
  if (missing !== undefined) throw new LogDamaged(`events.db: its index lacks the event at position ${missing[0]}`);
}
