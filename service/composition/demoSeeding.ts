/** Notes in the data folder that the demo store is to be filled, until that is done. */
import { existsSync, rmSync } from 'node:fs';
import type { DataFolder } from '../folder/dataFolder.js';
import { type DemoFile, SEEDING_FILE } from '../folder/demoFile.js';
import { writePrivateFile } from '../folder/privateFile.js';

/** A demo store that is to be filled. */
export interface UnseededDemo {
  readonly demo: DemoFile;
  /** Address at which the service listens. */
  readonly address: string;
  /** Runs a command of the operator. */
  execute(command: string, input: object): Promise<object>;
  /** Notes that nothing is left to do, or that a next start shall not try. */
  done(): void;
}

/** Called before the demo store is complete, so that a start after a crash fills it too. */
export const noteUnseeded = (folder: DataFolder): void => writePrivateFile(folder.file(SEEDING_FILE), '');

const forget = (folder: DataFolder): void => rmSync(folder.file(SEEDING_FILE), { force: true });

/** Returns the demo if it is to be filled. `filled`: the setting; false drops what an earlier start noted. */
export function unseededDemo(
  folder: DataFolder,
  filled: boolean,
  { demo, ...means }: { readonly demo: DemoFile | undefined } & Pick<UnseededDemo, 'address' | 'execute'>,
): UnseededDemo | undefined {
  if (demo === undefined || !existsSync(folder.file(SEEDING_FILE))) return undefined;
  if (filled) return { demo, ...means, done: () => forget(folder) };
  forget(folder);
  return undefined;
}
