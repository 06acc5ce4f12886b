import type { Log } from '../ports/log.js';
import type { ViewBeingBuilt } from '../projections/documentReads.js';

/** Says once of each read model that the processor waits for it, in the log and, as its trouble, by `told`. */
export function waitingForViews(
  log: Log,
  processor: string,
  told: (message: string) => void,
): (missing: ViewBeingBuilt) => void {
  const waitedFor = new Set<string>();
  return ({ view, message }) => {
    if (waitedFor.has(view)) return;
    waitedFor.add(view);
    told(message);
    log.info({ processor, projection: view }, 'a processor waits for a read model that is being built');
  };
}
