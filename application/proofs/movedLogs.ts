/** Earlier logs from which this one was made: a signed statement for each, and their signed heads. */
import { pagesOf } from '../../engine/collections.js';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import type { SignedStatement } from '../../engine/proofs/moveStatement.js';
import type { SignedHead } from '../../engine/proofs/treeHead.js';

export const moveStatements: CollectionDefinition = { name: 'proofMoves', keys: {}, indexes: [] };
/** Retained for ever, to be compared with heads that others have retained. */
export const earlierHeads: CollectionDefinition = { name: 'proofEarlierHeads', keys: {}, indexes: [] };

type StatementReads = Pick<DocumentStore, 'find' | 'list'>;

/** Pads numbers so that ids sort numerically. */
const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

/** Returns the statements, the oldest first. `work` may be read-only. */
export async function statementsIn(work: StatementReads): Promise<SignedStatement[]> {
  const found: SignedStatement[] = [];
  if (!(await work.list()).includes(moveStatements.name)) return found;
  for await (const page of pagesOf(work, moveStatements.name))
    found.push(...page.map(({ body }) => body as SignedStatement));
  return found;
}

/** Yields the heads signed for the log before the statement with this number, from 0, the smallest first. */
export async function* earlierHeadsIn(work: StatementReads, move: number): AsyncGenerator<SignedHead, undefined> {
  if (!(await work.list()).includes(earlierHeads.name)) return undefined;
  const own = `${padded(move, 4)}-`;
  for await (const page of pagesOf(work, earlierHeads.name))
    for (const { id, body } of page) if (id.startsWith(own)) yield body as SignedHead;
  return undefined;
}

/** May be repeated. `move`: number of the statement that follows. */
export async function storeEarlierHeads(
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

/** Stores the statement. Returns the existing one if there is one with that number. */
export async function storeStatement(
  work: Pick<DocumentStore, 'open' | 'insert' | 'get'>,
  move: number,
  statement: SignedStatement,
): Promise<SignedStatement> {
  await work.open(moveStatements);
  const id = padded(move, 4);
  await work.insert(moveStatements.name, { id, keys: {}, body: statement, revision: 1 });
  return (await work.get<SignedStatement>(moveStatements.name, id))!.body;
}
