/**
 * Previous logs that this one was created from by a move that sealed personal data: their signed statements, and a check that this log,
 * decrypted, equals the signed one. Heads that were signed before a move are compared with the previous log.
 */
import { earlierHeadsIn, statementsIn } from '../../application/proofs/movedLogs.js';
import { messageOf } from '../../engine/messageOf.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { LogDamaged } from '../../engine/ports/eventStore.js';
import type { StoredLog } from '../../engine/ports/storedLog.js';
import { isStatementBy, type SignedStatement } from '../../engine/proofs/moveStatement.js';
import type { KeyRing } from '../../engine/sealing/keyRing.js';
import { BoxUnreadable } from '../../engine/sealing/sealedData.js';
import { KeyUnreadable, VaultIncomplete } from '../../engine/sealing/vaultErrors.js';
import { leavesBeforeMove, logRoot } from '../../service/proofs/logRoots.js';
import type { AuditFaults } from './faults.js';
import { headPlace, type KnownHead, type KnownKeys } from './heads.js';

/**
 * Evidence that the current log is the one that was moved. `opened`: its events, decrypted, give the root of the previous log. Otherwise
 * only the statement proves it: `forgotten`: a subject in it was erased since; `no_keys`: the vault or the master key is missing;
 * `unreadable`: the log, or a sealed value in it, cannot be read, which is a fault; `differs`: it differed from the start, because of
 * events of other programs.
 */
export type EarlierProof = 'opened' | 'forgotten' | 'no_keys' | 'unreadable' | 'differs';

export interface EarlierLog {
  readonly statement: SignedStatement;
  readonly proof: EarlierProof;
  /** Heads signed for it, some of which other parties have stored. */
  readonly heads: number;
  readonly outsideHeads: number;
}

export interface EarlierParts {
  readonly log: StoredLog;
  readonly work: Pick<DocumentStore, 'find' | 'list'> | undefined;
  /** Undefined: what is sealed cannot be opened here. */
  readonly ring: KeyRing | undefined;
  /** Over as many events of the log of now as the last statement was signed for; undefined: there are not so many, or they cannot be read. */
  readonly rootAtMove: string | undefined;
  readonly signal: AbortSignal;
}

/** Heads stored by other parties, grouped by their log: the current one, and the one before each statement. */
export function headsByLog(heads: readonly KnownHead[], statements: readonly SignedStatement[]) {
  const before: KnownHead[][] = statements.map(() => []);
  const now: KnownHead[] = [];
  for (const one of heads) {
    const move = statements.findIndex(({ time }) => one.head.time < time);
    (before[move] ?? now).push(one);
  }
  return { now, before };
}

export const statementsOf = (work: EarlierParts['work']): Promise<SignedStatement[]> =>
  work === undefined ? Promise.resolve([]) : statementsIn(work);

/** Damage of stored data ends the decryption, but not the audit. */
const UNREADABLE = [LogDamaged, BoxUnreadable, KeyUnreadable];

/** Requested heads, and the roots at their sizes as computed now. */
type Roots = Map<number, string>;

export class EarlierLogs {
  readonly #parts: EarlierParts;
  readonly #keys: KnownKeys;
  readonly #faults: AuditFaults;

  constructor(parts: EarlierParts, keys: KnownKeys, faults: AuditFaults) {
    this.#parts = parts;
    this.#keys = keys;
    this.#faults = faults;
  }

  /**
   * Checks each statement; `outside`: heads of the previous log stored by other parties. Rejects with StoreUnavailable, or the signal's
   * reason.
   */
  async all(
    statements: readonly SignedStatement[],
    outside: readonly (readonly KnownHead[])[],
  ): Promise<readonly EarlierLog[]> {
    const found: EarlierLog[] = [];
    for (const [move, statement] of statements.entries())
      found.push(await this.#one(statement, move, outside[move] ?? [], move === statements.length - 1));
    return found;
  }

  async #one(
    statement: SignedStatement,
    move: number,
    outside: readonly KnownHead[],
    isLast: boolean,
  ): Promise<EarlierLog> {
    const key = this.#keys.publicKey(statement.keyId);
    if (key === undefined || !isStatementBy(statement, key))
      this.#faults.add('moved', placeOf(statement), `it is not signed by a key of this log (${statement.keyId})`);
    const retained = new Map<number, KnownHead>();
    for await (const head of earlierHeadsIn(this.#parts.work!, move)) retained.set(head.size, { head });
    const heads = [...retained.values(), ...outside];
    const right = heads.filter((one) => this.#keys.check(one, this.#faults));
    // Of a log before the last one nothing can be computed any more but by opening that, which was another move's.
    const roots = isLast ? await this.#roots(statement, new Set(right.map(({ head }) => head.size))) : 'differs';
    for (const one of right) this.#hold(one, statement, retained, roots);
    const proof = typeof roots === 'string' ? roots : 'opened';
    return { statement, proof, heads: heads.length, outsideHeads: outside.length };
  }

  #hold(
    one: KnownHead,
    statement: SignedStatement,
    retained: ReadonlyMap<number, KnownHead>,
    roots: Roots | EarlierProof,
  ) {
    const { head } = one;
    const root =
      typeof roots === 'string'
        ? head.size === statement.from.size
          ? statement.from.rootHash
          : retained.get(head.size)?.head.rootHash
        : roots.get(head.size);
    if (root === head.rootHash) return;
    const unknown =
      'it was signed before the log was sealed and was not stored then, so only the log from before the move can verify it';
    const what =
      root === undefined && typeof roots === 'string'
        ? unknown
        : 'the log from before the move differs from the signed one';
    this.#faults.add('head', headPlace(one), what);
  }

  async #roots(statement: SignedStatement, sizes: ReadonlySet<number>): Promise<Roots | EarlierProof> {
    const { log, ring, rootAtMove, signal } = this.#parts;
    const { from, to, reopens } = statement;
    if (rootAtMove !== to.rootHash)
      this.#faults.add('moved', placeOf(statement), `the first ${to.size} events differ from those it was signed for`);
    if (!reopens) return 'differs';
    if (ring === undefined) return 'no_keys';
    const roots: Roots = new Map();
    const seen = (size: number, root: () => string): void => void (sizes.has(size) && roots.set(size, root()));
    try {
      const was = await logRoot(log, { leaves: leavesBeforeMove(ring), size: from.size, seen, signal });
      if (was === undefined) return 'forgotten';
      if (was.rootHash !== from.rootHash || was.size !== from.size)
        this.#faults.add('moved', placeOf(statement), 'its decrypted events differ from those that were moved');
      return roots;
    } catch (error) {
      if (error instanceof VaultIncomplete) return 'no_keys';
      if (!UNREADABLE.some((kind) => error instanceof kind)) throw error;
      this.#faults.add('moved', placeOf(statement), `it cannot be opened as it was: ${messageOf(error)}`);
      return 'unreadable';
    }
  }
}

const placeOf = ({ from, time }: SignedStatement): string => `move of ${from.size} events, signed ${time}`;
