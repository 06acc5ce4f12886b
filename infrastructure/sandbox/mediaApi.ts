/** Files as the channel gives and takes them. (shared reference: 'Media'.) */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultKind } from './faults.js';
import { GraphError } from './graphError.js';
import type { GraphGate } from './graphGate.js';
import type { Journal } from './journal.js';
import { MediaTooLarge, type SandboxMedia, type SandboxMediaStore, UPLOADED_MS } from './media.js';
import { kindOf, MEDIA_TYPES, MOST_MEDIA_BYTES, mostBytesOf } from './mediaTypes.js';
import { readUpload, type UploadedPart } from './multipart.js';
import { Reply, type SandboxRequest, type SandboxRoutes, TAKEN_OVER } from './routes.js';

export interface MediaApiDependencies {
  readonly media: SandboxMediaStore;
  readonly gate: GraphGate;
  readonly journal: Journal;
  /** Aborted when the sandbox closes: bodies that do not end are broken off then. */
  readonly closing: AbortSignal;
}

/** Nothing listens there: a redirect that must not be followed. */
const ELSEWHERE = 'http://127.0.0.1:9/elsewhere';
const SLOW_BYTES = 256;
const SLOW_MS = 250;
const LONGEST_BODY_MS = 60_000;

export const unknownObject = (id: string): GraphError =>
  new GraphError(
    100,
    `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  );

/** Description of a file by the channel; wrong on purpose with a fault. */
function described(media: SandboxMedia, url: string, fault: FaultKind | undefined): object {
  const { id, mimeType, sha256, size } = media;
  const lie = mimeType.startsWith('image/') ? 'application/pdf' : 'image/jpeg';
  return {
    messaging_product: 'whatsapp',
    url,
    mime_type: fault === 'lying_mime_type' ? lie : mimeType,
    sha256: fault === 'wrong_sha256' ? '0'.repeat(64) : sha256,
    file_size: fault === 'wrong_size' ? Math.ceil(size / 2) : size,
    id,
  };
}

/** A file that never ends: over and over again, as fast as it is read, for at most a minute. */
async function* endless(content: Buffer, closing: AbortSignal): AsyncGenerator<Buffer> {
  const end = performance.now() + LONGEST_BODY_MS;
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / Math.max(1, content.length)) }, () => content));
  yield content;
  while (!closing.aborted && performance.now() < end) yield block;
}

/** A few bytes at a time. */
async function* slow(content: Buffer, closing: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length && !closing.aborted; at += SLOW_BYTES) {
    yield content.subarray(at, at + SLOW_BYTES);
    await pause(SLOW_MS, undefined, { signal: closing }).catch(() => {});
  }
}

async function whole(content: Readable): Promise<Buffer> {
  return Buffer.concat(await content.toArray());
}

export function mediaApi(app: SandboxRoutes, dependencies: MediaApiDependencies): void {
  const { media, gate, journal, closing } = dependencies;

  app.get('/attachments/:id', async (request) => {
    const id = request.params.id!;
    const kind = (await gate.fault(request, 'media_download'))?.kind;
    const { ext = '', hash = '' } = request.query;
    // An expired address is not found: the caller requests a new one.
    if (kind === 'not_found' || kind === 'expired' || !media.admits(id, ext, hash))
      return new Reply(404, 'Not Found', { 'content-type': 'text/plain; charset=utf-8' });
    if (kind === 'redirect') return new Reply(302, undefined, { location: ELSEWHERE });
    const { mimeType, size } = media.find(id)!;
    if (kind === 'endless_body')
      return new Reply(200, Readable.from(endless(await whole(media.read(id)), closing)), { 'content-type': mimeType });
    const headers = { 'content-type': mimeType, 'content-length': String(size) };
    if (kind === 'slow') return new Reply(200, Readable.from(slow(await whole(media.read(id)), closing)), headers);
    if (kind === 'cut_off') {
      const content = await whole(media.read(id));
      const { raw, response } = request;
      response.writeHead(200, headers).write(content.subarray(0, size / 2), () => raw.socket.destroy());
      return TAKEN_OVER;
    }
    return new Reply(200, media.read(id), headers);
  });

  async function store({ filename, mimeType, content }: UploadedPart): Promise<SandboxMedia> {
    const kind = kindOf(mimeType);
    if (kind === undefined)
      throw new GraphError(
        100,
        `(#100) Param file must be a file with one of the following types: ${MEDIA_TYPES.join(', ')}. Received file of type '${mimeType}'.`,
      );
    try {
      const { media: stored, entry } = await media.put(content, {
        mimeType,
        filename: filename.slice(0, 240),
        retentionMs: UPLOADED_MS,
        mostBytes: mostBytesOf(kind),
      });
      await journal.append(entry);
      return stored;
    } catch (error) {
      if (error instanceof MediaTooLarge)
        throw new GraphError(
          100,
          `(#100) Param file is too large: ${kind} files have at most ${mostBytesOf(kind)} bytes.`,
        );
      throw error;
    }
  }

  async function uploaded(request: SandboxRequest): Promise<object> {
    await gate.fault(request, 'media_upload');
    if (!(request.body instanceof Readable)) throw new GraphError(100, '(#100) The parameter file is required.');
    const { fields, taken } = await readUpload(
      request.body,
      request.raw.headers['content-type'] ?? '',
      MOST_MEDIA_BYTES,
      store,
    );
    if (taken === undefined) throw new GraphError(100, '(#100) The parameter file is required.');
    if (fields.get('messaging_product') !== 'whatsapp') {
      const entry = media.remove(taken.id);
      if (entry !== undefined) await journal.append(entry);
      throw new GraphError(100, '(#100) The parameter messaging_product is required.');
    }
    return { id: taken.id };
  }

  app.post('/:version/:id/media', { streamed: /^multipart\/form-data/i }, uploaded);
}

/** `GET /{media-id}`: where the file is. Undefined: it is no file's id. */
export async function locateMedia(
  request: SandboxRequest,
  { media, gate }: Pick<MediaApiDependencies, 'media' | 'gate'>,
): Promise<object | undefined> {
  const id = request.params.id!;
  const found = media.find(id);
  if (found === undefined) return undefined;
  const kind = (await gate.fault(request, 'media'))?.kind;
  if (kind === 'not_found') throw unknownObject(id);
  // At the address under which the caller reached the sandbox.
  return described(found, `http://${request.raw.headers.host}${media.address(id)}`, kind);
}
