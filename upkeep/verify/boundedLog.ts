import type { EventFilter, EventStore, Position, Subscriber, Subscription } from '../../engine/ports/eventStore.js';
import type { EventReads } from '../../engine/upcasting.js';

/** A log that ends at a movable position: a fold of it is exactly at that position. */
export interface BoundedLog extends EventReads {
  moveTo(end: Position): void;
}

export function boundedLog(log: EventReads, end: Position): BoundedLog {
  let bound = end;
  let wake: (() => void)[] = [];
  const wakeAll = (): void => {
    const waiting = wake;
    wake = [];
    for (const each of waiting) each();
  };
  const moved = (): Promise<void> => new Promise((resolve) => wake.push(resolve));

  async function readAll(after: Position, options?: Parameters<EventStore['readAll']>[1]) {
    if (after >= bound) return { events: [], through: after, end: true };
    const upTo = bound;
    const page = await log.readAll(after, options);
    const events = page.events.filter(({ position }) => position <= upTo);
    const through = Math.min(page.through, upTo);
    return { events, through, end: page.end || through >= upTo };
  }

  return {
    readAll,
    head: async () => bound,
    async readStream(stream, options) {
      return (await log.readStream(stream, options)).filter(({ position }) => position <= bound);
    },
    subscribe(after: Position, filter: EventFilter, subscriber: Subscriber, { batch = 500 } = {}): Subscription {
      let stopped = false;
      let caughtUp = false;
      const read = async (at: Position): Promise<Position> => {
        const page = await readAll(at, { filter, limit: batch });
        if (stopped) return at;
        if (page.through > at) await subscriber.batch(page.events, page.through);
        if (!page.end) return page.through;
        if (!caughtUp) subscriber.caughtUp?.();
        caughtUp = true;
        if (page.through >= bound && !stopped) await moved();
        return page.through;
      };
      const run = async (): Promise<void> => {
        for (let at = after; !stopped; ) at = await read(at);
      };
      const ended = Promise.resolve().then(run);
      ended.catch(() => {});
      return {
        ended,
        async stop() {
          stopped = true;
          wakeAll();
          await ended.catch(() => {});
        },
      };
    },
    moveTo(next) {
      bound = next;
      wakeAll();
    },
    close: () => log.close(),
  };
}
