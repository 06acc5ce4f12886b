/** Preloaded into a service (`--import`). On SIGUSR2, its threads with the file `SUUQ_TEST_THREAD` end like a crash. */
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread, type Worker } from 'node:worker_threads';

if (isMainThread) {
  const file = process.env.SUUQ_TEST_THREAD;
  const running = new Set<Worker>();
  threads.Worker = class extends threads.Worker {
    constructor(...parts: ConstructorParameters<typeof Worker>) {
      super(...parts);
      if (file === undefined || !String(parts[0]).endsWith(file)) return;
      running.add(this);
      this.once('exit', () => running.delete(this));
    }
  };
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    for (const one of running) void one.terminate();
  });
}
