/** The file store that the settings name. */
import { basename, resolve } from 'node:path';
import type { FileStore } from '../../application/ports/fileStore.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import type { Log } from '../log.js';
import type { Settings } from '../settings.js';

/** `alone`: no other process writes into the folder. Rejects with what keeps the folder from being made. */
export async function openFileStore({ files }: Pick<Settings, 'files'>, alone: boolean): Promise<FileStore> {
  if ('folder' in files) return openFolderFiles({ folder: files.folder, alone });
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
