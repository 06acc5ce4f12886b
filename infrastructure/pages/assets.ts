/** Files that pages load: scripts and styles, under an address that changes with their content. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Assets {
  readonly folder: string;
  /** The address of the folder, such as `/assets/3f0c9a1b2d4e`. */
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * The files of a folder. One hash over all of them is the prefix of their paths, so that a script finds the modules it imports next to
 * itself. Throws if there are none: the build has not created them.
 */
export function assetsOf(place: URL): Assets {
  const folder = fileURLToPath(place);
  const all = existsSync(folder) ? readdirSync(folder) : [];
  const files = all.filter((file) => /\.(?:js|css)$/.test(file)).sort();
  if (files.length === 0) throw new Error(`There are no page files in ${folder}: run 'npm run build'.`);
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return { folder, path: `/assets/${hash.digest('hex').slice(0, 12)}`, files };
}
