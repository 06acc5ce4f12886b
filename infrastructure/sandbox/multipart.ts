/** One file and its fields from a multipart body, streamed. */
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface UploadedPart {
  readonly filename: string;
  readonly mimeType: string;
  readonly content: Readable;
}

const require = createRequire(import.meta.url);

const FIELDS = 20;
const FIELD_BYTES = 1_000;
/** Bytes other than the file: boundaries, headers and fields. */
const OVERHEAD = 64 * 1024;

/**
 * Passes the part `file` to `take`, which reads it to its end. Returns the fields and the result of `take`, which is undefined if there was
 * no such part. Rejects if the body is not a whole multipart body, or exceeds `mostBytes`.
 */
export async function readUpload<T>(
  body: Readable,
  contentType: string,
  mostBytes: number,
  take: (part: UploadedPart) => Promise<T>,
): Promise<{ fields: ReadonlyMap<string, string>; taken: T | undefined }> {
  // Loaded with the first file, since every start would wait for it. Required, not imported: see infrastructure/http/clients.ts.
  const { Busboy } = require('@fastify/busboy') as typeof import('@fastify/busboy');
  const fields = new Map<string, string>();
  let taken: Promise<T> | undefined;
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    // A byte more than allowed is read, so that it can be seen that there is too much.
    limits: { fields: FIELDS, fieldSize: FIELD_BYTES, files: 1, fileSize: mostBytes + 1 },
  });
  parser.on('field', (name, value) => void fields.set(name, value));
  parser.on('file', (name, content, filename, _encoding, mimeType) => {
    if (name !== 'file') {
      content.resume();
      return;
    }
    taken = take({ filename, mimeType, content });
    // The failure is thrown below; the rest of the body is discarded.
    taken.catch(() => content.resume());
  });
  let size = 0;
  await pipeline(
    body,
    async function* bounded(source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        size += chunk.length;
        if (size > mostBytes + OVERHEAD) throw new Error('The body is too large.');
        yield chunk;
      }
    },
    parser,
  );
  return { fields, taken: await taken };
}
