/** The sandbox's files: what customers sent and what the service uploaded, in a folder, with addresses that expire. */

import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { defined } from '../../domain/defined.js';
import type { Clock } from '../../engine/ports/clock.js';

export interface SandboxMedia {
  readonly id: string;
  readonly mimeType: string;
  readonly filename?: string;
  /** Hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** ms since 1970. */
  readonly at: number;
  /** From here on, in ms since 1970, the channel does not know it. */
  readonly goneAt: number;
}

/** A file as the journal keeps it. */
export interface MediaEntry {
  readonly kind: 'media';
  readonly media: SandboxMedia;
}

export class MediaTooLarge extends Error {
  override readonly name = 'MediaTooLarge';
}

/** How long the channel keeps a file that a customer sent, and one that was uploaded. (shared reference: 'Media'.) */
export const RECEIVED_MS = 7 * 86_400_000;
export const UPLOADED_MS = 30 * 86_400_000;
const ADDRESS_MS = 5 * 60_000;
/** The oldest go when there are more. */
const MOST = { files: 2_000, bytes: 512 * 1024 * 1024 };

export interface NewMedia {
  readonly mimeType: string;
  readonly filename?: string;
  readonly retentionMs: number;
  readonly mostBytes: number;
}

export interface SandboxMediaStore {
  /** Reads `content` to its end, also when there is too much of it (`MediaTooLarge`): nothing of it stays then. */
  put(content: AsyncIterable<Uint8Array>, about: NewMedia): Promise<{ media: SandboxMedia; entry: MediaEntry }>;
  /** Undefined if it is unknown or expired. */
  find(id: string): SandboxMedia | undefined;
  list(): readonly SandboxMedia[];
  read(id: string): Readable;
  /** Path and query of a place that is good for 5 minutes. */
  address(id: string): string;
  /** True if an issued address is still valid. */
  admits(id: string, until: string, proof: string): boolean;
  /** No address that was given out until now is good any more. */
  expire(id: string): void;
  /** The channel does not know it any more. */
  remove(id: string): MediaEntry | undefined;
  apply(entry: MediaEntry): void;
  entries(): Iterable<MediaEntry>;
  /** Removes what is left of uploads that a killed process did not finish. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** `folder`: where the bytes stay over a restart; a temporary one, removed at the end, when absent. */
export function createMedia(clock: Clock, folder?: string, most = MOST): SandboxMediaStore {
  const files = new Map<string, SandboxMedia>();
  const expired = new Map<string, number>();
  const secret = randomBytes(32);
  let bytes = 0;
  let place: Promise<string> | undefined;
  let path = folder ?? '';

  const ready = (): Promise<string> => {
    place ??= (async () => {
      path = folder ?? (await mkdtemp(join(tmpdir(), 'suuq-sandbox-')));
      await mkdir(path, { recursive: true, mode: 0o700 });
      return path;
    })();
    return place;
  };
  const proofOf = (id: string, until: string): string =>
    createHmac('sha256', secret)
      .update(`${id} ${until} ${expired.get(id) ?? 0}`)
      .digest('hex');

  function forget(id: string): void {
    bytes -= files.get(id)?.size ?? 0;
    files.delete(id);
    expired.delete(id);
    void rm(join(path, id), { force: true }).catch(() => {});
  }

  function apply({ media }: MediaEntry): void {
    bytes += media.size - (files.get(media.id)?.size ?? 0);
    files.set(media.id, media);
    while (files.size > 1 && (files.size > most.files || bytes > most.bytes)) forget(files.keys().next().value!);
  }

  const find = (id: string): SandboxMedia | undefined => {
    const media = files.get(id);
    return media !== undefined && clock.now() < media.goneAt ? media : undefined;
  };

  return {
    async put(content, { mimeType, filename, retentionMs, mostBytes }) {
      const id = String(randomInt(1e14, 2 ** 48 - 1));
      const file = join(await ready(), id);
      const hash = createHash('sha256');
      let size = 0;
      // Open before anything can fail: what is removed then does not come back.
      const handle = await open(file, 'w', 0o600);
      try {
        await pipeline(
          content,
          async function* counted(source: AsyncIterable<Uint8Array>) {
            for await (const chunk of source) {
              size += chunk.length;
              if (size > mostBytes) continue;
              hash.update(chunk);
              yield chunk;
            }
            if (size > mostBytes) throw new MediaTooLarge(`The file has more than ${mostBytes} bytes.`);
          },
          handle.createWriteStream(),
        );
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
      const at = clock.now();
      const media: SandboxMedia = {
        id,
        mimeType,
        ...defined({ filename }),
        sha256: hash.digest('hex'),
        size,
        at,
        goneAt: at + retentionMs,
      };
      const entry: MediaEntry = { kind: 'media', media };
      apply(entry);
      return { media, entry };
    },
    find,
    list: () => [...files.values()],
    read: (id) => createReadStream(join(path, id)),
    address(id) {
      const until = String(Math.floor((clock.now() + ADDRESS_MS) / 1_000));
      return `/attachments/${id}?ext=${until}&hash=${proofOf(id, until)}`;
    },
    admits: (id, until, proof) =>
      find(id) !== undefined && proof === proofOf(id, until) && clock.now() < Number(until) * 1_000,
    expire: (id) => void expired.set(id, (expired.get(id) ?? 0) + 1),
    remove(id) {
      const media = find(id);
      if (media === undefined) return undefined;
      const entry: MediaEntry = { kind: 'media', media: { ...media, goneAt: clock.now() } };
      apply(entry);
      return entry;
    },
    apply,
    *entries() {
      for (const media of files.values()) yield { kind: 'media', media };
    },
    async tidy() {
      if (folder === undefined) return;
      for (const name of await readdir(await ready()))
        if (!files.has(name)) await rm(join(path, name), { force: true });
    },
    async close() {
      if (folder === undefined && place !== undefined) await rm(await place, { recursive: true, force: true });
    },
  };
}
