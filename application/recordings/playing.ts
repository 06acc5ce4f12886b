/** The sound that calls play for a recording. */
import type { Readable } from 'node:stream';
import { CHIME_MIME, chime } from '../../domain/channel/chime.js';
import { chimeName, defaultOf } from '../../domain/channel/defaultRecordings.js';
import { recordings } from '../../domain/channel/recordings.js';
import { refuse } from '../../domain/decider.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { FileStore } from '../ports/fileStore.js';
import { fileName, MOST_BYTES } from './reading.js';

/** What every default plays until it is replaced: stored when it is first asked for. */
async function openChime(fileStore: FileStore, workspaceId: string) {
  const name = chimeName(workspaceId);
  const stored = await fileStore.read(name);
  if (stored !== undefined) return stored;
  await fileStore.put(name, singly(chime()), { mostBytes: MOST_BYTES, mimeType: CHIME_MIME });
  return fileStore.read(name);
}

async function* singly(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The reader ends or destroys it. Refuses `not_found`, and `recording_not_playable` when no file of it was any good yet. */
export async function openSound(
  { fileStore }: { readonly fileStore: FileStore },
  commands: Pick<BoundCommands, 'query'>,
  workspaceId: string,
  recordingId: string,
): Promise<Readable> {
  const isDefault = defaultOf(workspaceId, recordingId) !== undefined;
  const uploadId = await commands.query(recordings, workspaceId, ({ all }) => {
    if (!isDefault && !all.has(recordingId)) refuse('not_found', `The store has no recording ${recordingId}.`);
    return all.get(recordingId)?.playing;
  });
  if (uploadId === undefined && !isDefault)
    refuse('recording_not_playable', 'The recording has no sound yet: upload a file for it.');
  const stored =
    uploadId === undefined
      ? await openChime(fileStore, workspaceId)
      : await fileStore.read(fileName({ workspaceId, uploadId }));
  if (stored === undefined) throw new Error(`the file store has lost the sound of recording ${recordingId}`);
  return stored.content;
}
