/**
 * Stored form of the tree: tiles of up to 256 hashes. Tile n of level 0 has the leaves from 256n on. A hash of a higher
 * level is the root over a full tile of the level below. Tiles depend only on the log, so every writer writes the same
 * tiles.
 */
import type { CollectionDefinition, DocumentStore, NewDocument, StoredDocument } from '../ports/documents.js';
import type { EventMark, Position } from '../ports/eventStore.js';
import { HASH_BYTES, type Hash, rootOver } from './hashing.js';

export const TILE = 256;
/** Levels of the tree in one tile. */
const HEIGHT = 8;

export const tilesDefinition: CollectionDefinition = {
  name: 'proofTiles',
  keys: { level: 'number', number: 'number', first: 'number' },
  indexes: [{ keys: ['level', 'number'] }, { keys: ['level', '-first'] }],
};

/** Single document: progress of the tree. */
const treeDefinition: CollectionDefinition = { name: 'proofTree', keys: {}, indexes: [] };
const TREE = 'tree';

export interface TreeState {
  /** Number of leaves. */
  readonly size: number;
  /** Everything up to here is in the tree. */
  readonly position: Position;
  /** Newest event in the tree. It identifies the log. */
  readonly mark?: EventMark;
}

interface TileBody {
  /** In base64. */
  readonly hashes: string;
  /**
   * Level 0 only: positions of the events, 8 bytes each (little-endian double), in base64. Absent if the positions are
   * consecutive.
   */
  readonly positions?: string;
}

export interface Tile {
  readonly number: number;
  readonly hashes: readonly Hash[];
  /** Level 0 only. */
  readonly positions: readonly Position[];
}

/** Creates missing collections. */
export async function openTiles(store: Pick<DocumentStore, 'open'>): Promise<void> {
  await store.open(tilesDefinition);
  await store.open(treeDefinition);
}

export async function readState(store: Pick<DocumentStore, 'get'>): Promise<TreeState | undefined> {
  return (await store.get<TreeState>(treeDefinition.name, TREE))?.body;
}

/**
 * Writes the state after its tiles, so that the state never refers to missing tiles. A state older than the stored one
 * has no effect.
 */
export const writeState = (store: Pick<DocumentStore, 'write'>, state: TreeState): Promise<void> =>
  store.write({ [treeDefinition.name]: { put: [{ id: TREE, keys: {}, body: state, revision: state.position + 2 }] } });

export const tileId = (level: number, number: number): string => `${level}-${String(number).padStart(12, '0')}`;

export function tileDocument(level: number, { number, hashes, positions }: Tile): NewDocument {
  const first = positions[0] ?? null;
  const isDense = first === null || positions.at(-1)! - first === positions.length - 1;
  const body: TileBody = {
    hashes: Buffer.from(hashes.join(''), 'latin1').toString('base64'),
    ...(isDense ? {} : { positions: Buffer.from(Float64Array.from(positions).buffer).toString('base64') }),
  };
  return { id: tileId(level, number), keys: { level, number, first }, body, revision: hashes.length };
}

function tileOf({ keys, body }: StoredDocument<TileBody>): Tile {
  const text = Buffer.from(body.hashes, 'base64').toString('latin1');
  const count = Math.floor(text.length / HASH_BYTES);
  const hashes = Array.from({ length: count }, (_, i) => text.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES));
  return { number: Number(keys.number), hashes, positions: positionsOf(keys.first as number | null, count, body) };
}

function positionsOf(first: number | null, count: number, { positions }: TileBody): Position[] {
  if (first === null) return [];
  if (positions === undefined) return Array.from({ length: count }, (_, i) => first + i);
  const bytes = Buffer.from(positions, 'base64');
  return Array.from({ length: Math.min(count, bytes.length >> 3) }, (_, i) => bytes.readDoubleLE(i << 3));
}

export async function readTile(
  store: Pick<DocumentStore, 'get'>,
  level: number,
  number: number,
): Promise<Tile | undefined> {
  const found = await store.get<TileBody>(tilesDefinition.name, tileId(level, number));
  return found && tileOf(found);
}

/** Returns the tile of level 0 with the greatest first position up to `position`. */
export async function tileAt(store: Pick<DocumentStore, 'find'>, position: Position): Promise<Tile | undefined> {
  const where = { level: 0, first: { lte: position } };
  const [found] = await store.find<TileBody>(tilesDefinition.name, { where, sort: ['-first'], limit: 1 });
  return found && tileOf(found);
}

const PAGE = 32;

/** Yields the tiles of a level in order. One page is in memory at a time. */
export async function* tilesOf(store: Pick<DocumentStore, 'find'>, level: number): AsyncGenerator<Tile, undefined> {
  for (let next = 0; ; ) {
    const where = { level, number: { gte: next } };
    const page = await store.find<TileBody>(tilesDefinition.name, { where, sort: ['number'], limit: PAGE });
    for (const one of page) yield tileOf(one);
    if (page.length < PAGE) return undefined;
    next = Number(page.at(-1)!.keys.number) + 1;
  }
}

/** Returns the tile of a node, and the node's place in it: `2**(level % 8)` hashes from `offset` on. */
export function placeOfNode(level: number, index: number) {
  const height = level % HEIGHT;
  const first = index * 2 ** height;
  const number = Math.floor(first / TILE);
  return { level: Math.floor(level / HEIGHT), number, offset: first - number * TILE, count: 2 ** height };
}

export const nodeIn = ({ hashes }: Pick<Tile, 'hashes'>, { offset, count }: { offset: number; count: number }): Hash =>
  rootOver(hashes.slice(offset, offset + count));
