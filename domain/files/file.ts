/** A file of a store: what it is, where its bytes are, and whether it stays. Events: fileEvents.ts. */
import { type Aggregate, type Decision, refuse } from '../decider.js';
import { defined } from '../defined.js';
import type { FileEvent, FileRecord, FileRemoval, FileUse } from './fileEvents.js';

// State ---------------------------------------------------------------------------------------------------------------
export interface StoredRecord extends FileRecord {
  readonly workspaceId: string | undefined;
  /** RFC 3339. */
  readonly createdAt: string;
  /** The member who brought it; undefined for keys and customers. */
  readonly uploadedBy?: string;
  /** Something carries it, or did. Only of a temporary one. */
  readonly isUsed?: true;
  readonly isRemoved?: true;
}
/** Undefined: there was none. */
export type File = StoredRecord | undefined;

export const file: Aggregate<File, FileEvent> = {
  name: 'file',
  initial: () => undefined,
  evolve(before, event) {
    switch (event.type) {
      case 'FileStored': {
        const { workspaceId, at: createdAt, actor } = event.meta;
        const uploadedBy = actor.type === 'member' ? actor.id : undefined;
        return before ?? { ...event.data, workspaceId, createdAt, ...defined({ uploadedBy }) };
      }
      case 'FileUsed':
        return before && { ...before, isUsed: true };
      case 'FileRemoved':
        return before && { ...before, isRemoved: true };
    }
  },
  weigh: () => 600,
};

/** How long an upload may be left unused, in ms. */
export const UNUSED_MS = 24 * 3_600_000;

/** The file, if it is that store's and was not removed. */
export const fileIn = (state: File, workspaceId: string): StoredRecord | undefined =>
  state?.workspaceId === workspaceId && !state.isRemoved ? state : undefined;

// Decisions -----------------------------------------------------------------------------------------------------------
type Decide = Decision<File, FileEvent>;

/** The first one stays: a repeated command changes nothing, and what was removed does not come back. */
export const storeFile =
  (record: FileRecord, conversationId?: string): Decide =>
  (before) =>
    before === undefined ? [{ type: 'FileStored', data: { ...record, ...defined({ conversationId }) } }] : [];

/** Something is about to carry it: from now on it stays. Refuses `not_found`. */
export const useFile =
  (workspaceId: string, use: FileUse): Decide =>
  (state) => {
    const found = fileIn(state, workspaceId) ?? refuse('not_found', 'The store has no such file.');
    return found.temporary && !found.isUsed ? [{ type: 'FileUsed', data: { use } }] : [];
  };

/** The store deletes it, whatever carries it. Refuses `not_found`. */
export const deleteFile =
  (workspaceId: string): Decide =>
  (state) => {
    if (fileIn(state, workspaceId) === undefined) refuse('not_found', 'The store has no such file.');
    return removed('asked');
  };

/** Deletes the file of a customer who was forgotten, if it is there. */
export const eraseFile =
  (workspaceId: string): Decide =>
  (state) =>
    fileIn(state, workspaceId) === undefined ? [] : removed('asked');

/** An upload that nothing came to use. */
export const removeUnused: Decide = (state) =>
  state?.temporary && !state.isUsed && !state.isRemoved ? removed('unused') : [];

const removed = (reason: FileRemoval): FileEvent[] => [{ type: 'FileRemoved', data: { reason } }];
