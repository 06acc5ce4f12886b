/** Keys that sign tree heads. One signs, earlier ones only verify, and all are retained for ever. */
import { refuse } from '../../domain/decider.js';
import { pagesOf } from '../../engine/collections.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { CollectionDefinition, DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import { type MoveStatement, type SignedStatement, signStatement } from '../../engine/proofs/moveStatement.js';
import { newKey, type SignedHead, signHead, type TreeHead } from '../../engine/proofs/treeHead.js';
import type { SealingKeys } from '../ports/sealingKeys.js';
import type { SecretBox } from '../ports/secretBox.js';

export const proofKeys: CollectionDefinition = { name: 'proofKeys', keys: {}, indexes: [] };

/** Public part of a key. */
export interface PublicKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes in base64. */
  readonly publicKey: string;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Time since when it does not sign, and its secret part is destroyed. */
  readonly retiredAt?: string;
}

interface StoredKey extends PublicKey {
  /** Sealed secret part. Absent once it is retired. */
  readonly sealed?: string;
}

export interface KeyParts {
  readonly work: Pick<DocumentStore, 'open' | 'get' | 'find' | 'insert' | 'replace'>;
  readonly secretBox: SecretBox;
  readonly sealingKeys: SealingKeys;
  readonly clock: Clock;
}

const contextOf = (keyId: string): string => `proof key ${keyId}`;

const publicOf = ({ sealed: _, ...known }: StoredKey): PublicKey => known;
const byAge = (one: PublicKey, other: PublicKey): number => (one.createdAt < other.createdAt ? -1 : 1);

/** Returns all keys, the oldest first. `work` may be read-only. */
export async function publicKeysIn(work: Pick<DocumentStore, 'find'>): Promise<PublicKey[]> {
  const keys: PublicKey[] = [];
  for await (const page of pagesOf(work, proofKeys.name))
    keys.push(...page.map(({ body }) => publicOf(body as StoredKey)));
  return keys.sort(byAge);
}

/** Returns the newest key that can sign. */
async function newestAbleIn(work: Pick<DocumentStore, 'find'>): Promise<StoredKey | undefined> {
  const able: StoredKey[] = [];
  for await (const page of pagesOf(work, proofKeys.name))
    able.push(...page.map(({ body }) => body as StoredKey).filter(({ sealed }) => sealed !== undefined));
  return able.sort(byAge).at(-1);
}

/** Returns the newest key that can sign, and whether its secret part can be unsealed. `work` may be read-only. */
export async function signingKeyIn(
  work: Pick<DocumentStore, 'find'>,
  secretBox: Pick<SecretBox, 'open'>,
): Promise<{ readonly keyId: string; readonly readable: boolean } | undefined> {
  const newest = await newestAbleIn(work);
  if (newest === undefined) return undefined;
  const { keyId, sealed } = newest;
  try {
    secretBox.open(sealed!, contextOf(keyId));
    return { keyId, readable: true };
  } catch {
    return { keyId, readable: false };
  }
}

/** Stores keys in the work database. Several instances may each create one at the same time, which does no harm. */
export class ProofKeys {
  readonly #parts: KeyParts;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  all(): Promise<PublicKey[]> {
    return publicKeysIn(this.#parts.work);
  }

  /** Signs with the newest key, which is created if there is none. Refuses `key_unreadable`. */
  async sign(head: Omit<TreeHead, 'keyId'>): Promise<SignedHead> {
    const { keyId, sealed } = await this.#current();
    return signHead({ ...head, keyId }, this.#opened(keyId, sealed!));
  }

  /** Signs a statement in the same way. */
  async state(statement: Omit<MoveStatement, 'keyId'>): Promise<SignedStatement> {
    const { keyId, sealed } = await this.#current();
    return signStatement({ ...statement, keyId }, this.#opened(keyId, sealed!));
  }

  /** Creates a new signing key, and destroys the secret parts of earlier ones. */
  async rotate(): Promise<PublicKey> {
    const made = await this.#made();
    const retiredAt = this.#now();
    for (const { id, revision, body } of await this.#stored()) {
      if (id === made.keyId || body.sealed === undefined) continue;
      const next = { id, keys: {}, body: { ...publicOf(body), retiredAt }, revision: revision + 1 };
      await this.#parts.work.replace(proofKeys.name, revision, next);
    }
    return publicOf(made);
  }

  /** Reseals secret parts that are not sealed under the current master key. Returns their number, and those that no key opens. */
  async reseal(): Promise<{ readonly resealed: number; readonly unreadable: readonly string[] }> {
    const { secretBox, sealingKeys, work } = this.#parts;
    let resealed = 0;
    const unreadable: string[] = [];
    for (const { id, revision, body } of await this.#stored()) {
      if (body.sealed === undefined || sealingKeys.isCurrent(body.sealed)) continue;
      try {
        const sealed = secretBox.seal(secretBox.open(body.sealed, contextOf(id)), contextOf(id));
        const next = { id, keys: {}, body: { ...body, sealed }, revision: revision + 1 };
        if (await work.replace(proofKeys.name, revision, next)) resealed += 1;
      } catch {
        unreadable.push(`${proofKeys.name} ${id}`);
      }
    }
    return { resealed, unreadable };
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }

  async #stored(): Promise<StoredDocument<StoredKey>[]> {
    const all: StoredDocument<StoredKey>[] = [];
    for await (const page of pagesOf(this.#parts.work, proofKeys.name))
      all.push(...(page as StoredDocument<StoredKey>[]));
    return all;
  }

  async #current(): Promise<StoredKey> {
    return (await newestAbleIn(this.#parts.work)) ?? (await this.#made());
  }

  async #made(): Promise<StoredKey> {
    const { keyId, publicKey, privateKey } = newKey();
    const sealed = this.#parts.secretBox.seal(privateKey, contextOf(keyId));
    const body: StoredKey = { keyId, publicKey, createdAt: this.#now(), sealed };
    await this.#parts.work.insert(proofKeys.name, { id: keyId, keys: {}, body, revision: 1 });
    return body;
  }

  #opened(keyId: string, sealed: string): string {
    try {
      return this.#parts.secretBox.open(sealed, contextOf(keyId));
    } catch {
      return refuse(
        'key_unreadable',
        `The key ${keyId} that signs tree heads is encrypted with a master key that is not configured. Add that master key, or create a new signing key with 'suuq audit rotate-key'.`,
      );
    }
  }
}
