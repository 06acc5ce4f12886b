/** Layout of events.db. Stored for ever: a change needs a new `LAYOUT` number and a step that brings older files up to it. */
import { join } from 'node:path';
import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { type Db, openDatabase } from '../database.js';

export const LAYOUT = 3;

/**
 * `category` and `type` precede the texts, so that a filtered scan never touches the pages a long text overflows to. A stream's head is the
 * last entry of events_by_stream: no second record can disagree with the events. events_by_id makes a repeated append under `any`
 * recognisable for ever. Layout 2 added `created` and `format`, for events that clients of the protocol endpoint write; both take no space
 * in Suuq's own events. `created`: microseconds since 1970, NULL in Suuq's own events, whose time is meta.at. `format`: see `Format`.
 * Layout 3 added `sum`: see checksum.ts; NULL in older rows.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL, id BLOB NOT NULL,
    type INTEGER NOT NULL, category INTEGER NOT NULL, data TEXT NOT NULL, meta TEXT NOT NULL,
    created INTEGER, format INTEGER NOT NULL DEFAULT 0, sum INTEGER);
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, revision);
  CREATE INDEX IF NOT EXISTS events_by_id ON events (stream, id);`;

/** Bring a file up by one layout. Each takes the same short moment whatever the file's size: rows written before are not touched. */
const FROM_1 = `
  ALTER TABLE events ADD COLUMN created INTEGER;
  ALTER TABLE events ADD COLUMN format INTEGER NOT NULL DEFAULT 0;
  PRAGMA user_version = 2;`;
const FROM_2 = 'ALTER TABLE events ADD COLUMN sum INTEGER; PRAGMA user_version = 3;';

/** Encoding of `data` and `meta` of a row, and visibility through the EventStore port. */
export const Format = {
  /** Both are JSON objects as text, in a stream whose name does not begin with '$': what the port writes and shows. */
  objects: 0,
  /** Content type application/json, both as the bytes that came; the port shows it when the data is an object. */
  json: 1,
  /** Content type application/octet-stream, both as the bytes that came. Never shown by the port. */
  bytes: 2,
} as const;

/**
 * The revision of a tombstone, an event of the type `TOMBSTONE`: no event comes after it. EventStoreDB's own is 2^63-1,
 * which no JS number holds.
 */
export const TOMBSTONE_REVISION = Number.MAX_SAFE_INTEGER;
export const TOMBSTONE = '$streamDeleted';

export const fileIn = (folder: string): string => join(folder, 'events.db');

/** The writing connection: every commit is on the disk when it returns. */
export function openLog(folder: string): Db {
  const db = openDatabase(fileIn(folder), { synchronous: 'FULL', cacheKb: 16_384 });
  const [layout = 0] = db.prepare<[number]>('PRAGMA user_version').get() ?? [];
  if (layout > LAYOUT)
    throw new StoreUnavailable(
      `events.db has layout ${layout}, but this release supports ${LAYOUT}: start a newer release`,
    );
  if (layout === 0) db.transaction(() => db.exec(`${SCHEMA}; PRAGMA user_version = ${LAYOUT}`));
  if (layout === 1) db.transaction(() => db.exec(FROM_1));
  if (layout === 1 || layout === 2) db.transaction(() => db.exec(FROM_2));
  return db;
}

/** A column of numbers as one, also where a flipped bit has made text of it: see rowPages.ts. */
export const wholeIn = (column: string): string => `CAST(${column} AS INTEGER)`;

/** Columns that came with later layouts: a copy may have one from before, which nobody has brought up. */
export function createdColumns(db: Db): { readonly created: string; readonly format: string; readonly sum: string } {
  const [layout = 0] = db.prepare<[number]>('PRAGMA main.user_version').get() ?? [];
  const since = (first: number, column: string, before: string): string => (layout >= first ? wholeIn(column) : before);
  return { created: since(2, 'created', 'NULL'), format: since(2, 'format', '0'), sum: since(3, 'sum', 'NULL') };
}

/** A reading connection next to the writing one. */
export const openLogForReading = (folder: string): Db => openDatabase(fileIn(folder), { readonly: true });

/** '00112233-…' to its 16 bytes, and back. */
export const uuidToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
export const bytesToUuid = (bytes: Buffer): string => hexToUuid(bytes.toString('hex', 0, 16));
export function hexToUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
