import { StoreUnavailable } from '../../application/ports/eventStore.js';
import type { ProcessorRuntime } from '../../application/processors/runtime.js';
import type { ProjectionStatus } from '../../projections/runtime/status.js';
import type { ReadinessCheck } from '../http/health.js';
import type { Instance } from './instance.js';

/** Why an engine cannot be used now, without a password; undefined when it can. */
async function trouble(name: string, ask: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    return error instanceof StoreUnavailable ? `${name} does not answer` : `${name} does not work`;
  }
}

const isHere = ({ owner }: ProjectionStatus): boolean => owner === undefined;

/**
 * What must work before requests are sent here. A projection that has stopped is named by the instance that runs it: the
 * others can go on.
 */
export function readinessChecks(instance: Instance, processors: ProcessorRuntime): readonly ReadinessCheck[] {
  const { engines, services } = instance;
  return [
    {
      name: 'event store',
      check: () => trouble(engines.events.name, () => instance.eventStore.head()),
    },
    {
      name: 'read models',
      check: () => trouble(engines.documents.name, () => services.work.checkpoint('readiness')),
    },
    {
      name: 'projections',
      async check() {
        const stopped = (await instance.projections.status()).filter((one) => one.state === 'stopped' && isHere(one));
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
