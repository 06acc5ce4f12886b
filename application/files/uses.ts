/** Marks files as used, so that they are retained. */
import { refuse } from '../../domain/decider.js';
import { file, useFile } from '../../domain/files/file.js';
import type { FileUse } from '../../domain/files/fileEvents.js';
import { isRefusal } from '../../domain/refusals.js';
import type { StorePlace } from './storage.js';

/** Call it right before the command. Refuses `validation_failed`, with the location `at`, for a file that was removed meanwhile. */
export async function useFiles(
  { commands, workspaceId }: StorePlace,
  fileIds: readonly string[],
  use: FileUse,
  at: string,
): Promise<void> {
  for (const fileId of new Set(fileIds.map((id) => id.toLowerCase())))
    try {
      await commands.decide(file, fileId, useFile(workspaceId, use));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const message = 'The store has no such file: upload it first.';
      refuse('validation_failed', message, [{ message, location: at, value: fileId }]);
    }
}
