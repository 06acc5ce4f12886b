/** Facts that a sound file's bytes reveal: its kind, whether it is whole, and how many bytes are sound. */

export type SoundKind = 'wav' | 'mp3' | 'aac' | 'ogg' | 'mp4';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const text = (bytes: Uint8Array, start: number, length: number): string =>
  Buffer.from(bytes.subarray(start, start + length)).toString('latin1');
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Offset of the sound behind an ID3v2 tag, which may hold pictures of any size. */
function afterTag(bytes: Uint8Array): number {
  if (bytes.length < 10 || text(bytes, 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + (bytes[place]! & 0x7f), 0);
  return 10 + size;
}

const BITRATES = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const RATES = [44_100, 48_000, 32_000];

/** Length of the MPEG layer III frame at a place, in bytes; undefined: there is none. */
function frameLength(bytes: Uint8Array, at: number): number | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) return undefined;
  const version = (bytes[at + 1]! >> 3) & 3;
  if (version === 1 || ((bytes[at + 1]! >> 1) & 3) !== 1) return undefined;
  const kbps = BITRATES[version === 3 ? 1 : 2][bytes[at + 2]! >> 4];
  const rate = RATES[(bytes[at + 2]! >> 2) & 3];
  if (kbps === undefined || kbps === 0 || rate === undefined) return undefined;
  const slowed = version === 3 ? 1 : version === 2 ? 2 : 4;
  const padding = (bytes[at + 2]! >> 1) & 1;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kbps * slowed) / rate) + padding;
}

/** Length of the ADTS frame (AAC) at a place, in bytes; undefined: there is none. */
function adtsLength(bytes: Uint8Array, at: number): number | undefined {
  if (at + 7 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return undefined;
  const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  return length > 7 ? length : undefined;
}

/** Requires two frames in a row: two bytes that look like the start of a frame occur in files of every kind. */
function hasFrames(bytes: Uint8Array, start: number, lengthAt: typeof frameLength): boolean {
  const first = lengthAt(bytes, start);
  return first !== undefined && lengthAt(bytes, start + first) !== undefined;
}

/** Returns the kind by the file's first bytes; undefined: not a known sound format. */
export function kindOf(bytes: Uint8Array): SoundKind | undefined {
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WAVE') return 'wav';
  if (text(bytes, 0, 4) === 'OggS') return 'ogg';
  if (text(bytes, 4, 4) === 'ftyp') return 'mp4';
  const start = afterTag(bytes);
  if (hasFrames(bytes, start, frameLength)) return 'mp3';
  return hasFrames(bytes, start, adtsLength) ? 'aac' : undefined;
}

/** The outermost boxes of an MP4 file; the last may end beyond the file. At most 1,000. */
function boxesOf(bytes: Uint8Array): Box[] {
  const data = view(bytes);
  const boxes: Box[] = [];
  for (let start = 0; start + 8 <= bytes.length && boxes.length < 1_000; ) {
    const short = data.getUint32(start);
    if (short === 1 && start + 16 > bytes.length) break;
    const size = short === 1 ? Number(data.getBigUint64(start + 8)) : short === 0 ? bytes.length - start : short;
    if (size < 8) break;
    boxes.push({ type: text(bytes, start + 4, 4), start, end: start + size });
    start += size;
  }
  return boxes;
}

/** Lengths that mean 'unknown': the writer of the file could not seek back. */
const STREAMED = new Set([0, 0xffffffff]);

/** True if the file itself declares that more should follow. */
export function isCutOff(kind: SoundKind, bytes: Uint8Array): boolean {
  if (kind === 'mp4') return boxesOf(bytes).some(({ end }) => end > bytes.length);
  if (kind !== 'wav') return false;
  const promised = view(bytes).getUint32(4, true);
  return !STREAMED.has(promised) && promised + 8 > bytes.length + 1;
}

/** Upper bound of the bytes that can be sound; undefined if pictures and texts cannot be separated from them. */
function soundBytes(kind: SoundKind, bytes: Uint8Array): number | undefined {
  switch (kind) {
    case 'mp3':
      return bytes.length - afterTag(bytes);
    case 'mp4':
      return boxesOf(bytes)
        .filter(({ type }) => type === 'mdat')
        .reduce((sum, { start, end }) => sum + end - start, 0);
    default:
      return undefined;
  }
}

/** Least bits of one second: of the quietest sound that the encodings can write. */
const LEAST_BITS: Readonly<Record<SoundKind, number>> = { wav: 8_000, mp3: 8_000, aac: 500, ogg: 400, mp4: 500 };
const MOST_BITS = 2_000_000;

/** True if the file can hold about as much sound as its headers declare. */
export function isPlausible(kind: SoundKind, bytes: Uint8Array, seconds: number): boolean {
  const inside = soundBytes(kind, bytes);
  const bits = (inside ?? bytes.length) * 8;
  return bits >= seconds * LEAST_BITS[kind] && (inside === undefined || bits <= (seconds + 1) * MOST_BITS);
}
