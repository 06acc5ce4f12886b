/** The file store that the settings name. */
import { basename, resolve, sep } from 'node:path';
import type { FileStore } from '../../application/ports/fileStore.js';
import type { Log } from '../../engine/ports/log.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import type { Settings } from '../settings/settings.js';

/** `alone`: no other process uses the data folder. Rejects with what keeps the folder of files from being made. */
export async function openFileStore(settings: Pick<Settings, 'files' | 'data'>, alone: boolean): Promise<FileStore> {
  const { files, data } = settings;
  if ('folder' in files) {
    // A folder elsewhere may be shared by mistake: what others write there is left alone.
    const isOurs = resolve(files.folder).startsWith(resolve(data) + sep);
    return openFolderFiles({ folder: files.folder, alone: alone && isOurs });
  }
  // The SDK is loaded only where it is used: it takes a tenth of a second.
  const { openS3Files } = await import('../../infrastructure/files/s3Files.js');
  return openS3Files(files);
}

/** For people, without anything secret and without the paths of this machine. */
export const fileStoreName = ({ files }: Pick<Settings, 'files'>): string =>
  'folder' in files ? `folder ${basename(resolve(files.folder))}` : `bucket ${files.bucket}`;

/** Files that one instance stores are read by the others. */
export function warnOfOwnFolder({ files }: Pick<Settings, 'files'>, log: Log): void {
  if ('folder' in files)
    log.warn(
      { folder: resolve(files.folder) },
      'files are kept in a folder, which all instances must share; set SUUQ_FILES to a bucket where they cannot',
    );
}
