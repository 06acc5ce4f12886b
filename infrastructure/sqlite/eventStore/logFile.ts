import { type Db, openDatabase } from '../database.js';
import { bytesToUuid } from './schema.js';

/** What stands in an events.db. `head`: -1 without events. */
export interface LogFacts {
  readonly layout: number;
  readonly head: number;
  /** Of the event at the head. */
  readonly id?: string;
}

export const headOf = (db: Db): number =>
  db.prepare<[number | null]>('SELECT max(position) FROM events').get()?.[0] ?? -1;

/** The id of the event at a position. */
export function idAt(db: Db, position: number): string | undefined {
  const found = db.prepare<[Buffer]>('SELECT id FROM events WHERE position = ?').get([position]);
  return found && bytesToUuid(found[0]);
}

export const layoutOf = (db: Db): number => db.prepare<[number]>('PRAGMA user_version').get()?.[0] ?? 0;

/** Reads beside whoever writes. */
export function logFacts(file: string): LogFacts {
  const db = openDatabase(file, { readonly: true });
  try {
    const layout = layoutOf(db);
    const head = layout === 0 ? -1 : headOf(db);
    const id = idAt(db, head);
    return { layout, head, ...(id === undefined ? {} : { id }) };
  } finally {
    db.close();
  }
}
