/** Who may have names that are unique in a store, and what became of them: what must be known before a name is taken. */
import type { Hold } from '../domain/holding.js';
import { type NameKind, names } from '../domain/names.js';
import type { BoundCommands } from '../engine/commandHandler/boundCommands.js';
import type { Reads } from '../engine/projections/reads.js';
import { IN_FLIGHT_MS, isLeftOver } from './holding.js';

/** `absent`: not stored, or not yet; `gone`: deleted. `value`: the name that it keeps from others now. */
export type HolderState = 'absent' | 'gone' | { readonly value: string | undefined };

/** What the holders of one kind tell of themselves. */
export interface NameHolders {
  readonly kind: NameKind;
  /** Ids of a store's holders, as the views show them, `most` at most. */
  listed(read: NameReads, most: number): Promise<readonly string[]>;
  /** How many of them there are, `most` at most. */
  count(read: NameReads, most: number): Promise<number>;
  state(commands: Pick<BoundCommands, 'query'>, id: string): Promise<HolderState>;
}

type NameReads = Pick<Reads, 'find' | 'count'>;

/** What a change of names works with. */
export interface NamesContext {
  readonly commands: BoundCommands;
  readonly read: NameReads;
  readonly workspaceId: string;
  /** ms since 1970. */
  readonly now: number;
}

export const idOf = (workspaceId: string, { kind }: NameHolders): string => `${workspaceId}.${kind.name}`;

/** Most holders of a store that are compared with what the views show. */
const MOST_LISTED = 10_000;

/** Looks at this many holders at most when a store is full. */
const MOST_LOOKED_AT = 100;

/** Holders that were left over by a stop: they never came, or are gone. The views tell whether there are any, and which. */
export async function leftOver(
  { commands, read, workspaceId, now }: NamesContext,
  holders: NameHolders,
): Promise<Hold[]> {
  if ((await holders.count(read, holders.kind.most)) >= holders.kind.most) return [];
  const standing = new Set(await holders.listed(read, MOST_LISTED));
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
