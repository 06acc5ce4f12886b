import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolderNow } from '../files/flushFolder.js';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** At least one: the first seals, the others only open. */
export type MasterKeys = readonly [Uint8Array, ...Uint8Array[]];

function read(path: string): MasterKeys | undefined {
  try {
    const lines = readFileSync(path, 'utf8').trim().split(/\s+/);
    if (!lines.every((line) => /^[0-9a-f]{64}$/.test(line)))
      throw new Error(`${path} does not contain a master key. Restore the right file.`);
    const [first, ...others] = lines.map((line) => Buffer.from(line, 'hex'));
    return [first!, ...others];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
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
  flushFolderNow(folder);
}

/** Those that are set, or lie in the folder; undefined where there are none. Makes nothing. */
export const findMasterKeys = (folder: string, setting?: MasterKeys): MasterKeys | undefined =>
  setting ?? read(join(folder, 'master.key'));

/** A new key would start a service that can open none of its stored secrets. */
export class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing';
}

/**
 * The installation's master keys (32 bytes each): the setting if there is one, otherwise `<folder>/master.key` (mode 0600, 64 hexadecimal
 * digits, one key a line), created on the first start. Losing it loses every stored secret, so it must be backed up separately from the
 * data.
 */
export function loadMasterKeys(folder: string, setting?: MasterKeys): MasterKeys {
  if (setting !== undefined) return setting;
  const path = join(folder, 'master.key');
  const stored = read(path);
  if (stored !== undefined) return stored;
  if (existsSync(join(folder, 'events.db')))
    throw new MasterKeyMissing(
      `${path} is missing, but the folder has events with secrets that it encrypted. Restore it from your backup, or set SUUQ_MASTER_KEY.`,
    );
  create(folder, path);
  return read(path)!;
}
