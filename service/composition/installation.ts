/** Facts about an installation as a whole: its instances, engines and free space. */

import { defined } from '../../domain/defined.js';
import { systemClock } from '../../engine/ports/clock.js';
import { isStoreFailure } from '../../engine/storeFailures.js';
import { spaceOf } from '../../infrastructure/files/freeSpace.js';
import type { InstallationFacts, RunningProcessor } from '../admin/context.js';
import { type Engines, engineStates } from '../engines/engineStates.js';
import { fileStoreName, foldersOf, isShared } from '../engines/engines.js';
import type { Settings } from '../settings/settings.js';
import type { DamageWatch } from './damageWatch.js';
import { type InstanceFacts, presentNow } from './presence.js';

/** A store that is unavailable knows of no instances: this one is shown, with what it waits for. */
function nobodyUntilItAnswers(error: unknown): [] {
  if (isStoreFailure(error)) return [];
  throw error;
}

/** `self`: the service in this process; absent for a command on its own. */
export function installationOf(
  opened: Engines & { readonly settings: Settings; readonly damage: DamageWatch },
  self?: () => InstanceFacts,
): InstallationFacts {
  const { settings, engines } = opened;
  /** Instances that are present, and the current state of this one. */
  async function all(): Promise<readonly InstanceFacts[]> {
    const present = await presentNow(engines.documents.work, systemClock).catch(nobodyUntilItAnswers);
    const here = self?.();
    if (here === undefined) return present;
    const others = present.filter(({ name }) => name !== here.name);
    return [...others, here].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  return {
    instances: async () => (await all()).map(({ processors: _, ...facts }) => facts),
    async processors() {
      const running = new Map<string, Omit<RunningProcessor, 'owner'> & { owners: string[] }>();
      for (const { name, processors = [] } of await all())
        for (const one of processors) {
          const { owners, effectsPerSecond, trouble } = running.get(one.name) ?? { owners: [], effectsPerSecond: 0 };
          const { error, since } = one.trouble ?? {};
          running.set(one.name, {
            owners: [...owners, name],
            effectsPerSecond: effectsPerSecond + one.effectsPerSecond,
            ...defined({
              trouble: error === undefined ? trouble : { error, since: new Date(since!).toISOString() },
            }),
          });
        }
      const reported = [...running].map(
        ([name, { owners, ...rest }]) =>
          [name, { ...(isShared(settings) && { owner: owners.join(', ') }), ...rest }] as const,
      );
      return new Map(reported);
    },
    async engines() {
      const [events, documents, files] = await engineStates(opened);
      return [
        { ...events!, engine: engines.events.name },
        { ...documents!, engine: engines.documents.name },
        { ...files!, engine: fileStoreName(settings) },
      ];
    },
    damaged: () => opened.damage.now(),
    settings: settings.inForce,
    disks: () =>
      Promise.all(
        Object.entries(foldersOf(settings)).map(async ([name, folder]) => ({
          name,
          // If a file system reports no size, it is omitted.
          ...(await spaceOf(folder).catch(() => ({}))),
        })),
      ),
  };
}
