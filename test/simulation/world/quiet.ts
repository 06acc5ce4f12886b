/** Whether everything that is owed has been done: looked at from above, where nothing is hidden. */
import { leasesDefinition } from '../../../engine/ownership/leaseDocuments.js';
import { checkpointName, processorOf } from '../../../engine/processors/taskDocuments.js';
import type { Data } from './engines.js';

/** Timers that are due much later are part of a quiet world: carts of a month, checks of three days. */
const FAR_MS = 40 * 60_000;

/** What is still to be done; empty when all is. `now`: ms since 1970. */
export function owed({ work, log }: Data, now: number): string[] {
  const head = log.head();
  const found: string[] = [];
  for (const name of work.list()) {
    const processor = processorOf(name);
    if (processor === undefined || name === leasesDefinition.name) continue;
    const noted = work.position(checkpointName(processor));
    if (noted < head) found.push(`${processor} is at ${noted} of ${head}`);
    for (const { id, keys, json } of work.of(name).documents.values())
      if (json !== undefined && Number(keys.dueAt) < now + FAR_MS)
        found.push(`${processor} owes ${id} in ${Number(keys.dueAt) - now} ms: ${json.slice(0, 200)}`);
  }
  return found;
}
