/** Tree over a log, stored as tiles in a document store. */
import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventMark, type Position } from '../ports/eventStore.js';
import { type Hash, rootOver } from './hashing.js';
import {
  nodeIn,
  openTiles,
  placeOfNode,
  readState,
  readTile,
  TILE,
  type Tile,
  type TreeState,
  tileAt,
  tileDocument,
  tileId,
  tilesDefinition,
  writeState,
} from './tiles.js';

type Store = Pick<DocumentStore, 'open' | 'get' | 'find' | 'write'>;

export interface NewLeaf {
  readonly hash: Hash;
  readonly position: Position;
}

/** Maximum number of cached full tiles, 16 KB each. */
const KEPT = 64;
const NOTHING: TreeState = { size: 0, position: BEFORE_ALL };

/** A tile is missing or shorter than the state of the tree requires. The tree must be rebuilt from the log. */
export class TreeDamaged extends Error {
  override readonly name = 'TreeDamaged';
}

/** Tile that is not full yet. */
interface OpenTile {
  readonly number: number;
  readonly hashes: Hash[];
  readonly positions: Position[];
}

export class Tree {
  readonly #store: Store;
  #state: TreeState = NOTHING;
  /** Open tiles by level; absent until needed. */
  #open: (OpenTile | undefined)[] = [];
  readonly #cached = new Map<string, Tile>();

  private constructor(store: Store) {
    this.#store = store;
  }

  static async open(store: Store): Promise<Tree> {
    await openTiles(store);
    const tree = new Tree(store);
    await tree.refresh();
    return tree;
  }

  get state(): TreeState {
    return this.#state;
  }

  /** Loads the state that other instances have written. */
  async refresh(): Promise<void> {
    const stored = (await readState(this.#store)) ?? NOTHING;
    if (stored.position === this.#state.position) return;
    this.#state = stored;
    this.#open = [];
  }

  /** Adds leaves and moves the tree to `through`. An interruption leaves the tree unchanged. */
  async add(leaves: readonly NewLeaf[], through: Position, mark: EventMark | undefined): Promise<void> {
    const touched = new Map<string, { level: number; tile: Tile }>();
    let { size } = this.#state;
    try {
      for (const { hash, position } of leaves) {
        await this.#put(0, size, hash, position, touched);
        size += 1;
      }
      const put = [...touched.values()].map(({ level, tile }) => tileDocument(level, tile));
      if (put.length > 0) await this.#store.write({ [tilesDefinition.name]: { put } });
      const newest = mark ?? this.#state.mark;
      const state = { size, position: through, ...defined({ mark: newest }) };
      await writeState(this.#store, state);
      this.#state = state;
    } catch (error) {
      this.#open = [];
      throw error;
    }
  }

  /** `index`: index of the hash in its level. */
  async #put(
    level: number,
    index: number,
    hash: Hash,
    position: Position | undefined,
    touched: Map<string, { level: number; tile: Tile }>,
  ): Promise<void> {
    const tile = await this.#openTile(level, index);
    tile.hashes.push(hash);
    if (position !== undefined) tile.positions.push(position);
    touched.set(tileId(level, tile.number), { level, tile });
    if (tile.hashes.length < TILE) return;
    this.#open[level] = undefined;
    await this.#put(level + 1, tile.number, rootOver(tile.hashes), undefined, touched);
  }

  async #openTile(level: number, index: number): Promise<OpenTile> {
    const known = this.#open[level];
    if (known !== undefined) return known;
    const number = Math.floor(index / TILE);
    const count = index - number * TILE;
    const stored = count === 0 ? undefined : await this.#tile(level, number, count);
    // Hashes beyond the end of the tree are from an interrupted write, and are added again.
    const hashes = stored?.hashes.slice(0, count) ?? [];
    const made = { number, hashes, positions: stored?.positions.slice(0, count) ?? [] };
    this.#open[level] = made;
    return made;
  }

  /** Returns a tile with at least `count` hashes. Rejects with TreeDamaged. */
  async #tile(level: number, number: number, count: number): Promise<Tile> {
    const id = tileId(level, number);
    const retained = this.#cached.get(id);
    if (retained !== undefined) return retained;
    const tile = await readTile(this.#store, level, number);
    if (tile === undefined || tile.hashes.length < count)
      throw new TreeDamaged(
        `the proof tree lacks hash ${count - 1} of tile ${id}. Stop the service and remove proofs.db: it is rebuilt.`,
      );
    if (tile.hashes.length === TILE) this.#cache(id, tile);
    return tile;
  }

  #cache(id: string, tile: Tile): void {
    if (this.#cached.size >= KEPT) this.#cached.delete(this.#cached.keys().next().value!);
    this.#cached.set(id, tile);
  }

  /** Returns the hash of a complete subtree, for `merkleTree.ts`. Rejects with TreeDamaged. */
  readonly subtree = async (level: number, index: number): Promise<Hash> => {
    const place = placeOfNode(level, index);
    return nodeIn(await this.#tile(place.level, place.number, place.offset + place.count), place);
  };

  /** Returns the leaf index of the event at a position; undefined if the event is not in the tree. */
  async indexOf(position: Position): Promise<number | undefined> {
    const tile = await tileAt(this.#store, position);
    const at = tile?.positions.indexOf(position) ?? -1;
    if (tile === undefined || at === -1) return undefined;
    const index = tile.number * TILE + at;
    return index < this.#state.size ? index : undefined;
  }
}
