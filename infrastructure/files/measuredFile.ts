/** Bytes on their way into a store: counted, hashed, and ended where they must end. */
import { createHash } from 'node:crypto';
import { FileTooLarge, type StoredFile } from '../../application/ports/fileStore.js';

export interface Measured {
  /** The content as it is; throws `FileTooLarge` beyond the limit, and the signal's reason once it is aborted. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Once `bytes` has ended. */
  result(): StoredFile;
}

export interface Limits {
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
}

/** Measures a file whose bytes are stored. */
export async function hashed(content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    hash.update(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}

/** Ends a source that nobody reads to its end, without waiting for one that hangs. */
export function abandon(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().catch(() => undefined);
}

/** Lets each of many waits end with the signal, without holding on to what the waits before have come to. */
class Ending {
  readonly #signal: AbortSignal | undefined;
  readonly #end = (): void => this.#reject?.(this.#signal?.reason);
  #reject: ((reason: unknown) => void) | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#end);
  }
  unless<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#signal?.aborted) this.#end();
      else work().then(resolve, reject);
    });
  }
  over(): void {
    this.#signal?.removeEventListener('abort', this.#end);
  }
}

/** Passes `content` on, without holding it, until it ends or must. */
export function measured(content: AsyncIterable<Uint8Array>, { mostBytes, signal }: Limits): Measured {
  const hash = createHash('sha256');
  let size = 0;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    const iterator = content[Symbol.asyncIterator]();
    const ending = new Ending(signal);
    let ended = false;
    try {
      for (;;) {
        const next = await ending.unless(() => iterator.next());
        if (next.done) {
          ended = true;
          return;
        }
        size += next.value.byteLength;
        if (size > mostBytes) throw new FileTooLarge(mostBytes);
        hash.update(next.value);
        yield next.value;
      }
    } finally {
      ending.over();
      if (!ended) abandon(iterator);
    }
  }
  return { bytes: bytes(), result: () => ({ size, sha256: hash.digest('hex') }) };
}
