/** OpenAPI entries of operations that answer the bytes of a file. */
import type { JsonObject } from './components.js';
import { HEADERS } from './shared.js';

export const BYTES = { type: 'string', format: 'binary' };

const requestHeader = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

/** Header fields that request a part of a file. (RFC 9110.) */
export const FILE_PARAMETERS: readonly JsonObject[] = [
  requestHeader('Range', 'One range, such as bytes=0-1023. For several ranges the whole file is returned.'),
  requestHeader(
    'If-Range',
    'ETag of the file that the range belongs to. If the file has another ETag, the whole file is returned.',
  ),
  requestHeader('If-None-Match', 'ETags that the client has cached. The response is 304 if the file has one of them.'),
];

const headerOf = (description: string): JsonObject => ({ description, schema: { type: 'string' } });

const TAG = { ETag: headerOf('Sha256 of the bytes, in quotes.') };
const WHOLE = {
  ...HEADERS,
  ...TAG,
  'Content-Disposition': headerOf('The name of the file; inline for pictures, sound and films, else attachment.'),
  'Accept-Ranges': headerOf('bytes'),
};
const PART = { ...WHOLE, 'Content-Range': headerOf('Which bytes these are, and how many there are.') };

/** Bytes of a file: whole, a range of them, or none because the client has them. */
export function fileAnswers(): JsonObject {
  // The first is what generators know as bytes; the second what is really sent: the type of the file.
  const content = { 'application/octet-stream': { schema: BYTES }, '*/*': { schema: BYTES } };
  return {
    200: { description: 'The bytes of the file. Content-Type is its detected type.', headers: WHOLE, content },
    206: { description: 'The bytes of the range that the Range header field asks for.', headers: PART, content },
    304: { description: 'Not modified: If-None-Match names this file.', headers: { ...HEADERS, ...TAG } },
  };
}
