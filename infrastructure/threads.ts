/** Utilisation of the threads of this process. The purpose of each is documented at its start. */
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';

const MAIN = 'main';
const named = new Map<Worker, string>();

/** From now until it ends the thread counts under this name: a few words for what it does, alike for all that do the same. */
export function nameThread(worker: Worker, name: string): void {
  named.set(worker, name);
  worker.once('exit', () => named.delete(worker));
}

/** Seconds in which a thread was not waiting since it began, by name, `main` among them; those of one name are added up. */
export function busySeconds(): ReadonlyMap<string, number> {
  const busy = new Map([[MAIN, performance.eventLoopUtilization().active / 1000]]);
  for (const [{ performance: thread }, name] of named)
    busy.set(name, (busy.get(name) ?? 0) + thread.eventLoopUtilization().active / 1000);
  return busy;
}
