/** A file of a store: what it is, and where its bytes are. It never changes. Events: fileEvents.ts. */
import type { Aggregate, Decision } from '../decider.js';
import { defined } from '../defined.js';
import type { FileEvent, FileRecord } from './fileEvents.js';

// State ---------------------------------------------------------------------------------------------------------------
export interface StoredRecord extends FileRecord {
  readonly workspaceId: string | undefined;
  /** RFC 3339. */
  readonly createdAt: string;
  /** The member who brought it; undefined for keys and customers. */
  readonly uploadedBy?: string;
}
/** Undefined: there is none. */
export type File = StoredRecord | undefined;

export const file: Aggregate<File, FileEvent> = {
  name: 'file',
  initial: () => undefined,
  evolve: (before, { data, meta }) =>
    before ?? {
      ...data,
      workspaceId: meta.workspaceId,
      createdAt: meta.at,
      ...defined({ uploadedBy: meta.actor.type === 'member' ? meta.actor.id : undefined }),
    },
  weigh: () => 600,
};

// Decisions -----------------------------------------------------------------------------------------------------------
/** The first one stays: a repeated command changes nothing. */
export const storeFile =
  (record: FileRecord): Decision<File, FileEvent> =>
  (before) =>
    before === undefined ? [{ type: 'FileStored', data: record }] : [];
