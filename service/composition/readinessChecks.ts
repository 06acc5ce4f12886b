import type { ReadinessCheck } from '../../api/http/health.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import { engineChecks, engineStates } from '../engines/engineStates.js';
import { fileStoreName } from '../engines/engines.js';
import type { Instance } from './instance.js';
import { buildingOf } from './viewsBuilding.js';

const isHere = ({ owner }: ProjectionStatus): boolean => owner === undefined;

/** The engines for people, by what they are for; one that is away is told. */
export async function engineNames(instance: Instance): Promise<Readonly<Record<string, string>>> {
  const { events, documents } = instance.engines;
  const [store, models, files] = await engineStates(instance);
  const told = (name: string, ok: boolean | undefined): string => (ok ? name : `${name} (does not answer)`);
  return {
    'Event store': told(events.name, store?.ok),
    'Read models': told(documents.name, models?.ok),
    Files: told(fileStoreName(instance.settings), files?.ok),
  };
}

/**
 * What must work before requests are sent here. A projection that has stopped is named by the instance that runs it: the
 * others can go on.
 */
export function readinessChecks(instance: Instance, processors: ProcessorRuntime): readonly ReadinessCheck[] {
  return [
    ...engineChecks(instance),
    {
      name: 'projections',
      async check() {
        const all = await instance.projections.status();
        const stopped = all.filter((one) => one.state === 'stopped' && isHere(one));
        if (stopped.length > 0) return `stopped: ${stopped.map(({ name }) => name).join(', ')}`;
        const building = buildingOf(all);
        if (building === undefined) return undefined;
        const { names, of, percent } = building;
        return { detail: `being built: ${names.length} of ${of} cannot be read yet, ${percent} % done`, percent };
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
