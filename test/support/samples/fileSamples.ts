/** Small files of each kind, complete enough to detect the kind from their first bytes. */
import { crc32 } from 'node:zlib';
import { PIXEL } from '../conformance/areas/files.js';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const bytes = (...values: number[]): Buffer => Buffer.from(values);
const PADDING = Buffer.alloc(512);

/** Returns an ISO base media file with this brand. */
const ftyp = (brand: string): Buffer =>
  Buffer.concat([bytes(0, 0, 0, 24), ascii(`ftyp${brand}`), bytes(0, 0, 2, 0), ascii(`${brand}isom`), PADDING]);

/** Returns a zip archive of uncompressed entries, without its directory. */
function zip(entries: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(entries).map(([name, text]) => {
    const content = Buffer.from(text);
    const head = Buffer.alloc(30);
    head.write('PK\x03\x04', 0, 'latin1');
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, ascii(name), content]);
  });
  return Buffer.concat([...parts, ascii('PK\x05\x06'), Buffer.alloc(18)]);
}

const office = (main: string, type: string): Buffer =>
  zip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    [main]: '<document/>',
  });

export interface Sample {
  readonly bytes: Buffer;
  readonly name: string;
  readonly mimeType: string;
  readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
}

const sample = (name: string, mimeType: string, kind: Sample['kind'], content: Buffer): Sample => ({
  bytes: content,
  name,
  mimeType,
  kind,
});

export const JPEG = Buffer.concat([
  bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16),
  ascii('JFIF\0'),
  bytes(1, 1, 0, 0, 1, 0, 1, 0, 0),
  PADDING,
  bytes(0xff, 0xd9),
]);
export const WEBP = Buffer.concat([ascii('RIFF'), bytes(0, 2, 0, 0), ascii('WEBPVP8 '), PADDING]);
export const GIF = Buffer.concat([ascii('GIF89a'), PADDING]);
export const PROGRAM = Buffer.concat([ascii('MZ'), bytes(0x90, 0), PADDING]);
export const ARCHIVE = zip({ 'notes.txt': 'hello' });

/** Files that the channel supports. */
export const SAMPLES: readonly Sample[] = [
  sample('pixel.png', 'image/png', 'image', PIXEL),
  sample('dress.jpg', 'image/jpeg', 'image', JPEG),
  sample('smile.webp', 'image/webp', 'sticker', WEBP),
  sample('film.mp4', 'video/mp4', 'video', ftyp('isom')),
  sample('film.3gp', 'video/3gpp', 'video', ftyp('3gp4')),
  sample('voice.m4a', 'audio/mp4', 'audio', ftyp('M4A ')),
  sample(
    'voice.mp3',
    'audio/mpeg',
    'audio',
    Buffer.concat([ascii('ID3'), bytes(4, 0, 0, 0, 0, 0, 0), bytes(0xff, 0xfb, 0x90, 0), PADDING]),
  ),
  sample('voice.aac', 'audio/aac', 'audio', Buffer.concat([bytes(0xff, 0xf1, 0x50, 0x80, 1, 0x7f, 0xfc), PADDING])),
  sample('voice.amr', 'audio/amr', 'audio', Buffer.concat([ascii('#!AMR\n'), PADDING])),
  sample(
    'voice.ogg',
    'audio/ogg',
    'audio',
    Buffer.concat([ascii('OggS'), bytes(0, 2), Buffer.alloc(20), bytes(1, 19), ascii('OpusHead'), PADDING]),
  ),
  sample('prices.pdf', 'application/pdf', 'document', Buffer.concat([ascii('%PDF-1.7\n'), PADDING])),
  sample(
    'offer.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'document',
    office('word/document.xml', 'wordprocessingml.document'),
  ),
  sample(
    'stock.xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'document',
    office('xl/workbook.xml', 'spreadsheetml.sheet'),
  ),
  sample(
    'stock.xls',
    'application/vnd.ms-excel',
    'document',
    Buffer.concat([bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), PADDING]),
  ),
  sample('prices.csv', 'text/plain', 'document', Buffer.from('name;price\nقميص;12\n')),
];

export const sampleOf = (mimeType: string): Sample => SAMPLES.find((one) => one.mimeType === mimeType)!;
