/** Files that a message may contain. */
import type { Reads } from '../../engine/projections/reads.js';
import { type FileBody, files } from '../../projections/files.js';

/** Context in which a message is written. */
export interface FilePlace {
  readonly workspaceId: string;
  readonly read: Reads;
  /** Returns true if the author may see the file. Absent: everybody may see all files. */
  readonly seesFile?: (fileId: string) => Promise<boolean>;
}

/** Undefined: the store has no such file, or the author may not see it. */
export async function sendableFile(
  { workspaceId, read, seesFile }: FilePlace,
  fileId: string,
): Promise<FileBody | undefined> {
  const found = (await read.get(files, `${workspaceId}/${fileId.toLowerCase()}`))?.body;
  if (found === undefined || seesFile === undefined) return found;
  return (await seesFile(found.id)) ? found : undefined;
}
