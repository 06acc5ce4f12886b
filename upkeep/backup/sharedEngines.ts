import { refuse } from '../../domain/decider.js';
import type { BackupSettings } from '../../service/settings/backupSettings.js';

/** Refuses `engine_has_its_own` where the log or the documents are on a server: a copy of the folder would hold neither. */
export function refuseShared({ eventStore, documents }: BackupSettings, what: 'backed up' | 'restored'): void {
  const tools = what === 'backed up' ? 'mongodump' : 'mongorestore';
  const named = [
    ...(documents === undefined ? [] : [`MongoDB at ${documents} with ${tools} (only work… is needed), first`]),
    ...(eventStore === undefined
      ? []
      : [
          `EventStoreDB at ${eventStore} with its own file-copy or disk-snapshot backup${documents === undefined ? '' : ', after it'}`,
        ]),
  ];
  if (named.length > 0)
    refuse(
      'engine_has_its_own',
      `This installation is not only in its data folder, so it is ${what} with the engines' own tools: ${named.join('; ')}.`,
    );
}
