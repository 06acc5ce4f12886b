import type { ProjectionRuntime } from './contract.js';
import type { AnyProjection } from './projection.js';
import { parsedKey } from './sharded/names.js';

/** Combines the runtimes of whole and partitioned read models. */
export function bothRuntimes(
  whole: ProjectionRuntime,
  sharded: ProjectionRuntime,
  parted: readonly AnyProjection[],
): ProjectionRuntime {
  const names = new Set(parted.map(({ name }) => name));
  const isParted = (key: string): boolean => names.has(parsedKey(key).projection);
  const stopped = { whole: [] as readonly string[], sharded: [] as readonly string[] };
  return {
    async start() {
      await Promise.all([whole.start(), sharded.start()]);
    },
    async stop() {
      await Promise.all([whole.stop(), sharded.stop()]);
    },
    async waitFor(keys, position, timeoutMs) {
      const own = keys.filter((key) => !isParted(key));
      const [one, other] = await Promise.all([
        whole.waitFor(own, position, timeoutMs),
        sharded.waitFor(keys.filter(isParted), position, timeoutMs),
      ]);
      return one && other;
    },
    status: async () => (await Promise.all([whole.status(), sharded.status()])).flat(),
    rebuild: (name, restart) => (names.has(name) ? sharded : whole).rebuild(name, restart),
    onProgress(callback) {
      const ends = [whole.onProgress(callback), sharded.onProgress(callback)];
      return () => {
        for (const end of ends) end();
      };
    },
    onStopped(callback) {
      const tell = (which: keyof typeof stopped) => (found: readonly string[]) => {
        stopped[which] = found;
        callback([...stopped.whole, ...stopped.sharded]);
      };
      const ends = [whole.onStopped(tell('whole')), sharded.onStopped(tell('sharded'))];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
