/** Locks that a process holds on the databases of a data folder, as Linux lists them. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Byte of a `-shm` file that each process with a connection locks. A process that finds it free assumes that it is the
 * first one, and empties the file.
 */
const CONNECTED = 128;
/** First of the bytes of a database that each connection in write-ahead mode locks. */
const SHARED = 0x40000000 + 2;

/** Returns the names of the files in the folder that the process has open. */
function openIn(folder: string, pid: number): Set<string> {
  const names = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`))
    try {
      const path = readlinkSync(`/proc/${pid}/fd/${fd}`);
      if (path === join(folder, basename(path))) names.add(basename(path));
    } catch {
      // The file was closed meanwhile.
    }
  return names;
}

/** Returns the databases that the process has open without the locks that protect them from other processes. */
export function unprotected(folder: string, pid: number): string[] {
  const open = openIn(folder, pid);
  const locks = readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[4] === String(pid));
  const isLocked = (name: string, byte: number): boolean => {
    const inode = String(statSync(join(folder, name)).ino);
    return locks.some(
      ([, , , , , place, from, to]) => place?.split(':')[2] === inode && Number(from) <= byte && byte <= Number(to),
    );
  };
  return [...open].filter(
    (name) =>
      (name.endsWith('.db-shm') && !isLocked(name, CONNECTED)) || (name.endsWith('.db') && !isLocked(name, SHARED)),
  );
}
