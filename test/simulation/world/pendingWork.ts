/** Checks, directly in the stores, that all pending work is done. */
import { forgettings } from '../../../application/privacy/forgettingNotes.js';
import { isPutOff } from '../../../engine/processors/tasks/clockSteps.js';
import { workIn } from '../../../engine/processors/tasks/workPlaces.js';
import type { Data } from './engines.js';

/** Tasks due after this time may remain, in ms: cart reminders of a month, checks of three days. */
const FAR_MS = 40 * 60_000;
/** Processors with timers only. Their future tasks are not backlog. */
const TIMERS = new Set(['abandonedCarts', 'unpaidOrders']);
/**
 * Kinds of timer tasks in other processors. Simulated customers always confirm the payer, so this timer finds nothing
 * to do.
 */
const TIMER_KINDS = new Set(['unconfirmed']);

type Waiting = Parameters<typeof isPutOff>[0];
/** Due, or postponed by a clock that was ahead and has been corrected. */
const isPending = (task: Waiting, now: number, far: number): boolean => task.dueAt < now + far || isPutOff(task, now);

/** Returns the stored tasks of a collection. */
const tasksIn = (work: Data['work'], collection: string) =>
  [...work.of(collection).documents.values()].flatMap(({ id, revision, keys, json }) =>
    json === undefined
      ? []
      : [
          {
            id,
            json,
            revision,
            dueAt: Number(keys.dueAt),
            ...(JSON.parse(json) as { since?: number; createdAt: number; kind: string }),
          },
        ],
  );

/** Returns how long before its due time a task counts as backlog, in ms. */
const farOf = (processor: string, { kind }: { readonly kind: string }): number =>
  TIMERS.has(processor) || TIMER_KINDS.has(kind) ? 0 : FAR_MS;

/** Lists the pending work; empty if there is none. `now`: ms since 1970. */
export function pending({ work, log }: Data, now: number): string[] {
  const head = log.head();
  const found: string[] = [];
  for (const { processor, collection, places } of workIn(work.list())) {
    for (const { checkpoint } of places) {
      const noted = work.position(checkpoint);
      if (noted < head) found.push(`${checkpoint} is at ${noted} of ${head}`);
    }
    for (const task of tasksIn(work, collection))
      if (isPending(task, now, farOf(processor, task)))
        found.push(`${processor} owes ${task.id} in ${task.dueAt - now} ms: ${task.json.slice(0, 200)}`);
  }
  const erasures = work.list().includes(forgettings.name) ? work.of(forgettings.name).documents.values() : [];
  for (const { id, json } of erasures) if (json !== undefined) found.push(`the erasure ${id} has not ended`);
  return found;
}
