/** A follower of EventStoreDB whose handler is busy when the server reports the end of the history. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Connection } from '../../infrastructure/eventstoredb/connection.js';
import { LogFeed } from '../../infrastructure/eventstoredb/logFeed.js';
import { LogSubscription } from '../../infrastructure/eventstoredb/logSubscription.js';
import { positionOf } from '../../infrastructure/eventstoredb/positions.js';
import type { ReadMessage } from '../../infrastructure/eventstoredb/readMessages.js';
import { until } from '../support/tools/until.js';

/** The log ends far behind the two events that pass the filter. */
const HEAD = positionOf(900, 900);

function message(revision: number): ReadMessage {
  const bytes = Buffer.from('{"a":1}{}');
  const at = revision * 100;
  return {
    event: {
      ...{ stream: 'order-1', revision, id: `00000000-0000-4000-8000-00000000000${revision}`, type: 'Placed' },
      ...{ json: true, commit: at, prepare: at, created: '0', bytes, dataFrom: 0, dataTo: 7, metaFrom: 7, metaTo: 9 },
    },
  } as unknown as ReadMessage;
}

describe('a follower of EventStoreDB', () => {
  it('detects that it has caught up, also if the server reports it while its handler is busy', async () => {
    let hear!: (message: ReadMessage) => void;
    const call = { cancel() {}, pause() {}, resume() {}, heard() {}, answers: async () => true };
    const connection = {
      read: async (_: unknown, listener: { message: typeof hear }) => {
        hear = listener.message;
        return call;
      },
    } as unknown as Connection;
    const tail = {
      through: HEAD,
      read: (after: number) => ({ events: [], through: Math.max(after, HEAD) }),
      beyond: () => undefined,
    };
    const seen: number[] = [];
    let free!: () => void;
    let caughtUp = false;
    const following = new LogSubscription(
      {
        tail: async () => tail as never,
        feed: (after, filter) => LogFeed.open(connection, after, filter, 5_000),
        log: undefined,
      },
      -1,
      { categories: ['order'] },
      {
        async batch(events: readonly RecordedEvent[]) {
          seen.push(...events.map(({ revision }) => revision));
          if (events.length > 0)
            await new Promise<void>((resolve) => {
              free = resolve;
            });
        },
        caughtUp() {
          caughtUp = true;
        },
      },
    );
    await until('the feed is open', () => hear !== undefined);
    hear(message(1));
    hear(message(2));
    await until('the handler is busy', () => free !== undefined);
    hear({ caughtUp: true } as unknown as ReadMessage);
    free();
    await until('it has caught up', () => caughtUp);
    expect(seen).to.deep.equal([1, 2]);
    await following.stop();
  });
});
