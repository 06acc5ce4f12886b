/**
 * Names that are unique in a store, and how many may have one. (Rules: domain/names.ts.) A change first takes the name,
 * then stores what has it, then frees what it had before; a stop in between leaves a hold without a holder, which is
 * respected for IN_FLIGHT_MS and then taken over. Each try to take has a name of its own: of two changes of one holder,
 * what one takes, the other cannot free, since it knows only the name of an earlier try.
 */
import { DomainError } from '../domain/decider.js';
import type { Hold } from '../domain/holding.js';
import { takeName as decideToTake, freeHolder, freeName, names } from '../domain/names.js';
import type { BoundCommands } from '../engine/commandHandler/boundCommands.js';
import { idOf, isStale, leftOver, type NameHolders, type NamesContext } from './nameHolders.js';

export interface WantedName {
  /** Id of the holder. */
  readonly by: string;
  /** In the form in which it is compared; undefined: it has none. */
  readonly value: string | undefined;
  readonly attempt: string;
}

/** Returns `hold` when another holder has it and may lose it. Holds that are in use are refused by the decision. */
async function takenOver(
  context: NamesContext,
  holders: NameHolders,
  { by, value }: WantedName,
  hold: Hold | undefined,
): Promise<Hold | undefined> {
  if (value === undefined || hold === undefined || hold.by === by) return undefined;
  return (await isStale(context, holders, hold, value)) ? hold : undefined;
}

async function take(context: NamesContext, holders: NameHolders, wanted: WantedName, most?: number): Promise<void> {
  const { commands, workspaceId } = context;
  const id = idOf(workspaceId, holders);
  const seen = await commands.query(names, id, (state) => ({
    full: most !== undefined && !state.holders.has(wanted.by) && state.holders.size >= most,
    hold: wanted.value === undefined ? undefined : state.names.get(wanted.value),
  }));
  const gone = seen.full ? await leftOver(context, holders) : [];
  const stale = await takenOver(context, holders, wanted, seen.hold);
  await commands.decide(names, id, decideToTake(holders.kind, { ...wanted, most, gone, stale }));
}

/**
 * Takes another name for a holder that is stored, also one that it has: then for a new try. Refuses with the kind's code
 * when another has it. Call it before the change that needs the name, and let that change be refused unless the holder is
 * still as it was seen before.
 */
export const takeName = (context: NamesContext, holders: NameHolders, wanted: WantedName): Promise<void> =>
  take(context, holders, wanted);

/** Frees what a creation took that was refused. What cannot be freed now is left over, and found as such. */
async function giveUp({ commands, workspaceId }: NamesContext, holders: NameHolders, { by, attempt }: WantedName) {
  if ((await holders.state(commands, by)) === 'absent')
    await commands.decide(names, idOf(workspaceId, holders), freeHolder(by, attempt));
}

/**
 * Takes a place and the name, then stores the holder by `create`; frees them again when that is refused. Refuses with the
 * kind's codes when the store is full or another has the name.
 */
export async function createNamed(
  context: NamesContext,
  holders: NameHolders,
  wanted: WantedName,
  create: () => Promise<unknown>,
): Promise<void> {
  await take(context, holders, wanted, holders.kind.most);
  try {
    await create();
  } catch (error) {
    // What failed otherwise may have been stored all the same.
    if (error instanceof DomainError) await giveUp(context, holders, wanted).catch(() => undefined);
    throw error;
  }
}

/** Frees a name that the holder has at this moment, once it has let go of it. Undefined: it does not have it. */
export async function nameHeld(
  { commands, workspaceId }: Pick<NamesContext, 'commands' | 'workspaceId'>,
  holders: NameHolders,
  value: string,
  by: string,
): Promise<(() => Promise<void>) | undefined> {
  const id = idOf(workspaceId, holders);
  const hold = await commands.query(names, id, (state) => state.names.get(value));
  if (hold?.by !== by) return undefined;
  return async () => {
    await commands.decide(names, id, freeName(hold, value));
  };
}

/** Frees the place and the name of a holder that is gone for good. */
export async function freeHolderOf(
  { commands, workspaceId }: Pick<NamesContext, 'commands' | 'workspaceId'>,
  holders: NameHolders,
  by: string,
): Promise<void> {
  await commands.decide(names, idOf(workspaceId, holders), freeHolder(by));
}

/** Who has the name, or is about to; it may be gone. */
export async function holderOf(
  commands: Pick<BoundCommands, 'query'>,
  holders: NameHolders,
  workspaceId: string,
  value: string,
): Promise<string | undefined> {
  return commands.query(names, idOf(workspaceId, holders), (state) => state.names.get(value)?.by);
}
