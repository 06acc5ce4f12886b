/** Names of the files of a store, and of the other entries in its folder. */

const PART = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}';
/** Parts of a name, between slashes. */
export const MOST_PARTS = 4;
const NAME = new RegExp(`^${PART}(?:/${PART}){0,${MOST_PARTS - 1}}$`);

/** Up to four parts of letters, digits, `.`, `_` and `-`: none can lead out of the store. */
export const isFileName = (name: string): boolean => NAME.test(name);

/** Throws for a name that is none of a file. */
export function checkedName(name: string): string {
  if (!isFileName(name)) throw new RangeError(`${JSON.stringify(name)} is no name of a file`);
  return name;
}

/** Below the folder of a store: files that are being written. No file's name begins so. */
export const DRAFTS = '.unfinished';
