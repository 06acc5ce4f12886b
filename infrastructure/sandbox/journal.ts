/** The sandbox's memory on disk: one JSON line a change, read at the start, rewritten shorter when it has grown. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export interface Journal {
  /** Resolves when the operating system has it: a killed process loses nothing that was answered. */
  append(entry: object): Promise<void>;
  close(): Promise<void>;
}

/** State of the journal. Applying an entry twice is the same as once. */
export interface JournalState {
  apply(entry: unknown): void;
  /** Entries that lead to the present state. */
  entries(): Iterable<object>;
}

const LINES_AT_ONCE = 200;
const LEAST_BYTES = 16 * 1024 * 1024;
const GROWTH = 4;

export const noJournal: Journal = { append: async () => {}, close: async () => {} };

async function readLines(file: string, state: JournalState): Promise<void> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {
      continue; // The last line of a process that was killed.
    }
    state.apply(entry);
  }
}

/** Writes a new file next to the old one and replaces it; returns its size in bytes. */
async function rewrite(file: string, state: JournalState): Promise<number> {
  const newFile = `${file}.new`;
  const handle = await open(newFile, 'w', 0o600);
  let size = 0;
  try {
    let lines: string[] = [];
    const flush = async (): Promise<void> => {
      const text = lines.join('');
      lines = [];
      size += Buffer.byteLength(text);
      await handle.appendFile(text);
    };
    for (const entry of state.entries()) {
      lines.push(`${JSON.stringify(entry)}\n`);
      if (lines.length >= LINES_AT_ONCE) await flush();
    }
    await flush();
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(newFile, file);
  return size;
}

/**
 * Opens the journal of `file`, after everything in it was applied. It is rewritten when it has grown fourfold, from
 * `leastBytes` on.
 */
export async function openJournal(file: string, state: JournalState, leastBytes = LEAST_BYTES): Promise<Journal> {
  await rm(`${file}.new`, { force: true });
  await readLines(file, state).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  let base = await rewrite(file, state);
  let size = base;
  let handle: FileHandle = await open(file, 'a', 0o600);
  let waiting: string[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    // One turn of the event loop collects what belongs together.
    await new Promise(setImmediate);
    const text = waiting.join('');
    waiting = [];
    writing = undefined;
    await handle.appendFile(text);
    size += Buffer.byteLength(text);
    if (size < Math.max(leastBytes, GROWTH * base)) return;
    await handle.close();
    base = await rewrite(file, state);
    size = base;
    handle = await open(file, 'a', 0o600);
  }

  let last: Promise<void> = Promise.resolve();
  return {
    append(entry) {
      waiting.push(`${JSON.stringify(entry)}\n`);
      if (writing === undefined) {
        const before = last;
        writing = before.catch(() => {}).then(write);
        last = writing;
      }
      return writing;
    },
    async close() {
      await last.catch(() => {});
      await handle.close();
    },
  };
}
