import { createHash } from 'node:crypto';
import { DomainError, refuse } from '../domain/decider.js';
import { type Hold, type Holdable, STALE_CHANGE } from '../domain/holding.js';
import type { BoundCommands } from '../engine/commandHandler/boundCommands.js';

/**
 * How long a hold without a holder is respected, in ms: so long a request may take between taking a thing and storing
 * what holds it. After a stop in between the thing is free again once this time is over.
 */
export const IN_FLIGHT_MS = 60_000;

/** Stream id of a store's thing: texts of any length and script become names of one form. */
export const holdingId = (workspaceId: string, value: string): string =>
  `${workspaceId}.${createHash('sha256').update(value).digest('hex').slice(0, 32)}`;

export interface TakeHold {
  readonly workspaceId: string;
  /** In the form in which it is compared. */
  readonly value: string;
  /** Id of the holder. */
  readonly by: string;
  /** Names this try to change the holder; another one, also of the same holder, has another name. */
  readonly attempt: string;
  readonly now: number;
  /** Whether this holder really has the thing, or `gone` for good. `no`: not now, though a change may be under way. */
  holds(holder: string): Promise<'yes' | 'no' | 'gone'>;
}

/**
 * Takes a thing for a holder, also one that the holder has: then for a new try. Refuses with the kind's code when another
 * holds it. Call it before the change that needs the thing, and let that change be refused unless the holder is still as
 * it was seen before: of two changes of one holder, what one takes, the other cannot free, since it knows only the name of
 * an earlier try.
 */
export async function takeHold<T extends string, F extends string>(
  commands: BoundCommands,
  kind: Holdable<T, F>,
  wanted: TakeHold,
): Promise<void> {
  const { workspaceId, value, by, attempt } = wanted;
  const id = holdingId(workspaceId, value);
  const hold = await commands.query(kind.aggregate, id, (seen) => seen);
  const stale = hold !== null && hold.by !== by && (await isStale(hold, wanted)) ? hold.attempt : undefined;
  await commands.decide(kind.aggregate, id, kind.take({ value, by, attempt, stale }));
}

/** Whether a hold is left over: its holder does not have the thing, and is not about to have it. */
export async function isStale(hold: Hold, { holds, now }: Pick<TakeHold, 'holds' | 'now'>): Promise<boolean> {
  const answer = await holds(hold.by);
  return answer === 'gone' || (answer === 'no' && now - hold.since > IN_FLIGHT_MS);
}

/** What a holder has at this moment: to be freed once the holder has let go of it. Undefined: it has not. */
export async function holdBy<T extends string, F extends string>(
  commands: BoundCommands,
  kind: Holdable<T, F>,
  workspaceId: string,
  value: string,
  by: string,
): Promise<(() => Promise<void>) | undefined> {
  const id = holdingId(workspaceId, value);
  const hold = await commands.query(kind.aggregate, id, (seen) => seen);
  if (hold?.by !== by) return undefined;
  return async () => {
    await commands.decide(kind.aggregate, id, kind.free(hold));
  };
}

const TRIES = 8;

/** Repeats a change that was made for a state which somebody else changed meanwhile. */
export async function untilCurrent<R>(change: (attempt: number) => Promise<R>): Promise<R> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    try {
      return await change(attempt);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === STALE_CHANGE)) throw error;
    }
  }
  return refuse('concurrent_change', 'Others are changing the same thing at this moment; try again.');
}
