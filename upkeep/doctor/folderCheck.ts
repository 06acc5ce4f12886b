/** The data folder: whether it is there, whose it is, who may read it, and what was begun in it and not ended. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../engine/messageOf.js';
import { openToOthers } from '../../infrastructure/files/privateFolder.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { firstFile, isShared } from '../../service/engines/engines.js';
import { damagedIn } from '../../service/folder/damageCheck.js';
import { RESTORE_MARK } from '../../service/folder/dataFolder.js';
import { FOLDER_FORMAT, storedFormat } from '../../service/folder/folderFormat.js';
import type { Settings } from '../../service/settings/settings.js';
import { leftOvers } from '../backup/backupLocations.js';
import { type Check, type Found, ok, problem, warning } from './finding.js';

/** Foreign files in the folder are not checked. */
const NEEDED = ['events.db', 'views.db', 'work.db', 'master.key'];

function rights(folder: string): Found[] {
  const found: Found[] = [];
  const owner = statSync(folder).uid;
  const user = process.getuid?.();
  if (user !== undefined && owner !== user)
    found.push(
      warning(
        'folder_of_another_user',
        `${folder} belongs to the user with the id ${owner}, but this command runs as ${user}.`,
        'Run the service and its commands as the same user, and make that user the owner of the folder.',
      ),
    );
  const shut = ['.', ...NEEDED.filter((name) => existsSync(join(folder, name)))].filter(
    (name) => !isUsable(join(folder, name)),
  );
  if (shut.length > 0)
    found.push(
      problem(
        'folder_unusable',
        `This user may not read and write ${shut.join(', ')} in ${folder}.`,
        'Change their owner to the user that the service runs as.',
      ),
    );
  const open = openToOthers(folder);
  if (open.length > 0)
    found.push(
      warning(
        'open_to_others',
        `Other users of this machine can access ${open.join(', ')} in ${folder}.`,
        "The next start fixes the permissions of the service's own files. Use a separate folder with mode 0700.",
      ),
    );
  return found;
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function unfinished(folder: string): Found[] {
  const found: Found[] = [];
  if (existsSync(join(folder, RESTORE_MARK)))
    found.push(
      problem(
        'restore_unfinished',
        `A restore into ${folder} was interrupted. The service does not start on it.`,
        "Repeat the same 'suuq restore': it starts from the beginning.",
      ),
    );
  const stored = storedFormat(folder);
  if (stored !== undefined && stored.format > FOLDER_FORMAT)
    found.push(
      problem(
        'newer_data_folder',
        `The data folder was written by release ${stored.release}, in format ${stored.format}; but this release supports formats up to ${FOLDER_FORMAT}.`,
        `Run release ${stored.release} or newer, or restore a backup from before the upgrade.`,
      ),
    );
  const left = leftOvers(folder);
  if (left.length > 0)
    found.push(
      warning(
        'left_over',
        `An interrupted backup or verification left ${left.join(', ')} in ${folder}.`,
        'The next run removes it. You can also remove it by hand.',
      ),
    );
  return found;
}

/** The keys of sealed secrets, where they lie in the folder. None is made. */
function keys(folder: string, { masterKeys }: Pick<Settings, 'masterKeys'>): Found[] {
  if (masterKeys !== undefined) return [];
  if (!existsSync(join(folder, 'master.key')))
    return existsSync(join(folder, 'events.db'))
      ? [
          problem(
            'master_key_missing',
            `${folder} holds events, but no master.key to decrypt their secrets.`,
            'Restore it from your backup, or set SUUQ_MASTER_KEY.',
          ),
        ]
      : [];
  try {
    loadMasterKeys(folder);
    return [];
  } catch (error) {
    return [
      problem('master_key_unusable', `master.key cannot be used: ${messageOf(error)}`, 'Restore the right file.'),
    ];
  }
}

/** `folder`: absolute. */
export const folderCheck = (folder: string, settings: Settings): Check => ({
  name: 'folder',
  async run() {
    if (!existsSync(folder))
      return isShared(settings)
        ? [ok('folder_not_needed', `${folder} is created by the first start, and only contains a cache.`)]
        : [noInstallation(folder)];
    const installed = isShared(settings) || existsSync(join(folder, firstFile(settings)));
    const isEmpty = readdirSync(folder).length === 0;
    const found = [
      ...(installed || isEmpty ? rights(folder) : []),
      ...unfinished(folder),
      ...damagedIn(folder).map(({ code, sentence, remedy }) => problem(code, sentence, remedy)),
      ...(installed ? keys(folder, settings) : [noInstallation(folder)]),
    ];
    return found.length > 0 ? found : [ok('folder_right', `${folder} is private to this user and complete.`)];
  },
});

const noInstallation = (folder: string): Found =>
  warning(
    'no_installation',
    `There is no installation in ${folder}.`,
    "Set SUUQ_DATA to your data folder. 'suuq start' creates a new installation.",
  );
