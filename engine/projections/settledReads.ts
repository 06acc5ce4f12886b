import type { Acknowledged } from './acknowledged.js';
import type { Readable, Reads, Within } from './reads.js';

/** Queries that first wait for what was acknowledged, anywhere or within some scopes. */
export function settledReads(reads: Reads, acknowledged: Pick<Acknowledged, 'shown'>): Reads {
  const within = ({ scopes, late }: Within): Reads => {
    /** Without a promise more where nothing is waited for, as in nearly every query. */
    function after<R>(projection: Readable<unknown>, query: () => Promise<R>): Promise<R> {
      const waiting = acknowledged.shown(projection.name, scopes);
      return waiting === undefined ? query() : waiting.then((shown) => whenSettled(shown, query));
    }
    function whenSettled<R>(shown: boolean, query: () => Promise<R>): Promise<R> {
      if (!shown && late !== undefined) throw late();
      return query();
    }
    return {
      get: (projection, id) => after(projection, () => reads.get(projection, id)),
      getMany: (projection, ids) => after(projection, () => reads.getMany(projection, ids)),
      find: (projection, query) => after(projection, () => reads.find(projection, query)),
      count: (projection, where, limit) => after(projection, () => reads.count(projection, where, limit)),
      within,
    };
  };
  return within({});
}
