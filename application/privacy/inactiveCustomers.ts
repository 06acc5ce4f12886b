/** Customers who have been inactive for long, found in the read model of their activity. */
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import { eachRow } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { customerActivity } from '../../projections/customerActivity.js';
import type { PersonKeys } from '../ports/personKeys.js';
import { namesOf } from './person.js';

export interface InactiveParts {
  readonly reads: Reads;
  readonly commands: Pick<CommandHandler, 'query'>;
  readonly people: Pick<PersonKeys, 'everyone'>;
}

/** Progress of a scan, ordered by last activity. */
export interface Place {
  /** ms since 1970. */
  readonly lastAt: number;
  readonly id: string;
}

export interface Inactive {
  /** Phone (E.164) or user id. */
  readonly value: string;
  readonly persons: readonly string[];
}

const PAGE = 200;

const lastAtOf = ({ keys }: StoredDocument<unknown>): number => Number(keys.lastAt);

/**
 * Returns the time of their last activity (ms since 1970), under any of their names. Infinity while an order is open. `numbers`: ids of the
 * store's channel numbers.
 */
async function lastActivity(
  { reads, commands }: Pick<InactiveParts, 'reads' | 'commands'>,
  workspaceId: string,
  numbers: readonly string[],
  value: string,
): Promise<number> {
  const { key, phones, userIds } = await namesOf(commands, workspaceId, value);
  const known = new Set([value, key, ...phones, ...userIds].filter((one) => one !== undefined));
  const ids = numbers.flatMap((number) => [...known].map((one) => conversationOfKey(number, one)));
  const found = [...(await reads.getMany(customerActivity, ids)).values()];
  // A customer with a user id here may have a phone at another number of the store.
  for (const { keys } of found) known.add(String(keys.person));
  for (const person of known) {
    found.push(...(await reads.find(customerActivity, { where: { workspaceId, person, open: 1 }, limit: 1 })));
    const query = { where: { workspaceId, person }, sort: ['-lastAt'], limit: 1 };
    found.push(...(await reads.find(customerActivity, query)));
  }
  if (found.some(({ keys }) => keys.open === 1)) return Number.POSITIVE_INFINITY;
  return Math.max(Number.NEGATIVE_INFINITY, ...found.map(lastAtOf));
}

const numbersOf = async (reads: Reads, workspaceId: string): Promise<string[]> => {
  const numbers: string[] = [];
  for await (const { keys } of eachRow(reads, channelNumbers, { where: { workspaceId } }))
    numbers.push(String(keys.numberId));
  return numbers;
};

/** Returns true if they have not been active since `cutoff` (ms since 1970). */
export const isInactive = async (
  parts: Pick<InactiveParts, 'reads' | 'commands'>,
  workspaceId: string,
  cutoff: number,
  value: string,
): Promise<boolean> =>
  (await lastActivity(parts, workspaceId, await numbersOf(parts.reads, workspaceId), value)) <= cutoff;

/**
 * Scans the last activity in a store up to `cutoff` (ms since 1970, inclusive), after `after`. Yields for each page the customers to erase
 * and its progress. A customer with later activity is found at that position. Ends without a page when nothing is left.
 */
export async function* inactiveIn(
  parts: InactiveParts,
  workspaceId: string,
  cutoff: number,
  after: Place | undefined,
): AsyncGenerator<{ readonly found: readonly Inactive[]; readonly scanned: number; readonly through: Place }> {
  const { reads, people } = parts;
  const seen = new Set<string>();
  for (let place = after; ; ) {
    const rows = await reads.find(customerActivity, {
      where: { workspaceId, lastAt: { lte: cutoff } },
      sort: ['lastAt'],
      limit: PAGE,
      ...(place && { after: [place.lastAt, place.id] }),
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    place = { lastAt: lastAtOf(last), id: last.id };
    const numbers = await numbersOf(reads, workspaceId);
    const found: Inactive[] = [];
    for (const value of new Set(rows.map(({ keys }) => String(keys.person)))) {
      if (seen.has(value)) continue;
      const persons = await people.everyone(workspaceId, value);
      if (persons.length === 0 || (await lastActivity(parts, workspaceId, numbers, value)) > cutoff) continue;
      seen.add(value);
      found.push({ value, persons });
    }
    yield { found, scanned: rows.length, through: place };
    if (rows.length < PAGE) return;
  }
}
