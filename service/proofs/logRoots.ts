/** Roots over a log, computed from its contents: as it is, and as it was before a move sealed it. */
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { StoredEvent, StoredLog } from '../../engine/ports/storedLog.js';
import { type Hash, toHex } from '../../engine/proofs/hashing.js';
import { leafOf } from '../../engine/proofs/leaf.js';
import { RunningRoot } from '../../engine/proofs/merkleTree.js';
import type { LogRoot } from '../../engine/proofs/moveStatement.js';
import type { KeyOf, KeyRing } from '../../engine/sealing/keyRing.js';
import { BoxUnreadable, beforeMove, boxesIn, MOVED, SEALED } from '../../engine/sealing/sealedData.js';
import { hexToUuid } from '../../infrastructure/sqlite/eventStore/schema.js';

/** Leaves of some events; undefined: one of them cannot be computed. */
export type Leaves = (events: readonly StoredEvent[]) => Promise<readonly Hash[] | undefined>;

export const leavesAsStored: Leaves = async (events) => events.map((event) => leafOf(event));

const MARK = Buffer.from(`"${SEALED}"`);
const json = (bytes: Uint8Array): object => JSON.parse(Buffer.from(bytes).toString()) as object;
const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** `read` is of what is stored, which may be anything where somebody changed it. Throws BoxUnreadable. */
function ofStored<T>({ position }: StoredEvent, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const what = error instanceof BoxUnreadable ? error.message : 'The sealed value is malformed.';
    throw new BoxUnreadable(`at position ${position}: ${what}`, { cause: error });
  }
}

interface Boxed {
  readonly data: object;
  /** Whose boxes a move has made. */
  readonly persons: readonly string[];
}

/** Undefined of an event that has no boxes. */
function boxedOf(event: StoredEvent): Boxed | undefined {
  if (!event.json || !Buffer.from(event.data).includes(MARK)) return undefined;
  return ofStored(event, () => {
    const data = json(event.data);
    const made = boxesIn(data)?.filter(([, , , , how]) => how === MOVED) ?? [];
    const persons = made.map(([, person]) => person);
    if (!persons.every((one) => typeof one === 'string')) throw new TypeError('the sealed value names no subject');
    return { data, persons };
  });
}

function leafBeforeMove(event: StoredEvent, data: object | undefined, keyOf: KeyOf): Hash | undefined {
  if (data === undefined) return leafOf(event);
  return ofStored(event, () => {
    const was = beforeMove({ id: hexToUuid(event.id), data, meta: json(event.meta) }, keyOf);
    return was && leafOf({ ...event, data: bytes(was.data), meta: bytes(was.meta) });
  });
}

/**
 * Leaves from before a move sealed the events: impossible once a subject in them was erased. Rejects with VaultIncomplete, KeyUnreadable,
 * BoxUnreadable.
 */
export const leavesBeforeMove =
  (ring: KeyRing): Leaves =>
  async (events) => {
    const boxed = events.map(boxedOf);
    const persons = new Set(boxed.flatMap((one) => one?.persons ?? []));
    const keyOf = persons.size === 0 ? () => undefined : await ring.of(persons);
    const leaves: Hash[] = [];
    for (const [at, event] of events.entries()) {
      const leaf = leafBeforeMove(event, boxed[at]?.data, keyOf);
      if (leaf === undefined) return undefined;
      leaves.push(leaf);
    }
    return leaves;
  };

/** Events that are in memory at once. */
const PAGE = 1_000;

export interface RootWalk {
  readonly leaves: Leaves;
  /** Only so many events; all when absent. */
  readonly size?: number;
  /** Called after each event. */
  seen?(size: number, root: () => string): void | Promise<void>;
  readonly signal?: AbortSignal;
}

/** Undefined: the leaves cannot be computed. Rejects with LogDamaged, StoreUnavailable, the signal's reason, or as `leaves` does. */
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
