/**
 * Loaded into every service and command that a test starts. A call of `fs` that opens a file of a database fails if SQLite has that
 * database open in the same process: closing the file would drop all locks of the process on it. Linux only.
 */
import fs, { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = /\.db(?:-wal|-shm|-journal)?$/;
/** SQLite never locks a write-ahead log; see infrastructure/sqlite/vaultFlush.ts. */
const FLUSHED = /vault\.db-wal$/;
/** The copies of a backup that is being made: no other process opens them, so their locks protect nothing. */
const DRAFT = /(?:\.unfinished|\.backup-\d+)\//;
const PROCESS = '/proc/self/fd';

/** Paths of the databases' files that this process has open, in any thread. */
function openFiles(): string[] {
  return readdirSync(PROCESS).flatMap((fd) => {
    try {
      const path = readlinkSync(join(PROCESS, fd));
      return FILE.test(path) ? [path] : [];
    } catch {
      // It has been closed meanwhile.
      return [];
    }
  });
}

function absolute(path: string): string {
  try {
    return join(realpathSync(dirname(resolve(path))), basename(path));
  } catch {
    return path;
  }
}

/** Throws if the path names a file of an open database or, for copies of folders, a folder that holds one. */
function check(name: string, given: unknown): void {
  const path = given instanceof URL ? fileURLToPath(given) : given;
  if (typeof path !== 'string' || FLUSHED.test(path) || DRAFT.test(path)) return;
  const isCopy = /^cp/.test(name);
  if (!isCopy && !FILE.test(path)) return;
  const found = absolute(path);
  const open = openFiles().find((one) => one === found || (isCopy && one.startsWith(found + sep)));
  if (open !== undefined)
    throw new Error(`fs.${name} opens ${open}, which SQLite has open in this process: closing it would drop its locks`);
}

// biome-ignore lint/suspicious/noExplicitAny: functions of many shapes, handed on as they are
type Anything = any;

function guard(module: Anything, name: string): void {
  const original = module[name];
  module[name] = function guarded(this: unknown, ...given: unknown[]) {
    for (const one of given.slice(0, 2)) check(name, one);
    return original.apply(this, given);
  };
}

const BOTH = ['open', 'readFile', 'writeFile', 'appendFile', 'copyFile', 'cp', 'truncate'];

if (process.platform === 'linux') {
  for (const name of BOTH) {
    guard(fs, name);
    guard(fs, `${name}Sync`);
    const original = (fs.promises as Anything)[name];
    (fs.promises as Anything)[name] = async (...given: unknown[]) => {
      for (const one of given.slice(0, 2)) check(name, one);
      return original.apply(fs.promises, given);
    };
  }
  guard(fs, 'createReadStream');
  guard(fs, 'createWriteStream');
  syncBuiltinESMExports();
}
