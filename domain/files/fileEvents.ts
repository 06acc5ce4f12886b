/** Stored for ever: files of a store, stream `file-{fileId}`. Add fields as optional. */
import type { MediaKind } from '../channel/conversationEvents.js';
import type { DomainEvent } from '../decider.js';

export interface FileRecord {
  /** For people, with an ending; at most 240 characters. */
  readonly name: string;
  /** What the bytes are, whatever was said of them. */
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  readonly kind: MediaKind;
  /** Where the bytes are in the file store: `{workspaceId}/{contentId}`. */
  readonly contentId: string;
  /** Whether a person or program of the store brought it, or a customer's message. */
  readonly source: 'upload' | 'channel';
}

export type FileEvent = DomainEvent<'FileStored', FileRecord>;
