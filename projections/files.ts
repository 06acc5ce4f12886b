import type { FileEvent, FileRecord } from '../domain/files/fileEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

/** The API's `FileBody`. */
export interface FileBody extends Pick<FileRecord, 'name' | 'mimeType' | 'size' | 'kind' | 'sha256'> {
  readonly id: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** One document a file, `{workspaceId}/{fileId}`: another store's id names nothing. */
export const files = defineProjection<FileBody, FileEvent>({
  name: 'files',
  version: 2,
  partitionedBy: 'store',
  perStream: true,
  categories: ['file'],
  keys: { workspaceId: 'text', createdAt: 'text' },
  indexes: [{ keys: ['workspaceId', '-createdAt'] }],
  on: {
    FileStored: {
      ids: ({ meta, streamId }) => [`${meta.workspaceId}/${streamId}`],
      evolve(_, { data: { name, mimeType, size, kind, sha256 }, meta, streamId }) {
        const body = { id: streamId, name, mimeType, size, kind, sha256, createdAt: meta.at };
        return { keys: { workspaceId: meta.workspaceId ?? null, createdAt: meta.at }, body };
      },
    },
    FileRemoved: { ids: ({ meta, streamId }) => [`${meta.workspaceId}/${streamId}`], evolve: () => undefined },
  },
});
