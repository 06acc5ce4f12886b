import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFTS, isFileName, MOST_PARTS } from '../../infrastructure/files/fileNames.js';

/** A path below a folder, with `/` between its parts. `known`: it is a name that the file store gives. */
export interface Found {
  readonly name: string;
  readonly known: boolean;
}

/** The files below a folder one by one, however many there are; without those that the file store has not finished. */
export async function* filesBelow(folder: string, before: readonly string[] = []): AsyncGenerator<Found> {
  const entries = await opendir(join(folder, ...before)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (entries === undefined) return;
  for await (const entry of entries) {
    if (entry.name === DRAFTS) continue;
    const parts = [...before, entry.name];
    const name = parts.join('/');
    if (entry.isDirectory() && parts.length < MOST_PARTS) yield* filesBelow(folder, parts);
    else yield { name, known: entry.isFile() && isFileName(name) };
  }
}
