import type { SteadyClock } from '../ports/clock.js';
import { type Checkpoints, type Fence, Fenced, type OneWrite } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';

interface Waiting extends OneWrite {
  done(): void;
  failed(error: unknown): void;
}

/** Maximum number of documents in one call. A larger write is sent alone. */
const MOST_DOCUMENTS = 1000;
/** Time for which a verified fence is cached, in ms. An owner that falls silent keeps its fence for seconds. */
const VERIFIED_MS = 100;

/** Writes of many shards, combined into few calls. */
export type CombinedWrites = Pick<Checkpoints, 'write'>;

const documentsIn = ({ batches }: OneWrite): number =>
  Object.values(batches).reduce((sum, { put = [], remove = [] }) => sum + put.length + remove.length, 0);

const fencesOf = ({ checkpoints }: OneWrite): Fence[] =>
  checkpoints.filter((one): one is Fence => one.fence !== undefined);

/** Returns the first writes, up to the maximum number of documents. */
function firstOf<W extends OneWrite>(all: readonly W[]): W[] {
  let documents = 0;
  const end = all.findIndex((one, i) => {
    documents += documentsIn(one);
    return i > 0 && documents > MOST_DOCUMENTS;
  });
  return all.slice(0, end === -1 ? all.length : end);
}

/**
 * Combines writes that come in one turn of the event loop, or during another write, into one call. So many shards need
 * no more calls than one, and no more connections of an engine that hangs. Writes with documents do not delay writes
 * that verify fences and move checkpoints. If a combined write is refused, each part is written alone. A write that
 * only verifies cached fences resolves at once.
 */
export function combinedWrites(
  work: Pick<Checkpoints, 'write' | 'writeAll'>,
  clock: Pick<SteadyClock, 'now' | 'isSteady'>,
): CombinedWrites {
  const verified = new Map<string, { readonly fence: number; readonly at: number }>();

  const isVerified = ({ name, fence }: Fence): boolean => {
    const known = verified.get(name);
    const age = known === undefined ? Number.POSITIVE_INFINITY : clock.now() - known.at;
    return known?.fence === fence && age < VERIFIED_MS;
  };

  async function checked(all: readonly OneWrite[], call: () => Promise<void>): Promise<void> {
    const at = clock.now();
    const fences = all.flatMap(fencesOf);
    try {
      await call();
    } catch (error) {
      for (const { name } of fences) verified.delete(name);
      throw error;
    }
    for (const { name, fence } of fences) verified.set(name, { fence, at });
  }

  const alone = (one: Waiting): Promise<void> =>
    checked([one], () => work.write(one.batches, ...one.checkpoints)).then(one.done, one.failed);

  async function write(all: readonly Waiting[]): Promise<void> {
    if (all.length === 1) return alone(all[0]!);
    const hasDocuments = all.some(({ batches }) => Object.keys(batches).length > 0);
    if (hasDocuments && work.writeAll === undefined) return void (await Promise.all(all.map(alone)));
    try {
      await checked(all, () =>
        hasDocuments ? work.writeAll!(all) : work.write({}, ...all.flatMap(({ checkpoints }) => checkpoints)),
      );
    } catch (error) {
      // Only one of them may be at fault, so each is written alone.
      if (error instanceof Fenced || (hasDocuments && !(error instanceof StoreUnavailable)))
        await Promise.all(all.map(alone));
      else for (const { failed } of all) failed(error);
      return;
    }
    for (const { done } of all) done();
  }

  function queue(): (one: OneWrite) => Promise<void> {
    let waiting: Waiting[] = [];
    let isFlushing = false;
    async function flush(): Promise<void> {
      while (waiting.length > 0) {
        const all = firstOf(waiting);
        waiting = waiting.slice(all.length);
        await write(all);
      }
      isFlushing = false;
    }
    return (one) =>
      new Promise((done, failed) => {
        waiting.push({ ...one, done, failed });
        if (isFlushing) return;
        isFlushing = true;
        setImmediate(() => void flush());
      });
  }

  const checks = queue();
  const documents = queue();
  return {
    async write(batches, ...checkpoints) {
      if (Object.keys(batches).length > 0) return documents({ batches, checkpoints });
      if (checkpoints.length > 0 && checkpoints.every((one) => !('position' in one) && isVerified(one))) return;
      return checks({ batches, checkpoints });
    },
  };
}
