/** A data folder is private to its owner: it holds customers' names and numbers, and keys. */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../engine/ports/log.js';

/** Names in the folder. `.` is the folder itself. */
export interface Openness {
  /** Others could read, or write, and cannot any more. */
  readonly mended: readonly string[];
  /** Others still can: it is not this user's, or holds more than an installation. */
  readonly left: readonly string[];
}

/** Everything that an installation makes, its files while they are written included. `lost+found` is of a disk of its own. */
const OURS = [
  /^(events|views|work|proofs|vault|lock)\.db(-wal|-shm|-journal)?$/,
  /^(events\.head|restore\.unfinished)$/,
  /^(demo|service|format|sandbox-keys|endpoint-credentials)\.json(\.|$)/,
  /^master\.key(\.|$)/,
  /^endpoint\.(crt|key)$/,
  /^sandbox\.jsonl(\.|$)/,
  /^(snapshots|files|eventstoredb|sandbox-media|admin\.sock|lost\+found)$/,
];
const isOurs = (name: string): boolean => OURS.some((pattern) => pattern.test(name));

const GROUP_AND_OTHERS = 0o077;
const STICKY = 0o1000;

type Closed = keyof Openness | undefined;

/** Undefined: it was closed already. A link leads to a place that somebody chose: it is left alone. */
function close(path: string): Closed {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink() || (found.mode & GROUP_AND_OTHERS) === 0) return undefined;
  // A folder that all users share, such as /tmp.
  if ((found.mode & STICKY) !== 0) return 'left';
  try {
    chmodSync(path, found.mode & 0o7777 & ~GROUP_AND_OTHERS);
    return 'mended';
  } catch {
    return 'left';
  }
}

/** Entries of an installation in the folder, and `.`, that other users can read or write. Changes nothing. */
export function openToOthers(folder: string): readonly string[] {
  const names = readdirSync(folder).filter(isOurs);
  return ['.', ...names].filter((name) => {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink() && (found.mode & GROUP_AND_OTHERS) !== 0;
  });
}

/**
 * Takes from others what they may do with an installation's files and folders; a closed folder closes all below it. The
 * folder itself stays as it is when it holds other things too, such as a home directory does.
 */
export function closeToOthers(folder: string): Openness {
  const names = readdirSync(folder);
  const closed = names.filter(isOurs).map((name): [string, Closed] => [name, close(join(folder, name))]);
  const isOpen = (lstatSync(folder).mode & GROUP_AND_OTHERS) !== 0;
  closed.push(['.', names.every(isOurs) ? close(folder) : isOpen ? 'left' : undefined]);
  const those = (state: Closed): string[] => closed.filter(([, one]) => one === state).map(([name]) => name);
  return { mended: those('mended'), left: those('left') };
}

/** Logs the entries that were accessible to other users, so that an operator learns of the exposure. */
export function logOpenness({ path, openness }: { path: string; openness: Openness }, log: Log): void {
  const { mended, left } = openness;
  if (mended.length > 0)
    log.warn({ folder: path, mended }, 'data folder was readable by other users, permissions fixed');
  if (left.length > 0)
    log.warn(
      { folder: path, left },
      'data folder may be readable by other users and permissions could not be fixed: use a separate folder with mode 0700, owned by this user',
    );
}
