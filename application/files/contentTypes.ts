/** Detects the type of a file from its bytes, independently of its declared type. */
import { isUtf8 } from 'node:buffer';

/** Number of bytes at the start that are sufficient to detect the type, including office documents. */
export const HEAD_BYTES = 256 * 1024;

/** Details from the sender, for types that share a container. */
export interface DeclaredType {
  readonly mimeType?: string | undefined;
  readonly name?: string | undefined;
}

/** Types with different names in `file-type` and at the channel. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['audio/x-m4a', 'audio/mp4'],
  ['video/x-m4v', 'video/mp4'],
]);

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Office types that the first bytes do not distinguish, by extension. */
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
/** Text types with a signature of their own. */
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

/** Returns true for UTF-8 text without control characters. If the head is not the whole file, its last character may be incomplete. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return false;
  for (const byte of head) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) return false;
  const cuts = head.length < HEAD_BYTES ? [0] : [0, 1, 2, 3];
  return cuts.some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}

/** UTF-16 starts with the same bytes as some audio types that the channel does not accept. */
const isUtf16 = (head: Buffer): boolean => head[0] === 0xff && head[1] === 0xfe;

function withDeclared(found: string, { mimeType = '', name }: DeclaredType): string {
  // Both use the same container, and the difference is far behind the head.
  if (found === 'video/mp4' && bare(mimeType) === 'audio/mp4') return 'audio/mp4';
  const ending = endingOf(name);
  const text = bare(mimeType);
  const chosen = (types: Readonly<Record<string, string>>): string | undefined =>
    types[ending] ?? Object.values(types).find((type) => type === text);
  if (found === 'application/x-cfb') return chosen(OLD_OFFICE) ?? found;
  if (found === 'application/zip') return chosen(ZIPPED_OFFICE) ?? found;
  return found;
}

/**
 * Returns the type of a file with this head, without parameters. `application/octet-stream` if it has no signature and is not text. Text is
 * `text/plain` in any language: it is never executed.
 */
export async function sniff(head: Buffer, text: DeclaredType = {}): Promise<string> {
  if (isUtf16(head)) return 'application/octet-stream';
  // Loaded with the first file, to keep the start fast.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = bare((await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? '');
  if (found === '' || TEXTS.has(found)) return isText(head) ? 'text/plain' : 'application/octet-stream';
  return withDeclared(SAME.get(found) ?? found, text);
}
