import { type FileHandle, open } from 'node:fs/promises';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { codeOf } from './database.js';

/**
 * Flushes the vault's write-ahead log outside the thread that answers requests. Commits made during a flush share the next one.
 *
 * The only code that opens a file of an open database. It is safe because SQLite locks bytes of `vault.db` and `vault.db-shm`, never of
 * the log: closing the log drops no lock.
 */
export class VaultFlush {
  readonly #log: string;
  #file: Promise<FileHandle> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** `path`: of the vault, which the driver has open until `close` has resolved; so its log stays the same file. */
  constructor(path: string) {
    this.#log = `${path}-wal`;
  }

  /** Resolves when the flush that is on its way has ended, however it did. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  done(): Promise<void> {
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  async close(): Promise<void> {
    await this.idle();
    await (await this.#file?.catch(() => undefined))?.close();
    this.#file = undefined;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#flush();
    return this.#running;
  }

  async #flush(): Promise<void> {
    try {
      this.#file ??= open(this.#log, 'r');
      await (await this.#file).datasync();
    } catch (error) {
      this.#file = undefined;
      throw new StoreUnavailable(`vault.db cannot be written: ${codeOf(error)}`, { cause: error });
    } finally {
      if (this.#next === undefined) this.#running = undefined;
    }
  }
}
