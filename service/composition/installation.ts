/** What is asked of an installation as a whole: who runs, on which engines, with how much room. */

import { systemClock } from '../../engine/ports/clock.js';
import { spaceOf } from '../../infrastructure/files/freeSpace.js';
import type { InstallationFacts } from '../admin/context.js';
import type { Settings } from '../settings/settings.js';
import { type Engines, engineStates } from './engineStates.js';
import { fileStoreName, foldersOf } from './engines.js';
import { type InstanceFacts, presentNow } from './presence.js';

/** `self`: the service in this process; absent for a command on its own. */
export function installationOf(
  opened: Engines & { readonly settings: Settings },
  self?: InstanceFacts,
): InstallationFacts {
  const { settings, engines } = opened;
  return {
    async instances() {
      const present = await presentNow(engines.documents.work, systemClock);
      return self === undefined || present.some(({ name }) => name === self.name) ? present : [...present, self];
    },
    async engines() {
      const [events, documents, files] = await engineStates(opened);
      return [
        { ...events!, engine: engines.events.name },
        { ...documents!, engine: engines.documents.name },
        { ...files!, engine: fileStoreName(settings) },
      ];
    },
    settings: settings.inForce,
    disks: () =>
      Promise.all(
        Object.entries(foldersOf(settings)).map(async ([name, folder]) => ({
          name,
          // Where a file system does not say, nothing is told.
          ...(await spaceOf(folder).catch(() => ({}))),
        })),
      ),
  };
}
