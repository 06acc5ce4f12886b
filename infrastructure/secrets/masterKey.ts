import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

function read(path: string): Buffer | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a master key; put the right file back.`);
    return Buffer.from(text, 'hex');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** On the disk under a name of its own first, then linked: the file is never seen half written, and the first one wins. */
function create(folder: string, path: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toString('hex')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(folder);
}

/** A new key would start a service that can open none of its stored secrets. */
export class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing';
}

/**
 * The installation's master key (32 bytes): the setting when there is one, otherwise `<folder>/master.key` (mode 0600,
 * 64 hexadecimal digits), made on the first start. Whoever loses it loses every stored secret, so it must be backed up
 * apart from the data.
 */
export function loadMasterKey(folder: string, setting?: Uint8Array): Uint8Array {
  if (setting !== undefined) return setting;
  const path = join(folder, 'master.key');
  const stored = read(path);
  if (stored !== undefined) return stored;
  if (existsSync(join(folder, 'events.db')))
    throw new MasterKeyMissing(
      `${path} is missing, but the folder holds events whose secrets it sealed. Restore it from your backup, or set SUUQ_MASTER_KEY.`,
    );
  create(folder, path);
  return read(path)!;
}
