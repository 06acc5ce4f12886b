/** Moves the write-ahead logs of all embedded files into the files. */
import type { Log } from '../../engine/ports/log.js';
import { type Checkpointer, startCheckpointer } from '../../infrastructure/sqlite/checkpointer.js';
import type { DocumentEngine, EventEngine } from '../engines/engines.js';
import type { TreePlaces } from '../proofs/treePlaces.js';
import type { VaultPlace } from './privacy/vaults.js';

interface Files {
  readonly events: Pick<EventEngine, 'files'>;
  readonly documents: Pick<DocumentEngine, 'files'>;
  readonly vault: VaultPlace;
  /** The tree over the log, and the index of the history, are made when their thread begins. */
  readonly tree: TreePlaces;
}

const fileOf = (place: { readonly file: string } | { readonly url: string }): readonly string[] =>
  'file' in place ? [place.file] : [];

/** Undefined: nothing is embedded. */
export function startCheckpointing({ events, documents, vault, tree }: Files, log: Log): Checkpointer | undefined {
  const index = tree.index === undefined ? [] : [tree.index];
  const files = [...events.files, ...documents.files, ...fileOf(vault), ...fileOf(tree.tiles), ...index];
  if (files.length === 0) return undefined;
  return startCheckpointer(files, (error) => log.warn({ err: error }, 'write-ahead log checkpoint failed'));
}
