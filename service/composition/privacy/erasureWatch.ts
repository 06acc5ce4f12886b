/** Erases customers in a running service, and finishes erasures that were interrupted. */
import { randomUUID } from 'node:crypto';
import type { PersonKeys } from '../../../application/ports/personKeys.js';
import type { CommandsAbout, Forgetting } from '../../../application/privacy/forgetting.js';
import { derivedId } from '../../../domain/ids.js';
import { bindCommands } from '../../../engine/commandHandler/boundCommands.js';
import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import { messageOf } from '../../../engine/messageOf.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { Log } from '../../../engine/ports/log.js';
import { PeriodicCheck } from '../../../engine/projections/sharded/periodicCheck.js';
import { projections } from '../../../projections/index.js';

/** Between two looks for what other instances have begun, in ms. */
const LOOK_MS = 5_000;

/** Read models that read what is sealed. */
export const namesOfCustomers = ({ categories: sealed }: Pick<PersonKeys, 'categories'>): readonly string[] =>
  projections
    .filter(({ categories }) => categories.some((category) => sealed.includes(category)))
    .map(({ name }) => name);

/** Read models that take in what is sealed of those who work for stores. */
export const namesOfStaff = ({ ofStaff: sealed }: Pick<PersonKeys, 'ofStaff'>): readonly string[] =>
  projections.filter(({ on }) => sealed.some((type) => type in on)).map(({ name }) => name);

/** Commands of resumed erasures: the service is the actor. */
export function commandsOf(handler: CommandHandler): CommandsAbout {
  const correlationId = randomUUID();
  let turn = 0;
  return (about) =>
    bindCommands(handler, () => ({
      ...{ commandId: derivedId(correlationId, turn++), correlationId, actor: { type: 'system' as const } },
      ...about,
    }));
}

/**
 * Returns a check whether read models may still show customers who were erased. It reads the work store only after a start and after an
 * erasure, also one by another instance.
 */
export function erasureWatch(
  people: Pick<PersonKeys, 'onForgotten' | 'hear'>,
  forgetting: Pick<Forgetting, 'mayBeShown'>,
): () => Promise<boolean> {
  let erasures = 1;
  let shownUntil = 0;
  people.onForgotten(() => {
    erasures += 1;
  });
  return async () => {
    await people.hear();
    const current = erasures;
    if (shownUntil === current) return false;
    const mayBeShown = await forgetting.mayBeShown();
    if (!mayBeShown) shownUntil = current;
    return mayBeShown;
  };
}

/**
 * Looks at the start, and then every five seconds: whom other instances have forgotten, and what was begun and interrupted. Where
 * nobody is, that is a question or two for no document.
 */
export function resumeForgetting(
  forgetting: Pick<Forgetting, 'resume'>,
  people: Pick<PersonKeys, 'hear'>,
  clock: Clock,
  log: Log,
): { stop(): Promise<void> } {
  let reported = '';
  const check = new PeriodicCheck(clock.steady, LOOK_MS, async () => {
    try {
      await people.hear();
      await forgetting.resume();
      reported = '';
    } catch (error) {
      const why = messageOf(error);
      if (why !== reported) log.warn({ err: error }, 'customer erasure failed, retrying');
      reported = why;
    }
  });
  check.within(0);
  return check;
}
