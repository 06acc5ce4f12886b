/** Decisions on a store's recordings. State and events: recordings.ts. */

import { type Decision, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { STALE_CHANGE } from '../hold.js';
import type { RecordingEvent, RecordingFailureCode, RecordingTerms } from './recordingEvents.js';
import type { Recording, Recordings } from './recordings.js';

type Decide = Decision<Recordings, RecordingEvent>;

/** Maximum recordings of a store whose plan has no limit, without the defaults. */
export const MAX_RECORDINGS = 1000;
export const MAX_RECORDING_NAME = 120;

/** A default recording of the store. It exists before any event about it. */
export interface DefaultRecording extends RecordingTerms {
  readonly id: string;
}

/** Target of a command. `fallback`: its terms if it is a default recording. */
export interface Named {
  readonly recordingId: string;
  readonly fallback?: DefaultRecording | undefined;
}

const noSuch = (recordingId: string): never => refuse('not_found', `The store has no recording ${recordingId}.`);

/** Returns the recording, and the event that must precede the first event about a default recording. */
function named({ all }: Recordings, { recordingId, fallback }: Named) {
  const known = all.get(recordingId);
  if (known !== undefined) return { recording: known, before: [] };
  if (fallback === undefined) return noSuch(recordingId);
  const { id, ...terms } = fallback;
  const before: RecordingEvent[] = [{ type: 'RecordingAdded', data: { recordingId: id, ...terms, isDefault: true } }];
  const recording: Recording = { id, ...terms, isDefault: true, takes: 0, pending: new Map() };
  return { recording, before };
}

/** Number of recordings that count toward the plan's limit. (Specification 2, 'Recordings'.) */
export function countOf({ all }: Recordings): number {
  let count = 0;
  for (const { isDefault } of all.values()) if (!isDefault) count += 1;
  return count;
}

export interface Upload {
  readonly uploadId: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Adds a recording whose file is being uploaded. Repeating the command changes nothing. `most`: limit of the plan, undefined without one.
 * Refuses `plan_limit_reached` and `recording_limit_reached`.
 */
export const addRecording =
  (recordingId: string, terms: RecordingTerms, upload: Upload, most: number | undefined): Decide =>
  (state) => {
    if (state.all.has(recordingId)) return [];
    const count = countOf(state);
    if (most !== undefined && count >= most)
      refuse(
        'plan_limit_reached',
        `The plan allows ${most} recordings in addition to the defaults, and the store has ${count}.`,
      );
    if (count >= MAX_RECORDINGS)
      refuse('recording_limit_reached', `The store has reached the limit of ${MAX_RECORDINGS} recordings.`);
    return [
      { type: 'RecordingAdded', data: { recordingId, ...terms } },
      { type: 'RecordingUploaded', data: { recordingId, ...upload } },
    ];
  };

/** Replaces a recording's file. The previous file plays until the new one is ready. Refuses `not_found`. */
export const replaceAudio =
  (which: Named, upload: Upload): Decide =>
  (state) => {
    const { recording, before } = named(state, which);
    if (recording.processing === upload.uploadId || recording.playing === upload.uploadId) return [];
    const instead = defined({ instead: recording.processing });
    return [...before, { type: 'RecordingUploaded', data: { recordingId: recording.id, ...upload, ...instead } }];
  };

/** Outcome of an upload. `durationMs` of the audio, `size` in bytes. */
export type UploadOutcome =
  | { readonly mimeType: string; readonly durationMs: number; readonly size: number }
  | { readonly code: RecordingFailureCode; readonly reason: string };

/** Records the outcome of an upload. No event if the upload is done, or is not the last one any more. */
export const finishUpload =
  (recordingId: string, uploadId: string, outcome: UploadOutcome): Decide =>
  ({ all }) => {
    const recording = all.get(recordingId);
    if (recording?.processing !== uploadId) return [];
    if ('code' in outcome) return [{ type: 'RecordingFailed', data: { recordingId, uploadId, ...outcome } }];
    const before = defined({ before: recording.playing });
    return [{ type: 'RecordingReady', data: { recordingId, uploadId, ...outcome, ...before } }];
  };

/** Returns true if the file store must retain an upload: it plays, or is being processed. */
export const isInUse =
  (recordingId: string, uploadId: string) =>
  ({ all }: Recordings): boolean => {
    const recording = all.get(recordingId);
    return recording?.processing === uploadId || recording?.playing === uploadId;
  };

/** Renames a recording. Refuses `not_found`. */
export const renameRecording =
  (which: Named, name: string): Decide =>
  (state) => {
    const { recording, before } = named(state, which);
    if (recording.name === name) return [];
    return [...before, { type: 'RecordingRenamed', data: { recordingId: recording.id, name, before: recording.name } }];
  };

/**
 * Removes a recording. `takes`: value at which no team used it or was about to. Refuses `stale_change` if a team has begun to use it since,
 * `not_found`, and `default_recording` for default recordings.
 */
export const removeRecording =
  (which: Named, takes: number): Decide =>
  (state) => {
    const { recording } = named(state, which);
    const { id: recordingId, name, kind, language, processing, playing } = recording;
    if (recording.isDefault)
      refuse('default_recording', 'A default recording cannot be removed; its sound can be replaced.');
    if (recording.takes !== takes) refuse(STALE_CHANGE, 'A team now uses the recording.');
    const uploads = [processing, playing].filter((uploadId) => uploadId !== undefined);
    const spoken = defined({ language });
    return [{ type: 'RecordingRemoved', data: { recordingId, name, kind, ...spoken, uploads } }];
  };

/** Reserves recordings for a team's change. Refuses `not_found` if one is missing. */
export const takeRecordings =
  (recordingIds: readonly string[], by: string, attempt: string): Decide =>
  ({ all }) =>
    recordingIds.flatMap((recordingId): RecordingEvent[] => {
      const recording = all.get(recordingId) ?? noSuch(recordingId);
      return recording.pending.has(attempt) ? [] : [{ type: 'RecordingTaken', data: { recordingId, by, attempt } }];
    });

/** Ends the reservation after the change was stored or abandoned. */
export const freeRecordings =
  (recordingIds: readonly string[], attempt: string): Decide =>
  ({ all }) =>
    recordingIds
      .filter((recordingId) => all.get(recordingId)?.pending.has(attempt))
      .map((recordingId) => ({ type: 'RecordingFreed', data: { recordingId, attempt } }));
