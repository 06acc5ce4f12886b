/** What a store's plan lets it keep, and its bytes: counted when they have come, and freed when nothing needs them. */
import { checkRoom, contentOf, keepContent, releaseContent, storage } from '../../domain/files/storage.js';
import type { KeptContent } from '../../domain/files/storageEvents.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Features } from '../access/principal.js';

/** Limit feature of a plan: bytes of files and recordings that a store may have in all. */
const STORAGE_FEATURE = 'storage.bytes.max';
/** Where the plan does not name it. A plan that names it without a number sets no limit. */
const DEFAULT_STORAGE_BYTES = 10 * 1024 * 1024 * 1024;

/** Most bytes that a store on this plan may have; undefined without a limit. */
export const storageLimit = (features: Features): number | undefined =>
  features.has(STORAGE_FEATURE) ? features.limit(STORAGE_FEATURE) : DEFAULT_STORAGE_BYTES;

export interface StorePlace {
  readonly commands: BoundCommands;
  readonly workspaceId: string;
}

/** Before bytes come: refuses `plan_limit_reached` when there is no room for a single one more. */
export async function checkStorage(
  { commands, workspaceId }: { readonly commands: Pick<BoundCommands, 'query'>; readonly workspaceId: string },
  most: number | undefined,
): Promise<void> {
  await commands.query(storage, workspaceId, (state) => checkRoom(state, 1, most));
}

/**
 * Bytes that have come are needed from now on. Answers where they are: under `contentId`, or where the store had the same
 * ones already; then what came can go. Refuses `plan_limit_reached`: then it can go too.
 */
export async function keepBytes(
  { commands, workspaceId }: StorePlace,
  content: KeptContent,
  most: number | undefined,
): Promise<string> {
  await commands.decide(storage, workspaceId, keepContent(content, most));
  return (await commands.query(storage, workspaceId, contentOf(content.by))) ?? content.contentId;
}

/** A file or the upload of a recording is gone; the processor `files` removes bytes that nothing needs any more. */
export async function releaseBytes({ commands, workspaceId }: StorePlace, by: string): Promise<void> {
  await commands.decide(storage, workspaceId, releaseContent(by));
}
