/**
 * Unique names in a store, and limits of their number. (Rules: domain/names.ts.) A change first reserves the name, then stores the holder,
 * then frees the previous name. After a stop in between, the hold without a holder stays valid for IN_FLIGHT_MS and is then taken over.
 *
 * Each attempt has its own id: of two concurrent changes of one holder, one cannot free a name that the other has reserved, since it only
 * knows the id of an earlier attempt.
 */
import { DomainError } from '../domain/decider.js';
import type { Hold } from '../domain/hold.js';
import { takeName as decideToTake, freeHolder, freeName, names } from '../domain/names.js';
import type { BoundCommands } from '../engine/commandHandler/boundCommands.js';
import { idOf, isStale, leftOver, type NameHolders, type NamesContext } from './nameHolders.js';

export interface RequestedName {
  /** Id of the holder. */
  readonly by: string;
  /** In normalized form. Undefined: it has none. */
  readonly value: string | undefined;
  readonly attempt: string;
}

/** Returns `hold` if another holder has it and may lose it. The decision refuses holds that are in use. */
async function takenOver(
  context: NamesContext,
  holders: NameHolders,
  { by, value }: RequestedName,
  hold: Hold | undefined,
): Promise<Hold | undefined> {
  if (value === undefined || hold === undefined || hold.by === by) return undefined;
  return (await isStale(context, holders, hold, value)) ? hold : undefined;
}

async function take(
  context: NamesContext,
  holders: NameHolders,
  requested: RequestedName,
  most?: number,
): Promise<void> {
  const { commands, workspaceId } = context;
  const id = idOf(workspaceId, holders);
  const seen = await commands.query(names, id, (state) => ({
    full: most !== undefined && !state.holders.has(requested.by) && state.holders.size >= most,
    hold: requested.value === undefined ? undefined : state.names.get(requested.value),
  }));
  const gone = seen.full ? await leftOver(context, holders) : [];
  const stale = await takenOver(context, holders, requested, seen.hold);
  await commands.decide(names, id, decideToTake(holders.kind, { ...requested, most, gone, stale }));
}

/**
 * Reserves another name for a stored holder. A name that the holder has already is reserved for the new attempt. Refuses with the kind's
 * code if another holder has it. Call it before the change that needs the name, and make that change depend on the holder's version.
 */
export const takeName = (context: NamesContext, holders: NameHolders, requested: RequestedName): Promise<void> =>
  take(context, holders, requested);

/** Frees the name and place of a refused creation. If that fails, they are found as stale later. */
async function giveUp({ commands, workspaceId }: NamesContext, holders: NameHolders, { by, attempt }: RequestedName) {
  if ((await holders.state(commands, by)) === 'absent')
    await commands.decide(names, idOf(workspaceId, holders), freeHolder(by, attempt));
}

/**
 * Reserves a place and the name, then stores the holder by `create`. Frees them if that is refused. Refuses with the kind's codes if the
 * store is full or another holder has the name.
 */
export async function createNamed(
  context: NamesContext,
  holders: NameHolders,
  requested: RequestedName,
  create: () => Promise<unknown>,
): Promise<void> {
  await take(context, holders, requested, holders.kind.most);
  try {
    await create();
  } catch (error) {
    // After another error the holder may have been stored.
    if (error instanceof DomainError) await giveUp(context, holders, requested).catch(() => undefined);
    throw error;
  }
}

/** Returns a function that frees a name which the holder has now, for use after the change. Undefined: the holder does not have it. */
export async function currentName(
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

/** Frees the place and the name of a holder that was removed for good. */
export async function freeHolderOf(
  { commands, workspaceId }: Pick<NamesContext, 'commands' | 'workspaceId'>,
  holders: NameHolders,
  by: string,
): Promise<void> {
  await commands.decide(names, idOf(workspaceId, holders), freeHolder(by));
}

/** Returns the current or prospective holder of the name. It may have been removed. */
export async function holderOf(
  commands: Pick<BoundCommands, 'query'>,
  holders: NameHolders,
  workspaceId: string,
  value: string,
): Promise<string | undefined> {
  return commands.query(names, idOf(workspaceId, holders), (state) => state.names.get(value)?.by);
}
