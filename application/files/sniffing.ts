/** What bytes are, whatever their sender says of them. */
import { isUtf8 } from 'node:buffer';

/** Enough of a file's beginning to know it, office documents included. */
export const HEAD_BYTES = 256 * 1024;

/** What the sender says, for types that share one container. */
export interface Said {
  readonly mimeType?: string | undefined;
  readonly name?: string | undefined;
}

/** What `file-type` calls otherwise than the channel. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['audio/x-m4a', 'audio/mp4'],
  ['video/x-m4v', 'video/mp4'],
]);

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Office documents whose beginning does not tell which they are, by their name's ending. */
const OLD_OFFICE: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
};
const ZIPPED_OFFICE: Readonly<Record<string, string>> = {
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
};
/** Texts that have a signature of their own. */
const TEXTS = new Set([
  'application/xml',
  'application/rtf',
  'text/vcard',
  'text/calendar',
  'application/x-ms-regedit',
]);

const endingOf = (name: string | undefined): string =>
  /\.([A-Za-z0-9]{1,8})$/.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
const bare = (mimeType: string): string => mimeType.split(';', 1)[0]!.trim().toLowerCase();

/** Text in UTF-8 without control characters; where the head is not the whole file, its end may cut a character off. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return false;
  for (const byte of head) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) return false;
  const cuts = head.length < HEAD_BYTES ? [0] : [0, 1, 2, 3];
  return cuts.some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}

/** UTF-16 begins as some sounds do that the channel does not carry. */
const isUtf16 = (head: Buffer): boolean => head[0] === 0xff && head[1] === 0xfe;

function withSaid(found: string, { mimeType = '', name }: Said): string {
  // One container for both; which of them it is stands far behind.
  if (found === 'video/mp4' && bare(mimeType) === 'audio/mp4') return 'audio/mp4';
  const ending = endingOf(name);
  const said = bare(mimeType);
  const chosen = (types: Readonly<Record<string, string>>): string | undefined =>
    types[ending] ?? Object.values(types).find((type) => type === said);
  if (found === 'application/x-cfb') return chosen(OLD_OFFICE) ?? found;
  if (found === 'application/zip') return chosen(ZIPPED_OFFICE) ?? found;
  return found;
}

/**
 * The type of a file that begins so, without parameters; `application/octet-stream` when it has no signature and is no text.
 * Text is `text/plain`, whatever language it is written in: nothing of it is ever run.
 */
export async function sniff(head: Buffer, said: Said = {}): Promise<string> {
  if (isUtf16(head)) return 'application/octet-stream';
  // Loaded with the first file, since every start would wait for it.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = bare((await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? '');
  if (found === '' || TEXTS.has(found)) return isText(head) ? 'text/plain' : 'application/octet-stream';
  return withSaid(SAME.get(found) ?? found, said);
}
