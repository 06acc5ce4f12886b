/** Roots over a log, computed anew from what stands in it: as it is, and as it was before a move sealed it. */
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { StoredEvent, StoredLog } from '../../engine/ports/storedLog.js';
import { type Hash, toHex } from '../../engine/proofs/hashing.js';
import { leafOf } from '../../engine/proofs/leaf.js';
import { RunningRoot } from '../../engine/proofs/merkleTree.js';
import type { LogRoot } from '../../engine/proofs/moveStatement.js';
import type { KeyOf, KeyRing } from '../../engine/sealing/keyRing.js';
import { beforeMove, boxesIn, MOVED, SEALED } from '../../engine/sealing/sealedData.js';

/** The leaves of some events; undefined: one of them cannot be told. */
export type Leaves = (events: readonly StoredEvent[]) => Promise<readonly Hash[] | undefined>;

export const leavesAsStored: Leaves = async (events) => events.map((event) => leafOf(event));

const MARK = Buffer.from(`"${SEALED}"`);
const json = (bytes: Uint8Array): object => JSON.parse(Buffer.from(bytes).toString()) as object;
const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** The data of those that have boxes; undefined of others. */
const boxedData = (events: readonly StoredEvent[]): readonly (object | undefined)[] =>
  events.map((event) => (event.json && Buffer.from(event.data).includes(MARK) ? json(event.data) : undefined));

/** Whose boxes a move has made. */
function personsOf(all: readonly (object | undefined)[]): Set<string> {
  const made = all.flatMap((data) => (data && boxesIn(data)) ?? []).filter(([, , , , how]) => how === MOVED);
  return new Set(made.map(([, person]) => person));
}

function leafBeforeMove(event: StoredEvent, data: object | undefined, keyOf: KeyOf): Hash | undefined {
  if (data === undefined) return leafOf(event);
  const was = beforeMove({ id: uuidOf(event.id), data, meta: json(event.meta) }, keyOf);
  return was && leafOf({ ...event, data: bytes(was.data), meta: bytes(was.meta) });
}

/** As they were before a move sealed them: nobody can tell once somebody in them was forgotten. Rejects with VaultIncomplete, BoxUnreadable. */
export const leavesBeforeMove =
  (ring: KeyRing): Leaves =>
  async (events) => {
    const boxed = boxedData(events);
    const persons = personsOf(boxed);
    const keyOf = persons.size === 0 ? () => undefined : await ring.of(persons);
    const leaves: Hash[] = [];
    for (const [at, event] of events.entries()) {
      const leaf = leafBeforeMove(event, boxed[at], keyOf);
      if (leaf === undefined) return undefined;
      leaves.push(leaf);
    }
    return leaves;
  };

/** As it stands in events, which their boxes are bound to. */
const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Events that are in memory at once. */
const PAGE = 1_000;

export interface RootWalk {
  readonly leaves: Leaves;
  /** Only so many events; all when absent. */
  readonly size?: number;
  /** Told after each event. */
  seen?(size: number, root: () => string): void | Promise<void>;
  readonly signal?: AbortSignal;
}

/** Undefined: the leaves cannot be told. Rejects with LogDamaged, StoreUnavailable, the signal's reason, or as `leaves` does. */
export async function logRoot(log: Pick<StoredLog, 'readAfter'>, walk: RootWalk): Promise<LogRoot | undefined> {
  const { leaves, size = Number.POSITIVE_INFINITY, seen, signal } = walk;
  const running = new RunningRoot();
  const root = (): string => toHex(running.root());
  for (let after = BEFORE_ALL; running.size < size; ) {
    signal?.throwIfAborted();
    const page = await log.readAfter(after, PAGE);
    const hashes = await leaves(page.events.slice(0, size - running.size));
    if (hashes === undefined) return undefined;
    for (const hash of hashes) {
      running.add(hash);
      const waiting = seen?.(running.size, root);
      if (waiting !== undefined) await waiting;
    }
    if (page.end) break;
    after = page.through;
  }
  return { size: running.size, rootHash: root() };
}
