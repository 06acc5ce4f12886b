import { LogDamaged } from '../../../engine/ports/eventStore.js';
import type { Db, Statement } from '../database.js';

/** Names that are kept. */
const KEPT = 50_000;

/**
 * Names of streams, or of types and categories, by their numbers in events.db, which never change: the ones asked for are kept,
 * up to a bound. Looked up as bytes: see rowPages.ts.
 */
export class NameCache {
  readonly #lookUp: Statement<[Buffer]>;
  readonly #known = new Map<number, string>();

  constructor(db: Db, table: 'streams' | 'names') {
    this.#lookUp = db.prepare(`SELECT CAST(name AS BLOB) FROM main.${table} WHERE id = ?`);
  }

  get(number: number): string {
    return this.#known.get(number) ?? this.#learn(number);
  }

  #learn(number: number): string {
    const name = this.#lookUp.get([number])?.[0].toString();
    if (name === undefined) throw new LogDamaged(`events.db: nothing is named by the number ${number}`);
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(number, name);
    return name;
  }
}
