/** Who may have names that are unique in a store, and what became of them: what must be known before a name is taken. */
import { createHash } from 'node:crypto';
import { defined } from '../domain/defined.js';
import type { Hold } from '../domain/holding.js';
import type { NameClaims } from '../domain/nameClaims.js';
import type { NameHolder } from '../domain/nameEvents.js';
import { type NameKind, names } from '../domain/names.js';
import type { BoundCommands } from '../engine/commandHandler/boundCommands.js';
import type { CaughtUp, Reads } from '../engine/projections/reads.js';
import { IN_FLIGHT_MS, isLeftOver } from './holding.js';

/** `absent`: not stored, or not yet; `gone`: deleted. `value`: the name that it keeps from others now. */
export type HolderState = 'absent' | 'gone' | { readonly value: string | undefined };

/** What the holders of one kind tell of themselves. */
export interface NameHolders {
  readonly kind: NameKind;
  /** Where their names were held before. */
  readonly claims: NameClaims;
  /** Their streams' category. */
  readonly category: string;
  /** A store's, as the views show them, without those that `most` leaves no place for. */
  listed(read: NameReads, most: number): Promise<readonly NameHolder[]>;
  /** How many of them there are, `most` at most. */
  count(read: NameReads, most: number): Promise<number>;
  state(commands: Pick<BoundCommands, 'query'>, id: string): Promise<HolderState>;
}

type NameReads = Pick<Reads, 'find' | 'count'>;

/** What a change of names works with. */
export interface NamesContext extends CaughtUp {
  readonly commands: BoundCommands;
  readonly read: NameReads;
  readonly workspaceId: string;
  /** ms since 1970. */
  readonly now: number;
}

export const idOf = (workspaceId: string, { kind }: NameHolders): string => `${workspaceId}.${kind.name}`;

/** Stream id of a name's claim: texts of any length and script become names of one form. */
const claimId = (workspaceId: string, value: string): string =>
  `${workspaceId}.${createHash('sha256').update(value).digest('hex').slice(0, 32)}`;

export const claimOf = (
  commands: Pick<BoundCommands, 'query'>,
  { aggregate }: NameClaims,
  workspaceId: string,
  value: string,
): Promise<Hold | undefined> => commands.query(aggregate, claimId(workspaceId, value), (claim) => claim ?? undefined);

/** Most holders that are counted at once, and their size in bytes: one append of any engine has place for them. */
const MOST_COUNTED = 10_000;
const MOST_COUNTED_BYTES = 700_000;

/** What a store has that nobody has counted yet. Names of what is beyond the bound are respected as they were claimed. */
export async function counted(
  { read, caughtUp }: NamesContext,
  { category, listed }: NameHolders,
): Promise<NameHolder[]> {
  await caughtUp([category]);
  const all: NameHolder[] = [];
  let bytes = 0;
  for (const { by, value } of await listed(read, MOST_COUNTED)) {
    const one: NameHolder = { by, ...defined({ value }) };
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes > MOST_COUNTED_BYTES) break;
    all.push(one);
  }
  return all;
}

/** Looks at this many holders at most when a store is full. */
const MOST_LOOKED_AT = 100;

/** Holders that were left over by a stop: they never came, or are gone. The views tell whether there are any, and which. */
export async function leftOver(
  { commands, read, workspaceId, now }: NamesContext,
  holders: NameHolders,
): Promise<Hold[]> {
  if ((await holders.count(read, holders.kind.most)) >= holders.kind.most) return [];
  const standing = new Set((await holders.listed(read, MOST_COUNTED)).map(({ by }) => by));
  const places = await commands.query(names, idOf(workspaceId, holders), (state) => [...state.holders.values()]);
  const old = places.filter(({ by, since }) => !standing.has(by) && now - since > IN_FLIGHT_MS);
  const gone: Hold[] = [];
  for (const hold of old.slice(0, MOST_LOOKED_AT)) {
    const state = await holders.state(commands, hold.by);
    if (state === 'absent' || state === 'gone') gone.push(hold);
  }
  return gone;
}

/** Whether a holder has let go of a name, or never came to it. */
export async function isStale({ commands, now }: NamesContext, holders: NameHolders, hold: Hold, value: string) {
  const state = await holders.state(commands, hold.by);
  const has = state === 'gone' ? state : typeof state === 'object' && state.value === value ? 'yes' : 'no';
  return isLeftOver(hold, has, now);
}
