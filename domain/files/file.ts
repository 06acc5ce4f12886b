/** A file of a store: its type, the location of its bytes, and its lifetime. Events: fileEvents.ts. */
import { type Aggregate, type Decision, refuse } from '../decider.js';
import { defined } from '../defined.js';
import type { FileEvent, FileRecord, FileRemoval, FileUse } from './fileEvents.js';

// State ---------------------------------------------------------------------------------------------------------------
export interface StoredRecord extends FileRecord {
  readonly workspaceId: string | undefined;
  /** RFC 3339. */
  readonly createdAt: string;
  /** The member who uploaded it. Undefined for keys and customers. */
  readonly uploadedBy?: string;
  /** Set once a message or a template uses a temporary file. */
  readonly isUsed?: true;
  readonly isRemoved?: true;
}
/** Undefined: no such file. */
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

/** Time in ms after which an unused upload is removed. */
export const UNUSED_MS = 24 * 3_600_000;

/** Returns the file if it belongs to the store and was not removed. */
export const fileIn = (state: File, workspaceId: string): StoredRecord | undefined =>
  state?.workspaceId === workspaceId && !state.isRemoved ? state : undefined;

// Decisions -----------------------------------------------------------------------------------------------------------
type Decide = Decision<File, FileEvent>;

/** Stores the file once. Repeated commands change nothing, and a removed file does not come back. */
export const storeFile =
  (record: FileRecord, conversationId?: string): Decide =>
  (before) =>
    before === undefined ? [{ type: 'FileStored', data: { ...record, ...defined({ conversationId }) } }] : [];

/** Retains a temporary file, since a message or a template is about to use it. Refuses `not_found`. */
export const useFile =
  (workspaceId: string, use: FileUse): Decide =>
  (state) => {
    const found = fileIn(state, workspaceId) ?? refuse('not_found', 'The store has no such file.');
    return found.temporary && !found.isUsed ? [{ type: 'FileUsed', data: { use } }] : [];
  };

/** Deletes the file, even if something uses it. Refuses `not_found`. */
export const deleteFile =
  (workspaceId: string): Decide =>
  (state) => {
    if (fileIn(state, workspaceId) === undefined) refuse('not_found', 'The store has no such file.');
    return removed('asked');
  };

/** Deletes the file of an erased customer, if it exists. */
export const eraseFile =
  (workspaceId: string): Decide =>
  (state) =>
    fileIn(state, workspaceId) === undefined ? [] : removed('asked');

/** Removes an upload that was never used. */
export const removeUnused: Decide = (state) =>
  state?.temporary && !state.isUsed && !state.isRemoved ? removed('unused') : [];

const removed = (reason: FileRemoval): FileEvent[] => [{ type: 'FileRemoved', data: { reason } }];
