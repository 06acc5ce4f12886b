import { open } from 'node:fs/promises';

/** So that the folder's entries are on the disk too, and not its files alone. */
export async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
