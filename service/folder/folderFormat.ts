/** Which release has written a data folder, and whether this one understands it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './privateFile.js';

/**
 * Format of a data folder. It is incremented by a release after whose first start an older one could no longer work on the folder.
 * Additions (a new event, a new view, a file that others ignore) do not change it. 2: customers' data in events are sealed, and their
 * streams have other names, which a release that only knows 1 would take for missing.
 */
export const FOLDER_FORMAT = 2;

const FILE = 'format.json';
/** Maximum number of recorded releases, the latest first. */
const MOST_BEFORE = 20;

export interface StoredFormat {
  readonly format: number;
  /** The release that started on the folder last, and since when. */
  readonly release: string;
  readonly since: string;
  readonly before: readonly { readonly release: string; readonly since: string }[];
}

/** A newer release has written the folder in a way that this one does not know. */
export class NewerFolder extends Error {
  override readonly name = 'NewerFolder';
  constructor(folder: string, { format, release }: StoredFormat) {
    super(
      `The data folder ${folder} was written by release ${release}, in format ${format}, but this release supports formats up to ${FOLDER_FORMAT}. Run release ${release} or newer, or restore a backup from before the upgrade. Nothing was changed.`,
    );
  }
}

/** Undefined before the first start: no release has recorded it. */
export function storedFormat(folder: string): StoredFormat | undefined {
  const path = join(folder, FILE);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StoredFormat;
  } catch {
    // It holds nothing that cannot be written again; what is damaged besides is found by those who read it.
    return undefined;
  }
}

const newerOf = (folder: string): StoredFormat | undefined => {
  const stored = storedFormat(folder);
  return stored !== undefined && stored.format > FOLDER_FORMAT ? stored : undefined;
};

export const isNewer = (folder: string): boolean => newerOf(folder) !== undefined;

/** Throws NewerFolder. */
export function refuseNewer(folder: string): void {
  const stored = newerOf(folder);
  if (stored !== undefined) throw new NewerFolder(folder, stored);
}

/** Records that this release works on the folder; written only if that has changed. `since`: ISO 8601. */
export function noteFormat(folder: string, release: string, since: string): void {
  const stored = storedFormat(folder);
  if (stored?.format === FOLDER_FORMAT && stored.release === release) return;
  const last = stored === undefined ? [] : [{ release: stored.release, since: stored.since }, ...stored.before];
  const next: StoredFormat = { format: FOLDER_FORMAT, release, since, before: last.slice(0, MOST_BEFORE) };
  writePrivateFile(join(folder, FILE), `${JSON.stringify(next)}\n`);
}
