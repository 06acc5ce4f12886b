/** A subscription whose events are opened before they are handed over, which may take a wait. */
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

/** Events of one page, where a batch is read again. */
const PAGE = 500;

/**
 * `wants` is asked by the log when it hands a batch over. Where the batch has to wait for keys, what was refused before the wait could be
 * wanted after it: then the stretch is read again, and nothing of it is left out.
 */
export function openedSubscription(
  log: Pick<EventReads, 'readAll' | 'subscribe'>,
  open: Open,
  after: Position,
  filter: EventFilter,
  subscriber: Subscriber,
  options: SubscribeOptions = {},
): Subscription {
  const { wants } = options;
  const refused = new Set<string>();
  const asked = (key: string): boolean => {
    const isWanted = wants!(key);
    if (!isWanted) refused.add(key);
    return isWanted;
  };
  /** Everything up to here was handed over. */
  let handed = after;

  function batch(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> | void {
    const [from, left] = [handed, [...refused]];
    handed = through;
    refused.clear();
    const opened = open(events);
    return opened instanceof Promise ? late(opened) : subscriber.batch(opened, through, last);

    async function late(opening: Promise<readonly RecordedEvent[]>): Promise<void> {
      const ready = await opening;
      if (!left.some((key) => wants!(key))) return subscriber.batch(ready, through, last);
      for (let at = from; at < through; ) {
        const page = await log.readAll(at, { filter, limit: PAGE });
        const within = page.events.filter(({ position }) => position <= through);
        at = page.end ? through : Math.min(page.through, through);
        await subscriber.batch(await open(within), at, at === through ? last : undefined);
      }
    }
  }

  /** Who asks for what is wanted is told by batches alone. */
  const passed =
    subscriber.passed && wants === undefined
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
    { ...options, ...(wants && { wants: asked }) },
  );
}
