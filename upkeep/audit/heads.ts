/** Signed heads to compare a log with: its own, and those stored by other parties. */

import { proofKeys, publicKeysIn } from '../../application/proofs/signingKeys.js';
import { headsIn, proofHeads } from '../../application/proofs/treeHeads.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { headIn, isSignedBy, keyIdOf, type SignedHead } from '../../engine/proofs/treeHead.js';
import type { AuditFaults } from './faults.js';

/** A head, and its place of storage: the installation itself when absent. */
export interface KnownHead {
  readonly head: SignedHead;
  readonly source?: string;
}

interface KnownKey {
  readonly publicKey: string;
  /** ms since 1970. */
  readonly retiredAt?: number;
}

export interface OutsideHeads {
  readonly heads: readonly KnownHead[];
  /** 32 bytes in base64. */
  readonly keys: readonly string[];
}

/** Clocks of instances may be so far apart, in ms. */
const RETIRED_MS = 120_000;

/** Heads stored by another party: a head, a list of heads, or an object with `head`, `heads` and `keys`. Refuses `heads_unreadable`. */
export function outsideHeads(text: string, source: string): OutsideHeads {
  const bad = (why: string): never =>
    refuse('heads_unreadable', `${source} ${why}: it must contain signed heads as JSON.`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return bad('is not JSON');
  }
  const object = (given ?? {}) as { head?: unknown; heads?: unknown; from?: unknown; to?: unknown; keys?: unknown };
  const listed = [object.heads, [object.head, object.from, object.to].filter(Boolean)].flat().filter(Boolean);
  const heads = (Array.isArray(given) ? given : listed.length > 0 ? listed : [given]).map(
    (one): KnownHead => ({ head: headIn(one) ?? bad('contains a value that is not a signed head'), source }),
  );
  const keys = (Array.isArray(object.keys) ? object.keys : []).map((key: { publicKey?: unknown }) =>
    typeof key?.publicKey === 'string' ? key.publicKey : bad('contains a value that is not a public key'),
  );
  return { heads, keys };
}

/** Keys for checking heads; keys from outside take precedence over those that the installation claims. */
export class KnownKeys {
  readonly #keys = new Map<string, KnownKey>();

  static async of(
    work: Pick<DocumentStore, 'find' | 'list'> | undefined,
    outside: readonly string[],
  ): Promise<KnownKeys> {
    const known = new KnownKeys();
    if (work !== undefined && (await work.list()).includes(proofKeys.name))
      for (const { keyId, publicKey, retiredAt } of await publicKeysIn(work))
        known.#keys.set(keyId, { publicKey, ...(retiredAt === undefined ? {} : { retiredAt: Date.parse(retiredAt) }) });
    for (const publicKey of outside)
      known.#keys.set(keyIdOf(publicKey), { ...known.#keys.get(keyIdOf(publicKey)), publicKey });
    return known;
  }

  /** 32 bytes in base64. */
  publicKey(keyId: string): string | undefined {
    return this.#keys.get(keyId)?.publicKey;
  }

  /** True if the head's signature is valid; notes a fault otherwise. */
  check({ head, source }: KnownHead, faults: AuditFaults): boolean {
    const key = this.#keys.get(head.keyId);
    const wrong = (what: string): boolean => {
      faults.add('head', headPlace({ head, ...defined({ source }) }), what);
      return false;
    };
    if (key === undefined) return wrong(`it is signed with the key ${head.keyId}, which is not a key of this log`);
    if (!isSignedBy(head, key.publicKey)) return wrong(`its signature does not match the key ${head.keyId}`);
    if (key.retiredAt !== undefined && Date.parse(head.time) > key.retiredAt + RETIRED_MS)
      return wrong(`it is signed with the key ${head.keyId}, which was retired before`);
    return true;
  }
}

export const headPlace = ({ head: { size, time }, source }: KnownHead): string =>
  `head of ${size} events, signed ${time}${source === undefined ? '' : ` (${source})`}`;

/** All heads, the smallest first. */
export async function* allHeads(
  work: Pick<DocumentStore, 'find' | 'list'> | undefined,
  outside: readonly KnownHead[],
): AsyncGenerator<KnownHead, undefined> {
  const rest = [...outside].sort((one, other) => one.head.size - other.head.size);
  if (work !== undefined && (await work.list()).includes(proofHeads.name))
    for await (const head of headsIn(work)) {
      while (rest.length > 0 && rest[0]!.head.size <= head.size) yield rest.shift()!;
      yield { head };
    }
  yield* rest;
  return undefined;
}
