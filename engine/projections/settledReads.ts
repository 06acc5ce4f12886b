import type { Acknowledged } from './acknowledged.js';
import type { Readable, Reads, Within } from './reads.js';

/** Queries that first wait for what was acknowledged, anywhere or within some scopes. */
export function settledReads(reads: Reads, acknowledged: Pick<Acknowledged, 'shown'>): Reads {
  const within = ({ scopes, late }: Within): Reads => {
    async function settled(projection: Readable<unknown>): Promise<void> {
      const waiting = acknowledged.shown(projection.name, scopes);
      if (waiting !== undefined && !(await waiting) && late !== undefined) throw late();
    }
    return {
      get: async (projection, id) => {
        await settled(projection);
        return reads.get(projection, id);
      },
      getMany: async (projection, ids) => {
        await settled(projection);
        return reads.getMany(projection, ids);
      },
      find: async (projection, query) => {
        await settled(projection);
        return reads.find(projection, query);
      },
      count: async (projection, where, limit) => {
        await settled(projection);
        return reads.count(projection, where, limit);
      },
      within,
    };
  };
  return within({});
}
