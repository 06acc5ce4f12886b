/** Fills the demo store of a first start while the service already answers. */
import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '../../domain/decider.js';
import type { Log } from '../../engine/ports/log.js';
import type { UnseededDemo } from '../../service/composition/demoSeeding.js';
import type { Seeding } from '../../service/composition/serve.js';

/** Delay before the seeding, in ms, so that it does not slow down the user's first request. */
const BEGIN_MS = 200;

async function fill({ demo, address, execute }: UnseededDemo, signal: AbortSignal): Promise<object> {
  await wait(BEGIN_MS, undefined, { signal });
  const [{ withClient }, { seedStore }] = await Promise.all([import('../remote/apiCalls.js'), import('./seed.js')]);
  const { store, sandbox, channel } = demo;
  const place = {
    workspaceId: store.workspaceId,
    sandboxUrl: sandbox.baseUrl,
    phoneNumberId: channel.phoneNumberId,
    signal,
    execute,
  };
  return withClient({ baseUrl: address, key: store.secretKey }, (client) => seedStore({ ...place, client }));
}

async function seeded(unseeded: UnseededDemo, log: Log, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  try {
    const made = await fill(unseeded, signal);
    log.info({ ...made, ms: Math.round(performance.now() - startedAt) }, 'demo store filled');
  } catch (error) {
    // The next start continues.
    if (signal.aborted) return;
    if (!(error instanceof DomainError) || error.code !== 'already_seeded')
      log.warn({ err: error }, "demo store incomplete, run 'suuq seed' to continue");
  }
  unseeded.done();
}

/** Starts in the background. A stop interrupts the seeding; the next start continues it. */
export const seedBehind: Seeding = (unseeded, log) => {
  const stopping = new AbortController();
  const work = seeded(unseeded, log, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await work;
    },
  };
};
