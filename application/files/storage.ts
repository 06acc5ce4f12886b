/** Storage limit of a store's plan, and its content: counted when it has arrived, and released when nothing refers to it. */
import { checkRoom, contentOf, recordContent, releaseContent, storage } from '../../domain/files/storage.js';
import type { StoredContent } from '../../domain/files/storageEvents.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Features } from '../access/principal.js';

/** Limit feature of a plan: total bytes of a store's files and recordings. */
const STORAGE_FEATURE = 'storage.bytes.max';
/** Default if the plan does not contain the feature. A plan that contains it without a number sets no limit. */
const DEFAULT_STORAGE_BYTES = 10 * 1024 * 1024 * 1024;

/** Returns the maximum bytes for a store with these features. Undefined: no limit. */
export const storageLimit = (features: Features): number | undefined =>
  features.has(STORAGE_FEATURE) ? features.limit(STORAGE_FEATURE) : DEFAULT_STORAGE_BYTES;

export interface StorePlace {
  readonly commands: BoundCommands;
  readonly workspaceId: string;
}

/** Refuses `plan_limit_reached` if not even one byte fits. Call it before receiving bytes. */
export async function checkStorage(
  { commands, workspaceId }: { readonly commands: Pick<BoundCommands, 'query'>; readonly workspaceId: string },
  most: number | undefined,
): Promise<void> {
  await commands.query(storage, workspaceId, (state) => checkRoom(state, 1, most));
}

/**
 * Records a reference to received content. Returns its content id: `contentId`, or that of equal bytes which the store had already. Then
 * the received content can be deleted. Refuses `plan_limit_reached`: then too.
 */
export async function recordReceived(
  { commands, workspaceId }: StorePlace,
  content: StoredContent,
  most: number | undefined,
): Promise<string> {
  await commands.decide(storage, workspaceId, recordContent(content, most));
  return (await commands.query(storage, workspaceId, contentOf(content.by))) ?? content.contentId;
}

/** Releases a removed file or recording. The processor `files` deletes content that nothing refers to any more. */
export async function releaseBytes({ commands, workspaceId }: StorePlace, by: string): Promise<void> {
  await commands.decide(storage, workspaceId, releaseContent(by));
}
