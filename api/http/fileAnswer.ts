/** A file as an answer: whole or a range of it, as fast as the client reads. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FileAnswer } from '../contract/operation.js';
import { Refusal } from '../contract/problems.js';
import { isKnown } from './conditional.js';
import type { Exchange } from './exchange.js';

/** Types that a browser shows without running anything of them; all others are for saving. */
const SHOWN = /^(?:image\/(?:jpeg|png|webp|gif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

/** Printable ASCII that needs no escape in a quoted string; anything else is in the extended parameter. */
const plain = (name: string): string => name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
const extended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Content-Disposition (RFC 6266), its name beyond ASCII by RFC 8187. */
export function disposition(name: string, mimeType: string): string {
  const kind = SHOWN.test(mimeType) ? 'inline' : 'attachment';
  const beyond = plain(name) === name ? '' : `; filename*=UTF-8''${extended(name)}`;
  return `${kind}; filename="${plain(name)}"${beyond}`;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** One range of bytes; undefined: the whole, also for what is no range and for several. Refuses one that is not there. */
export function spanOf(header: string | undefined, size: number): Span | undefined {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  if (start >= size)
    throw new Refusal('range_not_satisfiable', `The file has ${size} bytes.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  return { start, end };
}

/** If-Range names another file: then the whole is wanted. A date is never it. */
const rangeOf = (headers: IncomingHttpHeaders, { size, etag }: FileAnswer): Span | undefined => {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? spanOf(headers.range, size) : undefined;
};

/**
 * Sends it; answers the status once the last byte is on its way, or the client is gone. Rejects when the bytes cannot be
 * read: with an answer still to be given, unless some of them have gone out.
 */
export async function sendFile(exchange: Exchange, file: FileAnswer): Promise<number> {
  const { headers, method } = exchange.request;
  const common = { 'Cache-Control': 'private, no-cache', ETag: file.etag, 'Accept-Ranges': 'bytes' };
  if (isKnown(headers['if-none-match'], file.etag)) {
    await exchange.stream(304, common);
    return 304;
  }
  // A range of nothing is no range: only GET has one. (RFC 9110, 14.2.)
  const span = method === 'HEAD' ? undefined : rangeOf(headers, file);
  const content = method === 'HEAD' ? undefined : await file.open(span);
  if (content === undefined && method !== 'HEAD')
    throw new Refusal('not_found', 'The content of the file is no longer available.');
  const status = span === undefined ? 200 : 206;
  const fields = {
    ...common,
    'Content-Type': file.mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : file.mimeType,
    'Content-Length': String(span === undefined ? file.size : span.end - span.start + 1),
    'Content-Disposition': disposition(file.name, file.mimeType),
    // Nothing of a file is ever run, whatever a browser takes it for.
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    ...(span !== undefined && { 'Content-Range': `bytes ${span.start}-${span.end}/${file.size}` }),
  };
  await exchange.stream(status, fields, content);
  return status;
}
