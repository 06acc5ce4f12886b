/** Stored for ever: what calls play to customers, stream `recordings-{workspaceId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';

/** (Specification 2, 'Recordings'.) */
export type RecordingKind =
  | 'greeting'
  | 'option'
  | 'fallback_closed'
  | 'fallback_prayer'
  | 'fallback_missed'
  | 'hold'
  | 'custom';
export type RecordingLanguage = 'en' | 'so' | 'ar';
export type RecordingFailureCode = 'too_short' | 'too_long' | 'unreadable' | 'processing_error';

export interface RecordingTerms {
  readonly name: string;
  readonly kind: RecordingKind;
  /** Absent: it plays for any language. */
  readonly language?: RecordingLanguage;
}

export type RecordingEvent =
  /** `isDefault`: the store's fallback for its kind and language, which is there without it; told at its first change. */
  | DomainEvent<'RecordingAdded', RecordingTerms & { recordingId: string; isDefault?: true }>
  /**
   * A file is on its way, `size` in bytes; what played until now goes on playing. Its name in the file store is
   * `{workspaceId}/{uploadId}`. `instead`: an upload that was not done and is not wanted any more.
   */
  | DomainEvent<'RecordingUploaded', { recordingId: string; uploadId: string; size: number; instead?: string }>
  /** Calls play the upload from now on. `before`: the upload that they played until then. */
  | DomainEvent<
      'RecordingReady',
      { recordingId: string; uploadId: string; mimeType: string; durationMs: number; size: number; before?: string }
    >
  /** The upload is of no use; `reason` is written for the store. */
  | DomainEvent<
      'RecordingFailed',
      { recordingId: string; uploadId: string; code: RecordingFailureCode; reason: string }
    >
  | DomainEvent<'RecordingRenamed', { recordingId: string; name: string; before: string }>
  /** `uploads`: what the file store has of it. */
  | DomainEvent<'RecordingRemoved', RecordingTerms & { recordingId: string; uploads: readonly string[] }>
  /** A team (`by`) is about to use it; `attempt` names the change of the team. */
  | DomainEvent<'RecordingTaken', { recordingId: string; by: string; attempt: string }>
  /** That change is done or given up. */
  | DomainEvent<'RecordingFreed', { recordingId: string; attempt: string }>;
