import type { Query } from '../ports/documents.js';
import type { Acknowledged } from './acknowledged.js';
import type { Readable, Reads, Within } from './reads.js';

/** A class, because one is created per request and methods need no closures. */
class SettledReads implements Reads {
  readonly #reads: Reads;
  readonly #acknowledged: Pick<Acknowledged, 'shown'>;
  readonly #wait: Within;

  constructor(reads: Reads, acknowledged: Pick<Acknowledged, 'shown'>, wait: Within) {
    this.#reads = reads;
    this.#acknowledged = acknowledged;
    this.#wait = wait;
  }

  get<B>(projection: Readable<B>, id: string) {
    return this.#settled(projection, () => this.#reads.get(projection, id));
  }
  getMany<B>(projection: Readable<B>, ids: readonly string[]) {
    return this.#settled(projection, () => this.#reads.getMany(projection, ids));
  }
  find<B>(projection: Readable<B>, query: Query) {
    return this.#settled(projection, () => this.#reads.find(projection, query));
  }
  count(projection: Readable<unknown>, where: Query['where'], limit: number) {
    return this.#settled(projection, () => this.#reads.count(projection, where, limit));
  }
  within(wait: Within): Reads {
    return new SettledReads(this.#reads, this.#acknowledged, wait);
  }

  /** Creates no further promise if nothing is awaited, as in nearly every query. */
  #settled<R>({ name }: Readable<unknown>, query: () => Promise<R>): Promise<R> {
    const { scopes, late } = this.#wait;
    const waiting = this.#acknowledged.shown(name, scopes);
    if (waiting === undefined) return query();
    return waiting.then((shown) => {
      if (!shown && late !== undefined) throw late();
      return query();
    });
  }
}

/** Queries that first wait for acknowledged changes, anywhere or in some scopes. */
export const settledReads = (reads: Reads, acknowledged: Pick<Acknowledged, 'shown'>): Reads =>
  new SettledReads(reads, acknowledged, {});
