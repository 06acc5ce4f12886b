import { LogDamaged } from '../../../engine/ports/eventStore.js';
import type { Statement } from '../database.js';

/** Names by their numbers in events.db, which never change: the ones asked for are kept, up to a bound. Looked up as bytes: see rowPages.ts. */
export class NameCache {
  readonly #lookUp: Statement<[Buffer]>;
  readonly #most: number;
  readonly #known = new Map<number, string>();

  constructor(lookUp: Statement<[Buffer]>, most: number) {
    this.#lookUp = lookUp;
    this.#most = most;
  }

  get(number: number): string {
    return this.#known.get(number) ?? this.#learn(number);
  }

  #learn(number: number): string {
    const name = this.#lookUp.get([number])?.[0].toString();
    if (name === undefined) throw new LogDamaged(`events.db: nothing is named by the number ${number}`);
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(number, name);
    return name;
  }
}
