/** Audio that calls play for a recording. */
import type { Readable } from 'node:stream';
import { CHIME_MIME, chime } from '../../domain/channel/chime.js';
import { chimeName, defaultOf } from '../../domain/channel/defaultRecordings.js';
import { recordings } from '../../domain/channel/recordings.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { sniff } from '../files/contentTypes.js';
import { fileName as namedAs } from '../files/fileNames.js';
import type { ByteRange, FileStore } from '../ports/fileStore.js';
import { fileName, MOST_BYTES, type SoundTools } from './recordingUploads.js';

/** Number of bytes that is sufficient to detect the type: the signature is at the start. */
const HEAD = 4096;

/** Stores the audio of all defaults when it is first needed. */
const storeChime = (fileStore: FileStore, workspaceId: string) =>
  fileStore.put(chimeName(workspaceId), singly(chime()), { mostBytes: MOST_BYTES, mimeType: CHIME_MIME });

async function* singly(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Location of the audio in the file store. */
interface Playing {
  /** Name of the file. Its content never changes. */
  readonly name: string;
  /** Name of the recording. Absent for an unchanged default. */
  readonly called?: string;
  readonly isChime: boolean;
}

/** Refuses `not_found`, and `recording_not_playable` if no uploaded file was valid yet. */
async function playingOf(commands: Commands, workspaceId: string, recordingId: string): Promise<Playing> {
  const preset = defaultOf(workspaceId, recordingId);
  return commands.query(recordings, workspaceId, ({ all }) => {
    const found = all.get(recordingId);
    if (preset === undefined && found === undefined)
      return refuse('not_found', `The store has no recording ${recordingId}.`);
    const called = defined({ called: found?.name ?? preset?.name });
    if (found?.playing !== undefined)
      return { name: fileName({ workspaceId, uploadId: found.playing }), isChime: false, ...called };
    if (preset === undefined)
      return refuse('recording_not_playable', 'The recording has no sound yet. Upload a file for it.');
    return { name: chimeName(workspaceId), isChime: true, ...called };
  });
}

type Commands = Pick<BoundCommands, 'query'>;
type Stored = NonNullable<Awaited<ReturnType<FileStore['read']>>>;

async function readPlaying(fileStore: FileStore, workspaceId: string, playing: Playing, range?: ByteRange) {
  const stored = await fileStore.read(playing.name, range);
  if (stored !== undefined || !playing.isChime) return stored;
  await storeChime(fileStore, workspaceId);
  return fileStore.read(playing.name, range);
}

/**
 * Opens the audio. The reader must end or destroy it. Refuses `not_found`, and `recording_not_playable` if no uploaded file was valid yet.
 */
export async function openSound(
  { fileStore }: { readonly fileStore: FileStore },
  commands: Commands,
  workspaceId: string,
  recordingId: string,
): Promise<Readable> {
  const playing = await playingOf(commands, workspaceId, recordingId);
  const stored = await readPlaying(fileStore, workspaceId, playing);
  if (stored === undefined) throw new Error(`the file store has lost the sound of recording ${recordingId}`);
  return stored.content;
}

/** Audio of a recording for listeners, whole or in part. */
export interface PlayedSound {
  /** File name such as `Welcome.mp3`: the recording's name with the extension of its type. */
  readonly name: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** Includes its quotes. It changes with the audio. */
  readonly etag: string;
  /** Opens the audio. The reader must end or destroy it. Undefined: the bytes are missing. Throws `StoreUnavailable`. */
  open(range?: ByteRange): Promise<Readable | undefined>;
}

/** Refuses as `openSound` does. Throws `StoreUnavailable` if the file store fails. */
export async function playedSound(
  { fileStore, trouble }: Pick<SoundTools, 'fileStore' | 'trouble'>,
  commands: Commands,
  workspaceId: string,
  recordingId: string,
): Promise<PlayedSound> {
  const playing = await playingOf(commands, workspaceId, recordingId);
  const open = (range?: ByteRange): Promise<Stored | undefined> =>
    readPlaying(fileStore, workspaceId, playing, range).catch((error: unknown) => {
      trouble(error);
      throw new StoreUnavailable('the file store failed', { cause: error });
    });
  const opening = await open({ start: 0, end: HEAD - 1 });
  if (opening === undefined) throw new Error(`the file store has lost the sound of recording ${recordingId}`);
  const head = Buffer.concat(await opening.content.toArray());
  const mimeType = await sniff(head);
  return {
    name: namedAs(playing.called ?? 'recording', mimeType),
    mimeType,
    size: opening.size,
    etag: `"${playing.name.split('/').at(-1)}"`,
    open: async (range) => (await open(range))?.content,
  };
}
