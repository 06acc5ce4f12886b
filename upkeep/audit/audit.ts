/** `suuq audit verify`: recomputes the whole tree from the log, and compares it with the stored one and with every head. */

import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, LogDamaged, type Position } from '../../engine/ports/eventStore.js';
import type { StoredLog } from '../../engine/ports/storedLog.js';
import { type Hash, toHex } from '../../engine/proofs/hashing.js';
import { RunningRoot } from '../../engine/proofs/merkleTree.js';
import { readState, TILE, type TreeState, tilesDefinition, tilesOf } from '../../engine/proofs/tiles.js';
import type { KeyRing } from '../../engine/sealing/keyRing.js';
import type { Run } from '../backup/progress.js';
import { type EarlierLog, EarlierLogs, headsByLog, statementsOf } from './earlierLogs.js';
import { type AuditFault, AuditFaults } from './faults.js';
import { allHeads, headPlace, type KnownHead, KnownKeys, type OutsideHeads } from './heads.js';
import { LeafComparison } from './leafComparison.js';
import { hashIn, type LeafPage, leavesOf } from './leaves.js';
import { Times } from './times.js';

export interface AuditParts {
  readonly log: StoredLog;
  /** Undefined: no tree has been made yet. */
  readonly tiles: Pick<DocumentStore, 'get' | 'find' | 'list'> | undefined;
  /** Undefined: none is there. */
  readonly work: Pick<DocumentStore, 'find' | 'list'> | undefined;
  readonly outside: OutsideHeads;
  readonly toleranceSeconds: number;
  /** Opens what a move has sealed; absent: the keys are not here. */
  readonly ring?: KeyRing;
  /** Up to the head; computed in this thread when absent. */
  readonly leaves?: (head: Position) => AsyncGenerator<LeafPage, undefined>;
}

export interface AuditResult {
  readonly whole: boolean;
  readonly events: number;
  /** Events that the stored tree covers. */
  readonly inTree: number;
  readonly heads: number;
  /** Heads stored by other parties. */
  readonly outsideHeads: number;
  /** Over all events. */
  readonly rootHash: string;
  /** The logs that it was made of, where people were sealed on a move; the oldest first. */
  readonly earlier: readonly EarlierLog[];
  /** At most 100 of them. */
  readonly faults: readonly AuditFault[];
  readonly faultCount: number;
  readonly eventsPerSecond: number;
}

/** Streams that are named. */
const MOST_GAPS = 20;
const NOTHING: TreeState = { size: 0, position: BEFORE_ALL };

/** Reads concurrently with a writer, and changes nothing. Rejects with StoreUnavailable, or the signal's reason. */
export async function audit(parts: AuditParts, run: Run): Promise<AuditResult> {
  const startedAt = performance.now();
  const keys = await KnownKeys.of(parts.work, parts.outside.keys);
  const statements = await statementsOf(parts.work);
  const { now, before } = headsByLog(parts.outside.heads, statements);
  const audited = new Audit({ ...parts, outside: { ...parts.outside, heads: now } }, keys, statements.at(-1)?.to.size);
  await audited.all(run);
  const seconds = (performance.now() - startedAt) / 1000;
  const { log, work, ring } = parts;
  const { faults, rootAtMove } = audited;
  const earlier = await new EarlierLogs({ log, work, ring, rootAtMove, signal: run.signal }, keys, faults).all(
    statements,
    before,
  );
  return { ...audited.result(), earlier, eventsPerSecond: Math.round(audited.events / seconds) };
}

class Audit {
  readonly #parts: AuditParts;
  readonly #keys: KnownKeys;
  readonly faults = new AuditFaults();
  readonly #times: Times;
  #comparing: LeafComparison;
  /** Hashes over whole tiles, by level; compared with the stored tree at the end. */
  readonly #upper: Hash[][] = [];
  readonly #root = new RunningRoot((level, hash) => {
    if (level % 8 !== 0) return;
    const hashes = this.#upper[level / 8];
    if (hashes === undefined) this.#upper[level / 8] = [hash];
    else hashes.push(hash);
  });
  readonly #moved: number | undefined;
  /** Over the first `moved` events; undefined: the walk did not come so far. */
  rootAtMove: string | undefined;
  #state = NOTHING;
  /** Number of leaves read from the stored tree. */
  #expected = 0;
  #hasMore = true;
  #heads = 0;
  #outside = 0;
  /** The next head to check, and heads that did not fit, by their place of storage. */
  #next: KnownHead | undefined;
  #signedAt: number | undefined;
  #headWalk: AsyncGenerator<KnownHead, undefined>;
  #fits: KnownHead | undefined;
  readonly #misfits = new Map<string, { first: KnownHead; count: number }>();

  /** `moved`: events of the log when it was moved and sealed for the last time. */
  constructor(parts: AuditParts, keys: KnownKeys, moved: number | undefined) {
    this.#parts = parts;
    this.#keys = keys;
    this.#moved = moved;
    this.#times = new Times(parts.toleranceSeconds);
    this.#comparing = new LeafComparison(this.#times, BEFORE_ALL);
    this.#headWalk = allHeads(parts.work, parts.outside.heads);
  }

  get events(): number {
    return this.#root.size;
  }

  async all(run: Run): Promise<void> {
    const { tiles, log } = this.#parts;
    const hasTree = tiles !== undefined && (await tiles.list()).includes(tilesDefinition.name);
    this.#state = (hasTree && (await readState(tiles))) || NOTHING;
    this.#comparing = new LeafComparison(this.#times, this.#state.position);
    const head = await log.head();
    const walk = hasTree ? tilesOf(tiles, 0) : undefined;
    await this.#nextHead();
    try {
      for await (const page of this.#parts.leaves?.(head) ?? leavesOf(log, head)) {
        run.signal.throwIfAborted();
        await this.#page(page, walk);
        const done = `${this.events.toLocaleString('en')} events`;
        run.report({ phase: 'log', share: Math.min(1, (page.through + 1) / (head + 1)), done });
      }
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      this.faults.add('log', `behind event ${this.events}`, error.message);
    }
    await this.#end(walk);
  }

  async #page(page: LeafPage, walk: AsyncGenerator<TileLike, undefined> | undefined): Promise<void> {
    for (let i = 0; i < page.positions.length; i += 1) {
      const hash = hashIn(page, i);
      const [position, time] = [page.positions[i]!, page.times[i]!];
      this.#comparing.find({ hash, position, time, signedAt: this.#signedAt });
      this.#root.add(hash);
      if (this.#root.size === this.#moved) this.rootAtMove = toHex(this.#root.root());
      if (this.#next?.head.size === this.#root.size) await this.#headsHere();
    }
    while (walk !== undefined && this.#hasMore) {
      const { leaves, found } = this.#comparing.waiting;
      if (leaves >= found) break;
      await this.#expectTile(walk);
    }
    const leaves = walk === undefined || !this.#hasMore;
    this.#comparing.advance({ leaves, found: false });
  }

  async #expectTile(walk: AsyncGenerator<TileLike, undefined>): Promise<void> {
    const { value } = await walk.next();
    this.#hasMore = value !== undefined && value.hashes.length === TILE;
    if (value === undefined) return;
    const { hashes, positions } = value;
    const count = Math.min(hashes.length, this.#state.size - this.#expected);
    for (let i = 0; i < count; i += 1) this.#comparing.expect({ hash: hashes[i]!, position: positions[i]! });
    this.#expected += count;
    if (this.#expected >= this.#state.size) this.#hasMore = false;
  }

  async #nextHead(): Promise<void> {
    for (;;) {
      const { value } = await this.#headWalk.next();
      this.#next = value ?? undefined;
      this.#signedAt = this.#next && Date.parse(this.#next.head.time) * 1000;
      if (this.#next === undefined) return;
      this.#heads += 1;
      if (this.#next.source !== undefined) this.#outside += 1;
      if (this.#keys.check(this.#next, this.faults)) return;
    }
  }

  async #headsHere(): Promise<void> {
    const root = toHex(this.#root.root());
    while (this.#next?.head.size === this.#root.size) {
      if (this.#next.head.rootHash === root) this.#fits = this.#next;
      else this.#misfit(this.#next);
      await this.#nextHead();
    }
  }

  /** All behind the first one do not fit either. */
  #misfit(known: KnownHead): void {
    const found = this.#misfits.get(known.source ?? '');
    if (found === undefined) this.#misfits.set(known.source ?? '', { first: known, count: 1 });
    else found.count += 1;
  }

  async #end(walk: AsyncGenerator<TileLike, undefined> | undefined): Promise<void> {
    while (walk !== undefined && this.#hasMore) await this.#expectTile(walk);
    if (walk !== undefined && this.#expected < this.#state.size)
      this.faults.add('tree', `leaf ${this.#expected}`, `the stored tree should have ${this.#state.size} leaves`);
    this.#comparing.advance({ leaves: true, found: true });
    await this.#comparing.report(this.faults, {
      event: (position) => this.#describe(position),
      lacking: () => this.#lacking(),
    });
    if (walk !== undefined && this.#comparing.alike) await this.#compareUpper();
    for (; this.#next !== undefined; await this.#nextHead())
      this.faults.add('head', headPlace(this.#next), `the log has only ${this.events} events: some were removed`);
    for (const { first, count } of this.#misfits.values()) this.#reportMisfit(first, count);
  }

  #reportMisfit(first: KnownHead, count: number): void {
    const from = this.#fits === undefined ? 0 : this.#fits.head.size;
    const since = from === 0 || from >= first.head.size ? 'before it' : `after the first ${from}, which are unchanged`;
    const more = count > 1 ? `; ${count - 1} later ones do not fit either` : '';
    this.faults.add(
      'head',
      headPlace(first),
      `the log differs from what was signed: an event was changed ${since}${more}`,
    );
  }

  async #describe(position: Position): Promise<string> {
    const { events } = await this.#parts.log.readAfter(position - 1, 1);
    const found = events.find((event) => event.position === position);
    if (found === undefined) return `position ${position}`;
    return `position ${position} (${found.type}, revision ${found.revision} of ${found.stream})`;
  }

  /** The last event of a stream leaves no gap. */
  async #lacking(): Promise<string> {
    const gaps = (await this.#parts.log.gaps?.(MOST_GAPS)) ?? [];
    if (gaps.length === 0) return '';
    return `; the log lacks ${gaps.map(({ stream, revision }) => `revision ${revision} of ${stream}`).join(', ')}`;
  }

  /** The hashes of hashes, where all leaves are right. */
  async #compareUpper(): Promise<void> {
    for (let level = 1; level < this.#upper.length; level += 1) {
      const right = this.#upper[level]!;
      let at = 0;
      const count = Math.floor(this.#state.size / TILE ** level);
      for await (const { number, hashes } of tilesOf(this.#parts.tiles!, level)) {
        for (const hash of hashes.slice(0, count - at)) {
          if (hash !== right[at])
            this.faults.add('tree', `tile ${number} of level ${level}`, `hash ${at % TILE} of it is wrong`);
          at += 1;
        }
      }
      if (at < count) this.faults.add('tree', `level ${level}`, `the stored tree lacks ${count - at} hashes`);
    }
  }

  result(): Omit<AuditResult, 'eventsPerSecond' | 'earlier'> {
    const { list: faults, count: faultCount } = this.faults;
    return {
      whole: faultCount === 0,
      events: this.events,
      inTree: this.#state.size,
      heads: this.#heads,
      outsideHeads: this.#outside,
      rootHash: toHex(this.#root.root()),
      faults,
      faultCount,
    };
  }
}

interface TileLike {
  readonly hashes: readonly Hash[];
  readonly positions: readonly Position[];
}
