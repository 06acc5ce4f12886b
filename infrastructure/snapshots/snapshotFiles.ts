/**
 * Snapshots as files: `snapshots/{hash of the stream}.jsonl` with a line for the header, one for each chunk, and an end. Files, not a
 * table: the system's threads write and flush them, so even a large one never delays the event loop or a commit of events. A new file is
 * written next to the old one and renamed when it is on the disk.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Snapshot, SnapshotStore } from '../../engine/ports/snapshots.js';

interface Header {
  readonly stream: string;
  readonly revision: number;
  /** Absent in files of earlier releases. */
  readonly event?: string | undefined;
  readonly version: number;
}

/** Not an object, so no chunk looks like it. */
const END = '"end"\n';
const UNFINISHED = '.part';
/** The mark of the last clearing. */
const MARK = 'cleared';
const READ_BYTES = 256 * 1024;
/** Text gathered before a write, in characters, and the longest time spent on gathering, in ms. */
const WRITE_CHARS = 256 * 1024;
const SLICE_MS = 4;

/** Opens the snapshots in `folder`/snapshots, creating it when missing, and clears away unfinished ones. */
export async function openSnapshotFiles(folder: string): Promise<SnapshotStore> {
  const place = join(folder, 'snapshots');
  await mkdir(place, { recursive: true, mode: 0o700 });
  for (const name of await readdir(place)) if (name.endsWith(UNFINISHED)) await rm(join(place, name), { force: true });
  // Most streams have none, which this set shows without a file system call.
  const known = new Set((await readdir(place)).filter((name) => name !== MARK));
  const nameOf = (stream: string): string => `${createHash('sha256').update(stream).digest('hex').slice(0, 40)}.jsonl`;
  let saves = 0;
  let clears = 0;
  const marked = join(place, MARK);
  async function clear(): Promise<void> {
    clears += 1;
    for (const name of known) await rm(join(place, name), { force: true });
    known.clear();
  }
  return {
    async load(stream) {
      const name = nameOf(stream);
      return known.has(name) ? load(join(place, name), stream) : undefined;
    },
    clear,
    async clearBefore(mark) {
      if ((await readFile(marked, 'utf8').catch(() => '')) === String(mark)) return;
      await clear();
      await writeFile(marked, String(mark), { mode: 0o600 });
    },
    async save(stream, { revision, event, version }, chunks) {
      saves += 1;
      const before = clears;
      const name = nameOf(stream);
      const file = join(place, name);
      const unfinished = `${file}.${saves}${UNFINISHED}`;
      try {
        await write(unfinished, { stream, revision, event, version }, chunks);
        await rename(unfinished, file);
        if (before === clears) known.add(name);
        else await rm(file, { force: true });
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
  };
}

async function write(file: string, header: Header, chunks: Iterable<object>): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    let text = `${JSON.stringify(header)}\n`;
    let since = performance.now();
    for (const chunk of chunks) {
      text += `${JSON.stringify(chunk)}\n`;
      if (text.length < WRITE_CHARS && performance.now() - since < SLICE_MS) continue;
      await handle.write(text);
      await turn();
      text = '';
      since = performance.now();
    }
    await handle.write(text + END);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function load(file: string, stream: string): Promise<Snapshot | undefined> {
  const handle = await open(file, 'r');
  try {
    const header = (await isComplete(handle)) ? ((await linesOf(handle).next()).value as Header) : undefined;
    if (header?.stream !== stream) return undefined;
    const { revision, event, version } = header;
    return { revision, event, version, chunks: chunksOf(file, header) };
  } finally {
    await handle.close();
  }
}

async function isComplete(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  const tail = Buffer.alloc(END.length);
  await handle.read(tail, 0, END.length, Math.max(0, size - END.length));
  return tail.toString('latin1') === END;
}

async function* chunksOf(file: string, expected: Header): AsyncGenerator<object> {
  const handle = await open(file, 'r');
  try {
    const lines = linesOf(handle);
    const header = (await lines.next()).value as Header;
    if (header.revision !== expected.revision) throw new Error(`the snapshot of ${expected.stream} has been replaced`);
    for await (const line of lines) if (typeof line === 'object') yield line;
  } finally {
    await handle.close();
  }
}

async function* linesOf(handle: FileHandle): AsyncGenerator<object> {
  const buffer = Buffer.alloc(READ_BYTES);
  let pending: Buffer[] = [];
  let position = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    let from = 0;
    for (let end = buffer.indexOf(10); end !== -1 && end < bytesRead; end = buffer.indexOf(10, from)) {
      const line = Buffer.concat([...pending, buffer.subarray(from, end)]);
      pending = [];
      from = end + 1;
      yield JSON.parse(line.toString('utf8')) as object;
    }
    if (from < bytesRead) pending.push(Buffer.from(buffer.subarray(from, bytesRead)));
  }
}
