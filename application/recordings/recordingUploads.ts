/** Processing of uploaded audio: stored, analysed, and accepted or refused. */
import { finishUpload, isInUse, type UploadOutcome } from '../../domain/channel/recordingChanges.js';
import type { RecordingKind } from '../../domain/channel/recordingEvents.js';
import { recordings } from '../../domain/channel/recordings.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { StorageFull } from '../../engine/ports/eventStore.js';
import { releaseBytes } from '../files/storage.js';
import { type AudioReader, type Sound, UnreadableSound } from '../ports/audioReader.js';
import type { FileStore } from '../ports/fileStore.js';

/** Maximum size of a recording's file, in bytes: the channel's limit for audio. */
export const MOST_BYTES = 16 * 1024 * 1024;
const LEAST_MS = 1_000;
const MOST_MS = 300_000;
/** Maximum duration of hold music: the longest wait of a queue. */
const MOST_HOLD_MS = 600_000;
/** Maximum time for storing one file, in ms. */
const STORE_MS = 30_000;
/** Time in ms after which an upload has ended, even if its process stopped. */
export const SETTLED_MS = 300_000;

/** File store and audio reader for recordings. */
export interface SoundTools {
  readonly fileStore: FileStore;
  readonly audio: AudioReader;
  /** Called with failures that are not the file's fault. */
  trouble(error: unknown): void;
}

export interface UploadPlace {
  readonly workspaceId: string;
  readonly recordingId: string;
  readonly uploadId: string;
}

export const fileName = ({ workspaceId, uploadId }: Pick<UploadPlace, 'workspaceId' | 'uploadId'>): string =>
  `${workspaceId}/${uploadId}`;

function judged({ mimeType, durationMs }: Sound, kind: RecordingKind, size: number): UploadOutcome {
  const most = kind === 'hold' ? MOST_HOLD_MS : MOST_MS;
  const heard = `It plays for ${(durationMs / 1000).toFixed(1)} s`;
  if (durationMs < LEAST_MS) return { code: 'too_short', reason: `${heard}; the minimum is one second.` };
  if (durationMs > most)
    return { code: 'too_long', reason: `${heard}; the maximum for this kind is ${most / 60_000} minutes.` };
  return { mimeType, durationMs, size };
}

const GONE: UploadOutcome = {
  code: 'processing_error',
  reason: 'The upload was incomplete. Upload the file again.',
};
const NO_ROOM: UploadOutcome = {
  code: 'processing_error',
  reason: 'The storage of the service is full. Upload the file again later.',
};
const FAULT: UploadOutcome = {
  code: 'processing_error',
  reason: 'The file could not be read because of an error of the service. Upload it again.',
};

async function outcomeOf(tools: SoundTools, place: UploadPlace, kind: RecordingKind) {
  try {
    const stored = await tools.fileStore.read(fileName(place));
    if (stored === undefined) return GONE;
    try {
      return judged(await tools.audio.read(stored.content, MOST_BYTES), kind, stored.size);
    } finally {
      stored.content.destroy();
    }
  } catch (error) {
    if (error instanceof UnreadableSound) return { code: 'unreadable', reason: error.message } as const;
    tools.trouble(error);
    return FAULT;
  }
}

async function finish(
  tools: SoundTools,
  commands: BoundCommands,
  place: UploadPlace,
  outcome: UploadOutcome,
): Promise<UploadOutcome> {
  const { workspaceId, recordingId, uploadId } = place;
  await commands.decide(recordings, workspaceId, finishUpload(recordingId, uploadId, outcome));
  await tidied(tools, commands, place);
  return outcome;
}

/** Removes unneeded bytes. If this fails, the processor does it later. */
const tidied = (tools: SoundTools, commands: BoundCommands, place: UploadPlace): Promise<void> =>
  dropUnwanted(tools, commands, place).catch((error) => tools.trouble(error));

/** Analyses a stored upload and records the outcome. Undefined: the outcome was recorded before. Every failure is an outcome. */
export async function readUpload(
  tools: SoundTools,
  commands: BoundCommands,
  place: UploadPlace,
): Promise<UploadOutcome | undefined> {
  const { workspaceId, recordingId, uploadId } = place;
  const kind = await commands.query(recordings, workspaceId, ({ all }) => {
    const recording = all.get(recordingId);
    return recording?.processing === uploadId ? recording.kind : undefined;
  });
  if (kind !== undefined) return finish(tools, commands, place, await outcomeOf(tools, place, kind));
  await tidied(tools, commands, place);
  return undefined;
}

/** Stores an upload's bytes and analyses them. Every failure is an outcome. Undefined: another file has replaced it. */
export async function storeAndRead(
  tools: SoundTools,
  commands: BoundCommands,
  place: UploadPlace,
  content: AsyncIterable<Uint8Array>,
): Promise<UploadOutcome | undefined> {
  try {
    const signal = AbortSignal.timeout(STORE_MS);
    await tools.fileStore.put(fileName(place), content, { mostBytes: MOST_BYTES, signal });
  } catch (error) {
    tools.trouble(error);
    return finish(tools, commands, place, error instanceof StorageFull ? NO_ROOM : GONE);
  }
  return readUpload(tools, commands, place);
}

/** Removes an upload's bytes unless calls may need them. Throws the file store's errors. */
export async function dropUnwanted(tools: SoundTools, commands: BoundCommands, place: UploadPlace): Promise<void> {
  const { workspaceId, recordingId, uploadId } = place;
  if (await commands.query(recordings, workspaceId, isInUse(recordingId, uploadId))) return;
  await tools.fileStore.remove(fileName(place));
  await releaseBytes({ commands, workspaceId }, uploadId);
}
