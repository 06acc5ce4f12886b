/** Makes the tree over a log, off the way of any request, and the proofs from it. */
import { setTimeout as pause } from 'node:timers/promises';
import { markOf } from '../ports/eventStore.js';
import type { StoredEvent, StoredLog } from '../ports/storedLog.js';
import { type Hash, toHex } from './hashing.js';
import { leafOf, timeOf } from './leaf.js';
import { consistencyPath, inclusionPath, rootOf } from './merkleTree.js';
import type { NewLeaf, Tree } from './tree.js';

/** Events of one page, which are in memory. */
const PAGE = 2_000;
/** Longest rest between two pages where the tree is far behind and nobody waits for it, in ms. */
const LONGEST_REST_MS = 1_000;

/** The tree was made of another log than there is now, such as of a newer one whose copy was put back. */
export class OtherTree extends Error {
  override readonly name = 'OtherTree';
}

/** An event with its proof. */
export interface ProvenEvent {
  readonly event: StoredEvent;
  /** Microseconds since 1970. */
  readonly time: number;
  /** Of its leaf. */
  readonly index: number;
  /** In hexadecimal digits, nearest first. */
  readonly path: readonly string[];
}

export interface ProvenPage {
  readonly events: readonly ProvenEvent[];
  /** Others of the stream stand behind the tree's part that was asked for. */
  readonly beyond: boolean;
}

export interface AdvanceOptions {
  /** Rests as long as it worked, so that others have a core of two. */
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
   * To the log's end as it is now; answers how many leaves there are. One at a time: who comes while it goes on waits for
   * its end, and makes it hurry unless it has time itself. Rejects with OtherTree, or the signal's reason.
   */
  async advance({ gently = false, signal }: AdvanceOptions = {}): Promise<number> {
    this.#gently = gently;
    // What is under way may have looked for the end already.
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
      const begun = performance.now();
      const { position } = this.#tree.state;
      const page = await this.#log.readAfter(position, PAGE);
      const leaves = page.events.map((event): NewLeaf => ({ hash: leafOf(event), position: event.position }));
      const last = page.events.at(-1);
      if (page.through > position) await this.#tree.add(leaves, page.through, last && markOf(last));
      if (page.end) return this.size;
      if (this.#gently)
        await pause(Math.min(LONGEST_REST_MS, performance.now() - begun), undefined, signal && { signal });
    }
  }

  async #requireSameLog(): Promise<void> {
    const { mark } = this.#tree.state;
    if (mark === undefined) return;
    const [found] = await this.#log.readStream(mark.stream, mark.revision, 1);
    if (found?.id === mark.id && found.position === mark.position) return;
    throw new OtherTree(
      `the tree of proofs knows event ${mark.revision} of ${mark.stream} at position ${mark.position}, which the log does not hold there: 'suuq audit verify' names what differs; where this log is the one that is meant, the tree is to be removed and is made anew`,
    );
  }

  async root(size: number): Promise<string> {
    return toHex(await rootOf(this.#tree.subtree, size));
  }

  async consistency(from: number, size: number): Promise<string[]> {
    return (await consistencyPath(this.#tree.subtree, from, size)).map(toHex);
  }

  /** Events of a stream among the first `size` of the log, at most `limit` from a revision on, each with its proof. */
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
