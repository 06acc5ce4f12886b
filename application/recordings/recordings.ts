/** Adds, replaces, renames and removes recordings. (Specification 2, 'Recordings'.) */
import { members } from '../../domain/access/members.js';
import { defaultOf } from '../../domain/channel/defaultRecordings.js';
import {
  addRecording,
  MAX_RECORDING_NAME,
  removeRecording as remove,
  renameRecording as rename,
  replaceAudio,
  type UploadOutcome,
} from '../../domain/channel/recordingChanges.js';
import type { RecordingTerms } from '../../domain/channel/recordingEvents.js';
import { IN_FLIGHT_MS, recordings } from '../../domain/channel/recordings.js';
import { DomainError, refuse } from '../../domain/decider.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { recordReceived, releaseBytes } from '../files/storage.js';
import { untilCurrent } from '../holds.js';
import { FileTooLarge } from '../ports/fileStore.js';
import { MOST_BYTES, type SoundTools, storeAndRead, type UploadPlace } from './recordingUploads.js';
import { teamsUsing } from './recordingUses.js';

export interface RecordingContext {
  readonly commands: BoundCommands;
  readonly workspaceId: string;
  /** ms since 1970. */
  readonly now: number;
  /** Maximum bytes of all files and recordings by the plan. Undefined: no limit. */
  readonly storageMost?: number | undefined;
  /** The same name gives the same id when the command is repeated. */
  newId(name: string): string;
}

/** Counts the upload's bytes before they arrive, unless it is refused. Refuses `plan_limit_reached`. */
async function counted<T>(
  tools: SoundTools,
  { commands, workspaceId, storageMost }: RecordingContext,
  { recordingId, uploadId }: UploadPlace,
  size: number,
  begin: () => Promise<T>,
): Promise<T> {
  const needed = { by: uploadId, kind: 'recording', recordingId, contentId: uploadId, size } as const;
  await recordReceived({ commands, workspaceId }, needed, storageMost);
  try {
    return await begin();
  } catch (error) {
    // If the release fails, the processor `files` repeats it a day later.
    if (error instanceof DomainError)
      await releaseBytes({ commands, workspaceId }, uploadId).catch((trouble) => tools.trouble(trouble));
    throw error;
  }
}

/** An audio file being uploaded. `size` in bytes. */
export interface SoundFile {
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

function checkSize({ size }: SoundFile): void {
  if (size === 0) refuse('file_empty', 'The file is empty.');
  if (size > MOST_BYTES)
    refuse('file_too_large', `${new FileTooLarge(MOST_BYTES).message}, the most that a recording may have.`);
}

/** Returns the normalized name. Refuses `validation_failed`. */
export function recordingName(given: string): string {
  const name = given.trim();
  if (name === '' || [...name].length > MAX_RECORDING_NAME)
    refuse('validation_failed', `A recording's name has 1 to ${MAX_RECORDING_NAME} characters.`, [
      { message: `must be text of 1 to ${MAX_RECORDING_NAME} characters`, location: 'name', value: given },
    ]);
  return name;
}

/**
 * Adds a recording, which exists even if its file is invalid. `most`: limit of the plan. Refuses `plan_limit_reached`,
 * `recording_limit_reached`, `file_too_large`, `file_empty` and `validation_failed`.
 */
export async function createRecording(
  tools: SoundTools,
  context: RecordingContext,
  terms: RecordingTerms,
  file: SoundFile,
  most: number | undefined,
): Promise<{ readonly recordingId: string; readonly outcome: UploadOutcome | undefined }> {
  checkSize(file);
  const { commands, workspaceId, newId } = context;
  const place = { workspaceId, recordingId: newId('recording'), uploadId: newId('upload') };
  const upload = { uploadId: place.uploadId, size: file.size };
  const named = { ...terms, name: recordingName(terms.name) };
  await counted(tools, context, place, file.size, () =>
    commands.decide(recordings, workspaceId, addRecording(place.recordingId, named, upload, most)),
  );
  return { recordingId: place.recordingId, outcome: await storeAndRead(tools, commands, place, file.content) };
}

/** Replaces the file of a recording or a default. Refuses `not_found`, `plan_limit_reached`, `file_too_large` and `file_empty`. */
export async function replaceSound(
  tools: SoundTools,
  context: RecordingContext,
  recordingId: string,
  file: SoundFile,
): Promise<UploadOutcome | undefined> {
  checkSize(file);
  const { commands, workspaceId, newId } = context;
  const place = { workspaceId, recordingId, uploadId: newId('upload') };
  const upload = { uploadId: place.uploadId, size: file.size };
  const which = { recordingId, fallback: defaultOf(workspaceId, recordingId) };
  await counted(tools, context, place, file.size, () =>
    commands.decide(recordings, workspaceId, replaceAudio(which, upload)),
  );
  return storeAndRead(tools, commands, place, file.content);
}

/** Refuses `not_found` and `validation_failed`. */
export async function renameRecording(
  { commands, workspaceId }: RecordingContext,
  recordingId: string,
  name: string,
): Promise<void> {
  const which = { recordingId, fallback: defaultOf(workspaceId, recordingId) };
  await commands.decide(recordings, workspaceId, rename(which, recordingName(name)));
}

/**
 * Removes a recording. Refuses `not_found`, `default_recording`, and `recording_in_use` while a team uses it or is about to. A team
 * reserves a recording in the recordings' own stream before using it (recordingUses.ts). So the teams that are read here are still current when the
 * removal is decided. Otherwise the decision is refused and everything is read again.
 */
export async function removeRecording(context: RecordingContext, recordingId: string): Promise<void> {
  const { commands, workspaceId, now } = context;
  const which = { recordingId, fallback: defaultOf(workspaceId, recordingId) };
  await untilCurrent(async () => {
    const { takes, pending } = await commands.query(recordings, workspaceId, ({ all }) => ({
      takes: all.get(recordingId)?.takes ?? 0,
      pending: [...(all.get(recordingId)?.pending.values() ?? [])],
    }));
    const users = await commands.query(members, workspaceId, teamsUsing(recordingId));
    if (which.fallback === undefined && users.length > 0)
      refuse(
        'recording_in_use',
        `These teams use the recording: ${users.join(', ')}. Assign another recording to them first.`,
      );
    if (pending.some((since) => now - since <= IN_FLIGHT_MS))
      refuse('recording_in_use', 'A team that uses the recording is being changed. Try again in a minute.');
    await commands.decide(recordings, workspaceId, remove(which, takes));
  });
}
