import type { ProcessorRuntime } from '../../application/processors/runtime.js';
import type { ReadinessCheck } from '../http/health.js';
import type { Instance } from './instance.js';

/** What must work before requests are sent here. A projection that catches up is not ready; one that has stopped is named. */
export function readinessChecks(instance: Instance, processors: ProcessorRuntime): readonly ReadinessCheck[] {
  return [
    {
      name: 'event store',
      check: async () => void (await instance.eventStore.head()),
    },
    {
      name: 'projections',
      async check() {
        const stopped = (await instance.projections.status()).filter(({ state }) => state === 'stopped');
        return stopped.length === 0 ? undefined : `stopped: ${stopped.map(({ name }) => name).join(', ')}`;
      },
    },
    {
      name: 'processors',
      check() {
        const failed = processors.status().filter(({ state }) => state === 'failed');
        return failed.length === 0 ? undefined : `stopped: ${failed.map(({ name }) => name).join(', ')}`;
      },
    },
  ];
}
