/** Compares a document of a read model with the same document of a fresh fold. */
import type { StoredDocument } from '../ports/documents.js';
import type { Position } from '../ports/eventStore.js';

/** One document on both sides. */
export interface Pair {
  readonly id: string;
  readonly is: StoredDocument | undefined;
  readonly fresh: StoredDocument | undefined;
}

const keysText = ({ keys }: StoredDocument): string =>
  JSON.stringify(
    Object.entries(keys)
      .filter(([, value]) => value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export const areEqual = (is: StoredDocument, fresh: StoredDocument): boolean =>
  is.json === fresh.json && keysText(is) === keysText(fresh);

/** Positions of both sides. */
export interface Places {
  /** Position of the fresh fold. */
  readonly fresh: Position;
  /** Checkpoint of the views, from before they were read. */
  readonly is: Position;
}

/** Judges a pair. A sentence describes a difference between sides that have folded the same events. */
export function judge({ is, fresh }: Pair, places: Places): 'equal' | 'moving' | 'behind' | string {
  if (is !== undefined && is.revision > places.fresh) return 'moving';
  if (fresh === undefined) return is === undefined ? 'equal' : 'it should not exist';
  if (is !== undefined && areEqual(is, fresh)) return 'equal';
  if (fresh.revision > places.is) return 'behind';
  return is === undefined ? 'it is missing' : `it differs: ${difference(is.json, fresh.json)}`;
}

const AROUND = 30;

function difference(is: string, fresh: string): string {
  let at = 0;
  while (at < is.length && is[at] === fresh[at]) at += 1;
  const from = Math.max(0, at - AROUND);
  const part = (text: string): string => JSON.stringify(text.slice(from, at + AROUND));
  return is === fresh ? 'its keys differ' : `from character ${at}: ${part(is)} instead of ${part(fresh)}`;
}
