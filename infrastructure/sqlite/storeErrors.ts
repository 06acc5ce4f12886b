/** Errors of the SQLite driver in the terms of the ports: they are the file's, never the document's or the event's. */
import { StorageFull, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { FileDamaged } from '../../engine/ports/fileDamaged.js';
import { codeOf, isFull } from './database.js';

/** The error of a port, known code or not; what does not come from the driver is returned as it is. */
export function storeError(error: unknown, file: string): unknown {
  if (error instanceof FileDamaged) return error;
  const code = codeOf(error);
  if (isFull(error)) return new StorageFull(`${file} cannot be written: ${code}`, { cause: error });
  return code.startsWith('SQLITE_') ? new StoreUnavailable(`${file} cannot be used: ${code}`, { cause: error }) : error;
}

/** Runs work on a file, and throws the converted error of `storeError`. */
export function onFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error, file);
  }
}
