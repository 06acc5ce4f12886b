/** Builds the tree over a log in the background, and proofs from the tree. */
import { setTimeout as pause } from 'node:timers/promises';
import { markOf } from '../ports/eventStore.js';
import type { StoredEvent, StoredLog } from '../ports/storedLog.js';
import { type Hash, toHex } from './hashing.js';
import { leafOf, timeOf } from './leaf.js';
import { consistencyPath, inclusionPath, rootOf } from './merkleTree.js';
import type { NewLeaf, Tree } from './tree.js';

/** Events per page. A page is in memory as a whole. */
const PAGE = 2_000;
/** Longest pause between two pages of a gentle advance, in ms. */
const LONGEST_REST_MS = 1_000;

/** The tree was built from another log, for example before an older copy of the log was restored. */
export class OtherTree extends Error {
  override readonly name = 'OtherTree';
}

/** An event with its proof. */
export interface ProvenEvent {
  readonly event: StoredEvent;
  /** Microseconds since 1970. */
  readonly time: number;
  /** Index of the leaf. */
  readonly index: number;
  /** Hashes in hexadecimal digits, nearest to the leaf first. */
  readonly path: readonly string[];
}

export interface ProvenPage {
  readonly events: readonly ProvenEvent[];
  /** True if the stream has further events beyond the requested size of the tree. */
  readonly beyond: boolean;
}

export interface AdvanceOptions {
  /** Pauses after each page for as long as the page took, to leave CPU time for other work. */
  readonly gently?: boolean;
  readonly signal?: AbortSignal;
}

export class LogTree {
  readonly #log: StoredLog;
  readonly #tree: Tree;
  #known = false;
  #running: Promise<number> | undefined;
  #gently = true;

  constructor(log: StoredLog, tree: Tree) {
    this.#log = log;
    this.#tree = tree;
  }

  get size(): number {
    return this.#tree.state.size;
  }

  /**
   * Extends the tree to the current end of the log, and returns the number of leaves. Only one run is active at a time.
   * A later caller waits for the active run, then starts or joins another. A caller that is not gentle speeds up the
   * active run. Rejects with OtherTree, or with the signal's reason.
   */
  async advance({ gently = false, signal }: AdvanceOptions = {}): Promise<number> {
    this.#gently = gently;
    // The active run may have read the end of the log already.
    await this.#running?.catch(() => undefined);
    if (this.#running === undefined) {
      this.#running = this.#advanced(signal).finally(() => {
        this.#running = undefined;
      });
    }
    return this.#running;
  }

  async #advanced(signal: AbortSignal | undefined): Promise<number> {
    await this.#tree.refresh();
    if (!this.#known) await this.#requireSameLog();
    this.#known = true;
    for (;;) {
      signal?.throwIfAborted();
      const startedAt = performance.now();
      const { position } = this.#tree.state;
      const page = await this.#log.readAfter(position, PAGE);
      const leaves = page.events.map((event): NewLeaf => ({ hash: leafOf(event), position: event.position }));
      const last = page.events.at(-1);
      if (page.through > position) await this.#tree.add(leaves, page.through, last && markOf(last));
      if (page.end) return this.size;
      if (this.#gently)
        await pause(Math.min(LONGEST_REST_MS, performance.now() - startedAt), undefined, signal && { signal });
    }
  }

  async #requireSameLog(): Promise<void> {
    const { mark } = this.#tree.state;
    if (mark === undefined) return;
    const [found] = await this.#log.readStream(mark.stream, mark.revision, 1);
    if (found?.id === mark.id && found.position === mark.position) return;
    throw new OtherTree(
      `the proof tree has event ${mark.revision} of ${mark.stream} at position ${mark.position}, but the log does not. Run 'suuq audit verify' to list the differences. If this log is the right one, remove the tree: it is rebuilt.`,
    );
  }

  async root(size: number): Promise<string> {
    return toHex(await rootOf(this.#tree.subtree, size));
  }

  async consistency(from: number, size: number): Promise<string[]> {
    return (await consistencyPath(this.#tree.subtree, from, size)).map(toHex);
  }

  /**
   * Returns up to `limit` events of a stream from a revision on, each with its proof. Considers only the first `size`
   * events of the log.
   */
  async proven(stream: string, from: number, limit: number, size: number): Promise<ProvenPage> {
    const events: ProvenEvent[] = [];
    await this.#tree.refresh();
    for (const event of await this.#log.readStream(stream, from, limit)) {
      const index = await this.#tree.indexOf(event.position);
      if (index === undefined || index >= size) return { events, beyond: true };
      const path: Hash[] = await inclusionPath(this.#tree.subtree, index, size);
      events.push({ event, time: timeOf(event), index, path: path.map(toHex) });
    }
    return { events, beyond: false };
  }

  async close(): Promise<void> {
    await this.#log.close();
  }
}
