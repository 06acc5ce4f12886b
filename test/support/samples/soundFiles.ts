/** Generates sound files: small and valid, with headers that can be made wrong. */

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export interface WavOptions {
  readonly rate?: number;
  /** Length of the sound according to the header, in bytes. Default: the true length. */
  readonly declaredBytes?: number;
}

/** 16-bit PCM, one channel, a steady tone. */
export function wav(seconds: number, { rate = 8_000, declaredBytes }: WavOptions = {}): Buffer {
  const sound = Buffer.alloc(Math.round(seconds * rate) * 2);
  for (let place = 0; place < sound.length; place += 2) sound.writeInt16LE((place * 97) % 8_000, place);
  const text = declaredBytes ?? sound.length;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.min(36 + text, 0xffffffff), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(text, 40);
  return Buffer.concat([header, sound]);
}

const MP3_FRAME = 417;
const MP3_FRAME_MS = (1152 / 44_100) * 1000;

/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz, silent. */
function mp3Frame(): Buffer {
  const frame = Buffer.alloc(MP3_FRAME);
  frame.writeUInt32BE(0xfffb9000);
  return frame;
}

/** `declaredFrames`: number of frames in the Xing header, which readers believe. No such header when absent. */
export function mp3(seconds: number, { declaredFrames }: { readonly declaredFrames?: number } = {}): Buffer {
  const frames = Array.from({ length: Math.round((seconds * 1000) / MP3_FRAME_MS) }, mp3Frame);
  if (declaredFrames === undefined) return Buffer.concat(frames);
  const first = mp3Frame();
  Buffer.concat([ascii('Xing'), u32(3), u32(declaredFrames), u32(declaredFrames * MP3_FRAME)]).copy(first, 36);
  return Buffer.concat([first, ...frames]);
}

/** AAC in ADTS frames: 44.1 kHz, two channels, 100 bytes a frame. */
export function aac(seconds: number): Buffer {
  const frame = Buffer.alloc(100);
  Buffer.from([0xff, 0xf1, 0x50, 0x80, 100 >> 3, ((100 & 7) << 5) | 0x1f, 0xfc]).copy(frame);
  return Buffer.concat(Array.from({ length: Math.round((seconds * 44_100) / 1024) }, () => frame));
}

function crcOf(page: Buffer): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

function oggPage(content: Buffer, granule: bigint, sequence: number, flags: number): Buffer {
  const lacing = [...Array.from({ length: Math.floor(content.length / 255) }, () => 255), content.length % 255];
  const page = Buffer.concat([ascii('OggS'), Buffer.alloc(23), Buffer.from(lacing), content]);
  page[5] = flags;
  page.writeBigUInt64LE(granule, 6);
  page.writeUInt32LE(7, 14);
  page.writeUInt32LE(sequence, 18);
  page[26] = lacing.length;
  page.writeUInt32LE(crcOf(page), 22);
  return page;
}

/** Ogg with Opus: one page per second, 3 KB each. `declaredSeconds`: length according to its last page. */
export function ogg(
  seconds: number,
  { declaredSeconds = seconds }: { readonly declaredSeconds?: number } = {},
): Buffer {
  const head = Buffer.concat([ascii('OpusHead'), Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])]);
  const tags = Buffer.concat([ascii('OpusTags'), Buffer.from([4, 0, 0, 0]), ascii('test'), Buffer.alloc(4)]);
  const pages = Array.from({ length: Math.max(1, Math.ceil(seconds)) }, (_, index) => {
    const isLast = index + 1 >= seconds;
    const at = isLast ? declaredSeconds : index + 1;
    return oggPage(Buffer.alloc(3_000, 0xfc), BigInt(Math.round(at * 48_000)), index + 2, isLast ? 4 : 0);
  });
  return Buffer.concat([oggPage(head, 0n, 0, 2), oggPage(tags, 0n, 1, 0), ...pages]);
}

const box = (type: string, ...content: Buffer[]): Buffer => {
  const inside = Buffer.concat(content);
  return Buffer.concat([u32(inside.length + 8), ascii(type), inside]);
};
/** A box with version and flags. */
const fullBox = (type: string, ...content: Buffer[]): Buffer => box(type, u32(0), ...content);

const M4A_RATE = 44_100;

/**
 * MP4 with one AAC track, 8 KB of sound per second. `brand`: of its first box. `declaredSeconds`: of its track's header.
 */
export function m4a(
  seconds: number,
  { declaredSeconds = seconds, brand = 'M4A ' }: { readonly declaredSeconds?: number; readonly brand?: string } = {},
): Buffer {
  const units = Math.round(declaredSeconds * M4A_RATE);
  const samples = Math.ceil(units / 1024);
  const sound = Buffer.alloc(Math.round(seconds * 8_000), 1);
  const ftyp = box('ftyp', ascii(brand), u32(0), ascii(brand), ascii('isom'));
  const entry = box(
    'mp4a',
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(8),
    u16(2),
    u16(16),
    Buffer.alloc(4),
    u32(M4A_RATE * 65_536),
  );
  const table = box(
    'stbl',
    fullBox('stsd', u32(1), entry),
    fullBox('stts', u32(1), u32(samples), u32(1024)),
    fullBox('stsc', u32(1), u32(1), u32(samples), u32(1)),
    fullBox('stsz', u32(Math.max(1, Math.floor(sound.length / Math.max(1, samples)))), u32(samples)),
    fullBox('stco', u32(1), u32(0)),
  );
  const media = box(
    'mdia',
    fullBox('mdhd', u32(0), u32(0), u32(M4A_RATE), u32(units), u16(0x55c4), u16(0)),
    fullBox('hdlr', u32(0), ascii('soun'), Buffer.alloc(12), ascii('sound\0')),
    box('minf', fullBox('smhd', u32(0)), table),
  );
  const track = box('trak', fullBox('tkhd', u32(0), u32(0), u32(1), u32(0), u32(units), Buffer.alloc(60)), media);
  const movie = fullBox('mvhd', u32(0), u32(0), u32(M4A_RATE), u32(units), Buffer.alloc(80));
  return Buffer.concat([ftyp, box('moov', movie, track), box('mdat', sound)]);
}
