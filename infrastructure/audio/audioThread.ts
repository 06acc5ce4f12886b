/** The thread of createAudioReader: reads one file and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';
import type { Sound } from '../../application/ports/audioReader.js';
import { isCutOff, isPlausible, kindOf, type SoundKind } from './soundBytes.js';

export type ReadAnswer = { readonly sound: Sound } | { readonly unreadable: string };

const MIME: Readonly<Record<SoundKind, Sound['mimeType']>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  mp4: 'audio/mp4',
};
/** Codec names that the library reports for each kind. */
const CODECS: Readonly<Record<SoundKind, RegExp>> = {
  wav: /^(PCM|IEEE_FLOAT|ALAW|MULAW|EXTENSIBLE|non-PCM \(65534\))$/,
  mp3: /Layer 3$/,
  aac: /AAC/,
  ogg: /^(Opus|Vorbis)/,
  mp4: /^MPEG-4\/AAC/,
};

const UNKNOWN = 'The file is not a supported sound file. Use WAV (PCM), MP3, OGG (Opus or Vorbis) or M4A (AAC).';
const BROKEN = 'The sound file is damaged. Save it again with your audio editor, and upload the new file.';
const CUT_OFF = 'The sound file is incomplete: its end is missing. Upload the complete file.';

const unreadable = (reason: string): ReadAnswer => ({ unreadable: reason });

async function read(bytes: Uint8Array): Promise<ReadAnswer> {
  const kind = kindOf(bytes);
  if (kind === undefined) return unreadable(UNKNOWN);
  if (isCutOff(kind, bytes)) return unreadable(CUT_OFF);
  const mimeType = MIME[kind];
  const options = { duration: true, skipCovers: true };
  const parsed = await parseBuffer(bytes, { mimeType, size: bytes.length }, options).catch(() => undefined);
  if (parsed === undefined) return unreadable(BROKEN);
  const { codec = '', duration, hasVideo } = parsed.format;
  if (hasVideo === true || !CODECS[kind].test(codec)) return unreadable(UNKNOWN);
  if (duration === undefined || !Number.isFinite(duration) || duration < 0) return unreadable(BROKEN);
  if (!isPlausible(kind, bytes, duration)) return unreadable(BROKEN);
  return { sound: { mimeType, durationMs: Math.round(duration * 1000) } };
}

parentPort!.postMessage(await read(new Uint8Array(workerData as ArrayBuffer)));
