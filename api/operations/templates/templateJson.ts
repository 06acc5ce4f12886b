import { refuse } from '../../../domain/decider.js';
import type { StoredDocument } from '../../../engine/ports/documents.js';
import { templateSyncs } from '../../../projections/templateSyncs.js';
import { templates } from '../../../projections/templates.js';
import { Json, type RequestReads } from '../../contract/operation.js';

/** As it is answered: compared with the provider since the provider has it, or not yet. */
export function shown({ keys, json }: StoredDocument, syncedAt: string | undefined): string {
  const compared =
    syncedAt !== undefined && typeof keys.knownSince === 'number' && keys.knownSince <= Date.parse(syncedAt);
  return compared ? `${json.slice(0, -1)},"syncedAt":${JSON.stringify(syncedAt)}}` : json;
}

/** Read before the templates that are answered with it: `syncedAt` never promises more than they show. */
export const syncOf = async (read: RequestReads, workspaceId: string) =>
  (await read.get(templateSyncs, workspaceId))?.body;

/** The template as the store sees it, or the end of the request: `not_found`, also for another store's. */
export async function templateOf(read: RequestReads, workspaceId: string, id: string) {
  const row = await read.get(templates, `${workspaceId}/${id}`);
  return row ?? refuse('not_found', 'The store has no such message template.');
}

/** The template as it is answered after a change, or `not_found`. */
export async function answered(read: RequestReads, workspaceId: string, id: string): Promise<Json> {
  const synced = await syncOf(read, workspaceId);
  return new Json(shown(await templateOf(read, workspaceId, id), synced?.syncedAt));
}
