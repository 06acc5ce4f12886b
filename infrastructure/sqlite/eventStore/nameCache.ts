import { LogDamaged } from '../../../engine/ports/eventStore.js';
import type { Db, Statement } from '../database.js';

/** Maximum number of cached names. */
const KEPT = 50_000;

/**
 * Names of streams, or of types and categories, by their numbers in events.db, which never change: used names are cached, up to a limit.
 * Looked up as bytes: see rowPages.ts.
 */
export class NameCache {
  readonly #lookUp: Statement<[Buffer]>;
  readonly #several: Statement<[Buffer, Buffer]>;
  readonly #known = new Map<number, string>();

  constructor(db: Db, table: 'streams' | 'names') {
    this.#several = db.prepare(
      `SELECT CAST(json_group_array(json(head)) AS BLOB), CAST(coalesce(group_concat(name, ''), '') AS BLOB) FROM (
         SELECT json_array(id, octet_length(name)) AS head, name FROM main.${table}
         WHERE id IN (SELECT value FROM json_each(?)))`,
    );
    this.#lookUp = db.prepare(`SELECT CAST(name AS BLOB) FROM main.${table} WHERE id = ?`);
  }

  get(number: number): string {
    return this.#known.get(number) ?? this.#learn(number);
  }

  /** Looks up all of these that are not known at once, which costs hardly more than one. */
  prepare(numbers: Iterable<number>): void {
    const missing = new Set<number>();
    for (const number of numbers) if (!this.#known.has(number)) missing.add(number);
    if (missing.size < 2) return;
    if (this.#known.size + missing.size > KEPT) this.#known.clear();
    const [heads, names] = this.#several.get([JSON.stringify([...missing])])!;
    let at = 0;
    for (const [number, bytes] of JSON.parse(heads.toString('latin1')) as [number, number][]) {
      this.#known.set(number, names.toString('utf8', at, at + bytes));
      at += bytes;
    }
  }

  #learn(number: number): string {
    const name = this.#lookUp.get([number])?.[0].toString();
    if (name === undefined) throw new LogDamaged(`events.db: nothing is named by the number ${number}`);
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(number, name);
    return name;
  }
}
