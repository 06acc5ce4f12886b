import type { Position } from '../engine/ports/eventStore.js';

/** Index of the first event after a position, of events in the log's order; their number when there is none. */
export function firstAfter(events: readonly { readonly position: Position }[], after: Position): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.position > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
