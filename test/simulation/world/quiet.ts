/** Whether everything that is owed has been done: looked at from above, where nothing is hidden. */
import { isPutOff } from '../../../engine/processors/tasks/clockSteps.js';
import { workIn } from '../../../engine/processors/tasks/workPlaces.js';
import type { Data } from './engines.js';

/** Timers that are due much later are part of a quiet world: carts of a month, checks of three days. */
const FAR_MS = 40 * 60_000;
/** Processors of timers alone: what is not due yet is nobody's backlog. */
const TIMERS = new Set(['abandonedCarts', 'unpaidOrders']);

type Waiting = Parameters<typeof isPutOff>[0];
/** Due, or put off by a clock that was ahead and is set right. */
const isOwed = (task: Waiting, now: number, far: number): boolean => task.dueAt < now + far || isPutOff(task, now);

/** What is still to be done; empty when all is. `now`: ms since 1970. */
export function owed({ work, log }: Data, now: number): string[] {
  const head = log.head();
  const found: string[] = [];
  for (const { processor, collection, places } of workIn(work.list())) {
    for (const { checkpoint } of places) {
      const noted = work.position(checkpoint);
      if (noted < head) found.push(`${checkpoint} is at ${noted} of ${head}`);
    }
    const far = TIMERS.has(processor) ? 0 : FAR_MS;
    for (const { id, revision, keys, json } of work.of(collection).documents.values())
      if (json !== undefined && isOwed({ revision, dueAt: Number(keys.dueAt), ...JSON.parse(json) }, now, far))
        found.push(`${processor} owes ${id} in ${Number(keys.dueAt) - now} ms: ${json.slice(0, 200)}`);
  }
  return found;
}
