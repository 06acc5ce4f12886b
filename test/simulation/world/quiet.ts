/** Whether everything that is owed has been done: looked at from above, where nothing is hidden. */
import { workIn } from '../../../engine/processors/tasks/workPlaces.js';
import type { Data } from './engines.js';

/** Timers that are due much later are part of a quiet world: carts of a month, checks of three days. */
const FAR_MS = 40 * 60_000;

/** What is still to be done; empty when all is. `now`: ms since 1970. */
export function owed({ work, log }: Data, now: number): string[] {
  const head = log.head();
  const found: string[] = [];
  for (const { processor, collection, places } of workIn(work.list())) {
    for (const { checkpoint } of places) {
      const noted = work.position(checkpoint);
      if (noted < head) found.push(`${checkpoint} is at ${noted} of ${head}`);
    }
    for (const { id, keys, json } of work.of(collection).documents.values())
      if (json !== undefined && Number(keys.dueAt) < now + FAR_MS)
        found.push(`${processor} owes ${id} in ${Number(keys.dueAt) - now} ms: ${json.slice(0, 200)}`);
  }
  return found;
}
