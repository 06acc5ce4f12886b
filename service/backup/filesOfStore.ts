import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** A path below a folder, with `/` between its parts. `known`: it is a name that the file store gives. */
export interface Found {
  readonly name: string;
  readonly known: boolean;
}

const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;
const MOST_PARTS = 4;

/** The files below a folder one by one, however many there are; without those that the file store has not finished. */
export async function* filesBelow(folder: string, before: readonly string[] = []): AsyncGenerator<Found> {
  const entries = await opendir(join(folder, ...before)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (entries === undefined) return;
  for await (const entry of entries) {
    if (entry.name === '.unfinished') continue;
    const parts = [...before, entry.name];
    if (entry.isDirectory() && parts.length < MOST_PARTS) yield* filesBelow(folder, parts);
    else yield { name: parts.join('/'), known: entry.isFile() && parts.every((part) => PART.test(part)) };
  }
}
