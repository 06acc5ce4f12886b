/** Signed tree heads. The first of each hour is retained for ever, the others for 30 days. */
import { pagesOf } from '../../engine/collections.js';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import type { SignedHead } from '../../engine/proofs/treeHead.js';

export const proofHeads: CollectionDefinition = {
  name: 'proofHeads',
  keys: { size: 'number', expiresAt: 'number' },
  indexes: [{ keys: ['-size'] }, { keys: ['expiresAt'] }],
  expiresAt: 'expiresAt',
};

type Store = Pick<DocumentStore, 'get' | 'find' | 'insert'>;

const KEPT_MS = 30 * 24 * 3_600_000;
/** Characters of an RFC 3339 time up to its hour. */
const HOUR = 13;

/** Pads sizes so that ids sort numerically. */
const idOf = (size: number): string => String(size).padStart(16, '0');

export async function latestHead({ find }: Pick<Store, 'find'>): Promise<SignedHead | undefined> {
  const [found] = await find<SignedHead>(proofHeads.name, { sort: ['-size'], limit: 1 });
  return found?.body;
}

export const headOfSize = async ({ get }: Pick<Store, 'get'>, size: number): Promise<SignedHead | undefined> =>
  (await get<SignedHead>(proofHeads.name, idOf(size)))?.body;

/** Yields all heads, the smallest first. */
export async function* headsIn(store: Pick<Store, 'find'>): AsyncGenerator<SignedHead, undefined> {
  for await (const page of pagesOf(store, proofHeads.name)) for (const { body } of page) yield body as SignedHead;
  return undefined;
}

/** `before`: the previous head. Returns false if a head of this size exists already. */
export function storeHead(store: Store, head: SignedHead, before: SignedHead | undefined): Promise<boolean> {
  const isFirst = before?.time.slice(0, HOUR) !== head.time.slice(0, HOUR);
  const expiresAt = isFirst ? null : Date.parse(head.time) + KEPT_MS;
  const keys = { size: head.size, expiresAt };
  return store.insert(proofHeads.name, { id: idOf(head.size), keys, body: head, revision: 1 });
}
