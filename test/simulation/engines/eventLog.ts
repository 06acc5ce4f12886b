/** The event store as a process sees it: the port over a wire with late, lost and unanswered calls. */
import type { EventStore } from '../../../engine/ports/eventStore.js';
import type { Wire } from '../world/wire.js';
import { follow, tailOf } from './following.js';
import { type LogState, STRIDE } from './logState.js';

const BATCH = 500;

export function eventLog(state: LogState, wire: Wire): EventStore {
  const read = <T>(what: string, run: () => T): Promise<T> => wire.call({ what, changes: false, run });
  const tail = tailOf(state, wire);
  return {
    append: (stream, expected, events) =>
      wire.call({
        what: `append ${stream} ${expected}`,
        changes: true,
        run: () => state.append(stream, expected, events, wire.from),
      }),
    readStream: (stream, options) => read(`read ${stream}`, () => state.readStream(stream, options)),
    readAll: (after, options) => read('read all', () => state.readAll(after, options)),
    subscribe: (after, filter, subscriber, { batch: limit = BATCH, accepts: wants = () => true } = {}) =>
      follow({ state, wire, tail, after, filter, limit, wants }, subscriber),
    head: () => read('head', () => state.head()),
    spacing: () => read('spacing', () => STRIDE),
    close: async () => undefined,
  };
}
