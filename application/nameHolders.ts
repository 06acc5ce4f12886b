/** Holders of unique names in a store, and their state before a name is taken. */
import type { Hold } from '../domain/hold.js';
import { type NameKind, names } from '../domain/names.js';
import type { BoundCommands } from '../engine/commandHandler/boundCommands.js';
import type { Reads } from '../engine/projections/reads.js';
import { IN_FLIGHT_MS, isLeftOver } from './holds.js';

/** `absent`: not stored (yet). `gone`: deleted. `value`: the name that it currently reserves. */
export type HolderState = 'absent' | 'gone' | { readonly value: string | undefined };

/** Queries about the holders of one kind. */
export interface NameHolders {
  readonly kind: NameKind;
  /** Ids of a store's holders in the views, at most `most`. */
  listed(read: NameReads, most: number): Promise<readonly string[]>;
  /** Number of holders, at most `most`. */
  count(read: NameReads, most: number): Promise<number>;
  state(commands: Pick<BoundCommands, 'query'>, id: string): Promise<HolderState>;
}

type NameReads = Pick<Reads, 'find' | 'count'>;

/** Context of a change of names. */
export interface NamesContext {
  readonly commands: BoundCommands;
  readonly read: NameReads;
  readonly workspaceId: string;
  /** ms since 1970. */
  readonly now: number;
}

export const idOf = (workspaceId: string, { kind }: NameHolders): string => `${workspaceId}.${kind.name}`;

/** Maximum holders of a store that are compared with the views. */
const MOST_LISTED = 10_000;

/** Maximum holders that are checked when a store is full. */
const MOST_LOOKED_AT = 100;

/** Returns holders that were never stored, or were removed, but have a place because of a stop. The views show whether there are any. */
export async function leftOver(
  { commands, read, workspaceId, now }: NamesContext,
  holders: NameHolders,
): Promise<Hold[]> {
  if ((await holders.count(read, holders.kind.most)) >= holders.kind.most) return [];
  const existing = new Set(await holders.listed(read, MOST_LISTED));
  const places = await commands.query(names, idOf(workspaceId, holders), (state) => [...state.holders.values()]);
  const old = places.filter(({ by, since }) => !existing.has(by) && now - since > IN_FLIGHT_MS);
  const gone: Hold[] = [];
  for (const hold of old.slice(0, MOST_LOOKED_AT)) {
    const state = await holders.state(commands, hold.by);
    if (state === 'absent' || state === 'gone') gone.push(hold);
  }
  return gone;
}

/** Returns true if a holder does not use a name any more, or never did. */
export async function isStale({ commands, now }: NamesContext, holders: NameHolders, hold: Hold, value: string) {
  const state = await holders.state(commands, hold.by);
  const has = state === 'gone' ? state : typeof state === 'object' && state.value === value ? 'yes' : 'no';
  return isLeftOver(hold, has, now);
}
