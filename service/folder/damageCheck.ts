/** Looks for damaged files of a data folder. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../engine/messageOf.js';
import { FileDamaged } from '../../engine/ports/fileDamaged.js';
import type { Log } from '../../engine/ports/log.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { type Damage, damageOf, parsedFile, REMEDIES } from './damagedFiles.js';

/** Checks that a file is whole, by its extension; throws FileDamaged. */
function checkFile(folder: string, file: string): void {
  const path = join(folder, file);
  if (!existsSync(path)) return;
  if (file.endsWith('.json')) parsedFile(file, readFileSync(path, 'utf8'), () => true);
  else openDatabase(path, { readonly: true, cacheKb: 16 }).close();
}

/** Files that are damaged at their beginning, but for the log, which has a check of its own. */
export const damagedIn = (folder: string): readonly Damage[] =>
  damagedAmong(
    folder,
    Object.keys(REMEDIES).filter((file) => file !== 'events.db'),
  );

/** Files that hold JSON and are damaged. No database is opened. */
export const damagedJsonIn = (folder: string): readonly Damage[] =>
  damagedAmong(
    folder,
    Object.keys(REMEDIES).filter((file) => file.endsWith('.json')),
  );

function damagedAmong(folder: string, files: readonly string[]): readonly Damage[] {
  return files.flatMap((file) => {
    try {
      checkFile(folder, file);
      return [];
    } catch (error) {
      if (error instanceof FileDamaged) return [damageOf(error)];
      throw error;
    }
  });
}

const VIEWS = 'views.db';
/** Next to `views.db`: it was found to be damaged further back than a start looks. Holds the reason. */
const VIEWS_MARK = `${VIEWS}.damaged`;

/** Has the next start make the read models again. */
export function markDamagedViews(folder: string, reason: string, log: Log): void {
  try {
    writeFileSync(join(folder, VIEWS_MARK), reason, { mode: 0o600 });
  } catch (error) {
    log.error({ file: VIEWS_MARK, reason: messageOf(error) }, 'marking damaged read models failed');
  }
}

/** Read models are made of the log: where their file is damaged, they are built again. Call it before anything has the file open. */
export function removeDamagedViews(folder: string, log: Log): void {
  const reason = damagedViews(folder);
  if (reason === undefined) return;
  // The mark last: a start that is killed meanwhile is continued by the next one.
  for (const name of [VIEWS, `${VIEWS}-wal`, `${VIEWS}-shm`, `${VIEWS}-journal`, VIEWS_MARK])
    rmSync(join(folder, name), { force: true });
  log.warn({ file: join(folder, VIEWS), reason }, 'views.db was damaged, rebuilding read models');
}

function damagedViews(folder: string): string | undefined {
  const mark = join(folder, VIEWS_MARK);
  if (existsSync(mark)) return readFileSync(mark, 'utf8');
  try {
    checkFile(folder, VIEWS);
    return undefined;
  } catch (error) {
    if (error instanceof FileDamaged) return error.reason;
    throw error;
  }
}
