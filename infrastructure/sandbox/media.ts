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

/** `folder`: where the bytes stay over a restart; a temporary one, removed at the end, when absent. */
export class SandboxMediaStore {
  readonly #clock: Clock;
  readonly #folder: string | undefined;
  readonly #most: typeof MOST;
  readonly #files = new Map<string, SandboxMedia>();
  readonly #expired = new Map<string, number>();
  readonly #secret = randomBytes(32);
  #bytes = 0;
  #place: Promise<string> | undefined;
  #path: string;

  constructor(clock: Clock, folder?: string, most = MOST) {
    this.#clock = clock;
    this.#folder = folder;
    this.#most = most;
    this.#path = folder ?? '';
  }

  /** Reads `content` to its end, also when there is too much of it (`MediaTooLarge`): nothing of it stays then. */
  async put(
    content: AsyncIterable<Uint8Array>,
    { mimeType, filename, retentionMs, mostBytes }: NewMedia,
  ): Promise<{ media: SandboxMedia; entry: MediaEntry }> {
    const id = String(randomInt(1e14, 2 ** 48 - 1));
    const file = join(await this.#ready(), id);
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
    const at = this.#clock.now();
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
    this.apply(entry);
    return { media, entry };
  }

  list(): readonly SandboxMedia[] {
    return [...this.#files.values()];
  }

  read(id: string): Readable {
    return createReadStream(join(this.#path, id));
  }

  /** Path and query of a place that is good for 5 minutes. */
  address(id: string): string {
    const until = String(Math.floor((this.#clock.now() + ADDRESS_MS) / 1_000));
    return `/attachments/${id}?ext=${until}&hash=${this.#proofOf(id, until)}`;
  }

  /** True if an issued address is still valid. */
  admits(id: string, until: string, proof: string): boolean {
    return (
      this.find(id) !== undefined && proof === this.#proofOf(id, until) && this.#clock.now() < Number(until) * 1_000
    );
  }

  /** No address that was given out until now is good any more. */
  expire(id: string): void {
    this.#expired.set(id, (this.#expired.get(id) ?? 0) + 1);
  }

  /** The channel does not know it any more. */
  remove(id: string): MediaEntry | undefined {
    const media = this.find(id);
    if (media === undefined) return undefined;
    const entry: MediaEntry = { kind: 'media', media: { ...media, goneAt: this.#clock.now() } };
    this.apply(entry);
    return entry;
  }

  *entries(): Iterable<MediaEntry> {
    for (const media of this.#files.values()) yield { kind: 'media', media };
  }

  /** Removes what is left of uploads that a killed process did not finish. */
  async tidy(): Promise<void> {
    if (this.#folder === undefined) return;
    for (const name of await readdir(await this.#ready()))
      if (!this.#files.has(name)) await rm(join(this.#path, name), { force: true });
  }

  async close(): Promise<void> {
    if (this.#folder === undefined && this.#place !== undefined)
      await rm(await this.#place, { recursive: true, force: true });
  }

  apply({ media }: MediaEntry): void {
    this.#bytes += media.size - (this.#files.get(media.id)?.size ?? 0);
    this.#files.set(media.id, media);
    while (this.#files.size > 1 && (this.#files.size > this.#most.files || this.#bytes > this.#most.bytes))
      this.#forget(this.#files.keys().next().value!);
  }

  /** Undefined if it is unknown or expired. */
  find(id: string): SandboxMedia | undefined {
    const media = this.#files.get(id);
    return media !== undefined && this.#clock.now() < media.goneAt ? media : undefined;
  }

  #ready(): Promise<string> {
    this.#place ??= (async () => {
      this.#path = this.#folder ?? (await mkdtemp(join(tmpdir(), 'suuq-sandbox-')));
      await mkdir(this.#path, { recursive: true, mode: 0o700 });
      return this.#path;
    })();
    return this.#place;
  }

  #proofOf(id: string, until: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${id} ${until} ${this.#expired.get(id) ?? 0}`)
      .digest('hex');
  }

  #forget(id: string): void {
    this.#bytes -= this.#files.get(id)?.size ?? 0;
    this.#files.delete(id);
    this.#expired.delete(id);
    void rm(join(this.#path, id), { force: true }).catch(() => {});
  }
}
