import { type Db, openDatabase } from '../database.js';
import { asDamage } from './checksum.js';
import { hexToUuid } from './schema.js';

/** Facts about an events.db. `head`: -1 without events. */
export interface LogFacts {
  readonly layout: number;
  readonly head: number;
  /** Id of the event at the head. */
  readonly id?: string;
}

export const headOf = (db: Db): number =>
  db.prepare<[number | null]>('SELECT max(position) FROM events').get()?.[0] ?? -1;

export const layoutOf = (db: Db): number => db.prepare<[number]>('PRAGMA user_version').get()?.[0] ?? 0;

/** 32 hexadecimal digits; undefined if there is no event at the position. */
const idAt = (db: Db, position: number): string | undefined =>
  db.prepare<[Buffer]>('SELECT CAST(id AS BLOB) FROM events WHERE position = ?').get([position])?.[0].toString('hex');

/** Reads concurrently with a writer. `ids`: of the events at `positions`, as 32 hexadecimal digits. Throws LogDamaged. */
export function logFacts(
  file: string,
  positions: readonly number[] = [],
): { readonly facts: LogFacts; readonly head: number; readonly ids: readonly (string | undefined)[] } {
  let db: Db | undefined;
  try {
    db = openDatabase(file, { readonly: true });
    const layout = layoutOf(db);
    if (layout === 0) return { facts: { layout, head: -1 }, head: -1, ids: positions.map(() => undefined) };
    const head = headOf(db);
    const [id, ...ids] = [head, ...positions].map((position) => idAt(db!, position));
    return { facts: { layout, head, ...(id === undefined ? {} : { id: hexToUuid(id) }) }, head, ids };
  } catch (error) {
    throw asDamage(error);
  } finally {
    db?.close();
  }
}
