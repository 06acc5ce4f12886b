/** What is kept of the logs that this one was made of: a signed statement for each, and the heads that were signed for them. */
import { pagesOf } from '../../engine/collections.js';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import type { SignedStatement } from '../../engine/proofs/moveStatement.js';
import type { SignedHead } from '../../engine/proofs/treeHead.js';

export const moveStatements: CollectionDefinition = { name: 'proofMoves', keys: {}, indexes: [] };
/** Kept for ever: what others have kept of before is compared with them. */
export const earlierHeads: CollectionDefinition = { name: 'proofEarlierHeads', keys: {}, indexes: [] };

type Kept = Pick<DocumentStore, 'find' | 'list'>;

/** So that ids are in the order of numbers. */
const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

/** The oldest first; `work` may be open for reading only. */
export async function statementsIn(work: Kept): Promise<SignedStatement[]> {
  const found: SignedStatement[] = [];
  if (!(await work.list()).includes(moveStatements.name)) return found;
  for await (const page of pagesOf(work, moveStatements.name))
    found.push(...page.map(({ body }) => body as SignedStatement));
  return found;
}

/** Those signed for the log before the statement with this number, from 0, the smallest first. */
export async function* earlierHeadsIn(work: Kept, move: number): AsyncGenerator<SignedHead, undefined> {
  if (!(await work.list()).includes(earlierHeads.name)) return undefined;
  const own = `${padded(move, 4)}-`;
  for await (const page of pagesOf(work, earlierHeads.name))
    for (const { id, body } of page) if (id.startsWith(own)) yield body as SignedHead;
  return undefined;
}

/** May be repeated. `move`: number of the statement that comes for it. */
export async function keepEarlierHeads(
  work: Pick<DocumentStore, 'open' | 'write'>,
  move: number,
  heads: readonly SignedHead[],
): Promise<void> {
  await work.open(earlierHeads);
  const put = heads.map((body) => ({
    id: `${padded(move, 4)}-${padded(body.size, 16)}`,
    keys: {},
    revision: 1,
    body,
  }));
  await work.write({ [earlierHeads.name]: { put } });
}

/** The one that stands already is answered where there is one of that number. */
export async function keepStatement(
  work: Pick<DocumentStore, 'open' | 'insert' | 'get'>,
  move: number,
  statement: SignedStatement,
): Promise<SignedStatement> {
  await work.open(moveStatements);
  const id = padded(move, 4);
  await work.insert(moveStatements.name, { id, keys: {}, body: statement, revision: 1 });
  return (await work.get<SignedStatement>(moveStatements.name, id))!.body;
}
