/** DuckDB, an optional dependency: loaded for queries and exports, with limits on all its resources. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DomainError, refuse } from '../../domain/decider.js';
import { messageOf } from '../../engine/messageOf.js';
import { watchNativeMemory } from '../memoryWatch.js';
import { quotedText } from './columns.js';

export interface DuckBounds {
  /** MB of memory. What is more goes to the temporary folder. */
  readonly memoryMb: number;
  /** Longest time for one statement, in ms. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /**
   * Ends the process with this error. DuckDB hears an interruption only between 2,048 rows and does not count all memory of a single value.
   * Absent: such a statement is waited for.
   */
  readonly endProcess?: ((error: DomainError) => void) | undefined;
}

export interface Duck {
  readonly connection: DuckDBConnection;
  /**
   * Runs work on the connection, which ends with the signal and when the time is over. Refuses `invalid_query`, `query_not_allowed`,
   * `query_too_large`, `query_timeout`, `storage_full`.
   */
  during<R>(work: () => Promise<R>): Promise<R>;
  /** Waits for work that is not DuckDB's, such as a reader's, no longer than the statement may take. Only within `during`. */
  within<R>(work: Promise<R>): Promise<R>;
  close(): void;
}

/** Size limit of the temporary folder. */
const TEMPORARY_GB = 8;
const MOST_THREADS = 4;
/** An interruption between two statements does not reach the second, so it is repeated after this time, in ms. */
const AGAIN_MS = 100;
const MB = 1_000_000;
/** Longest that a statement takes to hear of an interruption, in ms. */
const HEARD_MS = 2_000;
/** MB that a statement may take beyond twice its memory: by then it is interrupted, and at twice that the process ends. */
const SLACK_MB = 256;

async function loaded(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ERR_MODULE_NOT_FOUND' ? '' : ` (${messageOf(error).split('\n', 1)[0]})`;
    return refuse(
      'duckdb_missing',
      `This needs DuckDB, which is not installed for this machine${why}: run 'npm install @duckdb/node-api' in the folder of Suuq, without --omit=optional.`,
    );
  }
}

/** MB of a temporary folder: what did not fit into memory. */
function spilledMb(folder: string): number {
  try {
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / MB);
  } catch {
    // A file went while it was looked at.
    return 0;
  }
}

/** The error names a lack of memory if that made the query slow. */
function lateError({ withinMs, memoryMb }: DuckBounds, spilled: number): DomainError {
  const seconds = `This takes longer than ${withinMs / 1000} s`;
  const less = 'select less of the history (type, workspace_id, time)';
  return new DomainError(
    'query_timeout',
    spilled === 0
      ? `${seconds}: ${less}, or raise --seconds.`
      : `${seconds}: it exceeds ${memoryMb} MB of memory and has spilled ${spilled} MB to disk, which is slow. Raise --memory, ${less}, or raise --seconds.`,
  );
}

const largeError = (memoryMb: number, why: string): DomainError =>
  new DomainError(
    'query_too_large',
    `This takes more than ${memoryMb} MB of memory${why}: select less of the history (type, workspace_id, time), group before you sort or join, shorten long texts, or raise --memory.`,
  );

const NO_ROOM = /No space left on device|not enough space on the disk|disk quota exceeded/i;

/** Converts DuckDB's error to one with a code and a sentence. */
export function duckError(error: unknown, { memoryMb }: Pick<DuckBounds, 'memoryMb'>): unknown {
  if (error instanceof DomainError) return error;
  const text = messageOf(error)
    .trim()
    .replace(/^Failed to extract statements: /, '');
  const of = (code: string, message: string): DomainError => new DomainError(code, message);
  if (NO_ROOM.test(text))
    return of('storage_full', `A disk is full (${text.split('\n', 1)[0]}). Free some space and repeat the command.`);
  if (/^Out of Memory Error/.test(text))
    return largeError(memoryMb, `, or ${TEMPORARY_GB} GB of the temporary folder (${text.split('\n', 1)[0]})`);
  if (/^Permission Error|disabled by configuration|configuration has been locked/.test(text))
    return of('query_not_allowed', `A query may only read events and read models. DuckDB reports: ${text}`);
  if (
    /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Out of Range|Not implemented|Constraint|Syntax|Invalid) .*Error|^Invalid Error/i.test(
      text,
    )
  )
    return of('invalid_query', text);
  return error;
}

export interface DuckOptions {
  /** A folder whose files it may read and write; no other file, and nothing of a network. */
  readonly folder?: string;
  /** True if rows must retain their order, which takes more memory. */
  readonly inOrder?: boolean;
  /** Number of its threads. Default: the machine's cores, up to 4. */
  readonly threads?: number;
}

/** Opens a database in memory. Refuses `duckdb_missing`. */
export async function openDuck(
  bounds: DuckBounds,
  { folder, inOrder = false, threads = Math.min(MOST_THREADS, availableParallelism()) }: DuckOptions = {},
): Promise<Duck> {
  const { DuckDBInstance } = await loaded();
  const temporary = mkdtempSync(join(tmpdir(), 'suuq-duckdb-'));
  const remove = (): void => rmSync(temporary, { recursive: true, force: true });
  // A terminated process leaves no files behind.
  process.once('exit', remove);
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${bounds.memoryMb}MB`,
    threads: String(threads),
    temp_directory: temporary,
    max_temp_directory_size: `${TEMPORARY_GB}GB`,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    preserve_insertion_order: String(inOrder),
  });
  const connection = await instance.connect();
  if (folder !== undefined) await connection.run(`SET allowed_directories = [${quotedText(folder)}]`);
  await connection.run("SET enable_external_access = false; SET TimeZone = 'UTC'");
  const ends = new AbortController();
  let deadline = Number.POSITIVE_INFINITY;
  return {
    connection,
    async within(work) {
      const reason = (): unknown => ends.signal.reason;
      if (ends.signal.aborted || performance.now() >= deadline)
        throw reason() ?? lateError(bounds, spilledMb(temporary));
      let stop: (() => void) | undefined;
      const over = new Promise<never>((_, reject) => {
        stop = () => reject(reason());
        ends.signal.addEventListener('abort', stop);
      });
      try {
        return await Promise.race([work, over]);
      } finally {
        ends.signal.removeEventListener('abort', stop!);
      }
    },
    async during(work) {
      const { signal, withinMs, memoryMb, endProcess } = bounds;
      signal.throwIfAborted();
      let over: DomainError | undefined;
      let again: NodeJS.Timeout | undefined;
      let last: NodeJS.Timeout | undefined;
      deadline = performance.now() + withinMs;
      const endNow = (): void => {
        remove();
        endProcess?.(over!);
      };
      const stop = (reason: DomainError): void => {
        over ??= reason;
        ends.abort(over);
        connection.interrupt();
        again ??= setInterval(() => connection.interrupt(), AGAIN_MS);
        last ??= setTimeout(endNow, HEARD_MS);
      };
      const tooLarge = (): void => stop(largeError(memoryMb, ''));
      const watches = [
        watchNativeMemory(2 * memoryMb + SLACK_MB, tooLarge),
        watchNativeMemory(2 * (memoryMb + SLACK_MB), () => {
          tooLarge();
          endNow();
        }),
      ];
      const ended = (): void => stop(signal.reason as DomainError);
      signal.addEventListener('abort', ended);
      const timer = setTimeout(() => stop(lateError(bounds, spilledMb(temporary))), withinMs);
      try {
        const result = await work();
        if (over !== undefined) throw over;
        return result;
      } catch (error) {
        throw over ?? duckError(error, bounds);
      } finally {
        clearTimeout(timer);
        clearInterval(again);
        clearTimeout(last);
        for (const end of watches) end();
        signal.removeEventListener('abort', ended);
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
      process.off('exit', remove);
      remove();
    },
  };
}
