/** Proofs of a log's contents: heads that are signed from time to time, and bundles that can be verified without the service. */
import { refuse } from '../../domain/decider.js';
import { unconfirmedMs } from '../../engine/clockEvidence.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { ProvenPage } from '../../engine/proofs/logTree.js';
import type { SignedStatement } from '../../engine/proofs/moveStatement.js';
import type { SignedHead } from '../../engine/proofs/treeHead.js';
import { statementsIn } from './movedLogs.js';
import {
  BUNDLE,
  type BundledEvent,
  bundledEvent,
  CONSISTENCY,
  type ConsistencyBundle,
  type ProofBundle,
} from './proofBundles.js';
import { type KeyParts, ProofKeys, type PublicKey, proofKeys } from './signingKeys.js';
import { headOfSize, latestHead, proofHeads, storeHead } from './treeHeads.js';

/** The tree, wherever it is processed. Rejects with OtherTree and TreeDamaged. */
export interface TreeWork {
  /** Extends the tree to the current end of the log. Returns the number of leaves. `gently`: nobody waits for it. */
  advance(options: { readonly gently: boolean }): Promise<number>;
  /** In hexadecimal digits. */
  root(size: number): Promise<string>;
  consistency(from: number, size: number): Promise<readonly string[]>;
  proven(stream: string, from: number, limit: number, size: number): Promise<ProvenPage>;
}

export interface ProofParts extends Omit<KeyParts, 'work'> {
  readonly work: Pick<DocumentStore, 'open' | 'get' | 'find' | 'list' | 'insert' | 'replace' | 'removeWhere'>;
  readonly tree: TreeWork;
}

/** Maximum events of a stream in a bundle. */
export const MOST_EVENTS = 10_000;
/** Events per read, and the maximum of their bytes in all. */
const PAGE = 500;
const MOST_BYTES = 64 * 1024 * 1024;
const SWEPT = 500;

export class Proofs {
  readonly keys: ProofKeys;
  readonly #parts: ProofParts;
  #opened: Promise<void> | undefined;

  constructor(parts: ProofParts) {
    this.#parts = parts;
    this.keys = new ProofKeys(parts);
  }

  /** Opens the collections, and creates missing ones. */
  open(): Promise<void> {
    this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #open(): Promise<void> {
    await this.#parts.work.open(proofKeys);
    await this.#parts.work.open(proofHeads);
  }

  async latest(): Promise<SignedHead | undefined> {
    await this.open();
    return latestHead(this.#parts.work);
  }

  /** Refuses `not_found`. */
  async head(size: number): Promise<SignedHead> {
    await this.open();
    return (
      (await headOfSize(this.#parts.work, size)) ??
      refuse('not_found', `No head was signed at ${size} events, or it is no longer stored.`)
    );
  }

  async publicKeys(): Promise<readonly PublicKey[]> {
    await this.open();
    return this.keys.all();
  }

  /** Returns the statements that were signed when the log was moved and sealed, the oldest first. */
  statements(): Promise<readonly SignedStatement[]> {
    return statementsIn(this.#parts.work);
  }

  /**
   * Extends the tree to the end of the log and signs its head, unless that is signed. Refuses `nothing_to_sign`, `log_contradicts_head`.
   */
  async sign(): Promise<SignedHead> {
    return this.signAt(await this.#parts.tree.advance({ gently: false }));
  }

  /** Same as `sign`, for the current tree. */
  async signAt(size: number): Promise<SignedHead> {
    const { tree, work, clock } = this.#parts;
    const before = await this.latest();
    if (size === 0) refuse('nothing_to_sign', 'The log has no events yet.');
    if (before !== undefined) {
      if (before.size === size) return before;
      await this.#requireSameHistory(before, size);
    }
    const time = new Date(clock.now()).toISOString();
    const head = await this.keys.sign({ size, rootHash: await tree.root(size), time });
    if (!(await storeHead(work, head, before))) return this.head(size);
    if (unconfirmedMs(clock) === 0) await work.removeWhere(proofHeads.name, { expiresAt: { lte: clock.now() } }, SWEPT);
    return head;
  }

  /** Refuses to sign a log that contradicts a signed head. */
  async #requireSameHistory({ size, rootHash }: SignedHead, now: number): Promise<void> {
    if (now >= size && (await this.#parts.tree.root(size)) === rootHash) return;
    refuse(
      'log_contradicts_head',
      `The first ${size} events of the log differ from the signed ones. Signing has stopped. Run 'suuq audit verify' to list the differences.`,
    );
  }

  /** Returns the proof that the log of one head is the start of the other's. Refuses `not_found`, `range_reversed`. */
  async consistency(from: number, to: number): Promise<ConsistencyBundle> {
    if (from > to) refuse('range_reversed', `A log of ${to} events cannot extend a log of ${from} events.`);
    const [was, is] = [await this.head(from), await this.head(to)];
    const path = await this.#parts.tree.consistency(from, to);
    return { format: CONSISTENCY, from: was, to: is, keys: await this.#keysOf(was, is), path };
  }

  /**
   * Returns the events of a stream with their proofs. Signs a head first if none covers them all. Refuses `not_found`, `bundle_too_large`.
   */
  async bundle(stream: string): Promise<ProofBundle> {
    const latest = await this.latest();
    const found = latest && (await this.#proven(stream, latest.size));
    if (latest !== undefined && found?.whole) return this.#bundleOf(stream, latest, found.events);
    const head = await this.sign();
    const { events } = await this.#proven(stream, head.size);
    if (events.length === 0) refuse('not_found', `There is no stream ${stream} in the log.`);
    return this.#bundleOf(stream, head, events);
  }

  async #bundleOf(stream: string, head: SignedHead, events: readonly BundledEvent[]): Promise<ProofBundle> {
    return { format: BUNDLE, stream, head, keys: await this.#keysOf(head), events };
  }

  async #keysOf(...heads: readonly SignedHead[]) {
    const requested = new Set(heads.map(({ keyId }) => keyId));
    const keys = (await this.keys.all()).filter(({ keyId }) => requested.has(keyId));
    return keys.map(({ keyId, publicKey }) => ({ keyId, publicKey }));
  }

  /** `whole`: true if all events of the stream are included. */
  async #proven(stream: string, size: number): Promise<{ events: BundledEvent[]; whole: boolean }> {
    const events: BundledEvent[] = [];
    let bytes = 0;
    for (let next = 0; ; ) {
      const page = await this.#parts.tree.proven(stream, next, PAGE, size);
      for (const one of page.events) {
        bytes += one.event.data.length + one.event.meta.length;
        events.push(bundledEvent(one));
      }
      if (events.length > MOST_EVENTS || bytes > MOST_BYTES)
        refuse(
          'bundle_too_large',
          `${stream} exceeds the limits of a bundle: ${MOST_EVENTS} events and ${MOST_BYTES} bytes.`,
        );
      if (page.beyond || page.events.length < PAGE) return { events, whole: !page.beyond && events.length > 0 };
      next = events.at(-1)!.revision + 1;
    }
  }
}
