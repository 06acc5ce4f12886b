/** The files that a message may carry. */
import type { Reads } from '../../engine/projections/reads.js';
import { type FileBody, files } from '../../projections/files.js';

/** Where a message is written. */
export interface FilePlace {
  readonly workspaceId: string;
  readonly read: Reads;
  /** Whether the writer may see the file; everybody may see all when absent. */
  readonly seesFile?: (fileId: string) => Promise<boolean>;
}

/** Undefined: the store has no such file, or the writer may not see it. */
export async function sendableFile(
  { workspaceId, read, seesFile }: FilePlace,
  fileId: string,
): Promise<FileBody | undefined> {
  const found = (await read.get(files, `${workspaceId}/${fileId.toLowerCase()}`))?.body;
  if (found === undefined || seesFile === undefined) return found;
  return (await seesFile(found.id)) ? found : undefined;
}
