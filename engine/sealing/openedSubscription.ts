/** Subscription that opens events before it delivers them. Opening may have to wait for keys. */
import type {
  EventFilter,
  EventMark,
  Position,
  RecordedEvent,
  SubscribeOptions,
  Subscriber,
  Subscription,
} from '../ports/eventStore.js';
import type { EventReads } from '../upcasting.js';

export type Open = (events: readonly RecordedEvent[]) => readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>;

/** Events per page when a batch is read again. */
const PAGE = 500;

interface Requested {
  readonly after: Position;
  readonly filter: EventFilter;
  readonly subscriber: Subscriber;
  readonly options?: SubscribeOptions | undefined;
}

/**
 * The log calls `wants` when it delivers a batch. If the batch waits for keys, a key refused before the wait may be
 * wanted after it. The range is then read again, so that no event is missed.
 */
export function openedSubscription(
  log: Pick<EventReads, 'readAll' | 'subscribe'>,
  open: Open,
  { after, filter, subscriber, options = {} }: Requested,
): Subscription {
  const { accepts } = options;
  const refused = new Set<string>();
  const requested = (key: string): boolean => {
    const isRequested = accepts!(key);
    if (!isRequested) refused.add(key);
    return isRequested;
  };
  /** Position up to which events were delivered. */
  let handed = after;

  function batch(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> | void {
    const [from, left] = [handed, [...refused]];
    handed = through;
    refused.clear();
    const opened = open(events);
    return opened instanceof Promise ? late(opened) : subscriber.batch(opened, through, last);

    async function late(opening: Promise<readonly RecordedEvent[]>): Promise<void> {
      const ready = await opening;
      if (!left.some((key) => accepts!(key))) return subscriber.batch(ready, through, last);
      for (let at = from; at < through; ) {
        const page = await log.readAll(at, { filter, limit: PAGE });
        const within = page.events.filter(({ position }) => position <= through);
        at = page.end ? through : Math.min(page.through, through);
        await subscriber.batch(await open(within), at, at === through ? last : undefined);
      }
    }
  }

  /** A subscriber with `wants` gets its progress from batches only. */
  const passed =
    subscriber.passed && accepts === undefined
      ? (through: Position, last?: EventMark): void => {
          handed = through;
          subscriber.passed?.(through, last);
        }
      : undefined;
  const caughtUp = (): void => subscriber.caughtUp?.();
  return log.subscribe(
    after,
    filter,
    { batch, caughtUp, ...(passed && { passed }) },
    { ...options, ...(accepts && { accepts: requested }) },
  );
}
