/** Builds that catch up together read the log once, however far apart their positions are. */
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import {
  BEFORE_ALL,
  categoryOf,
  type EventFilter,
  type EventStore,
  type RecordedEvent,
} from '../../engine/ports/eventStore.js';
import { createProjectionRuntime } from '../../engine/projections/runtime.js';
import {
  added,
  baskets,
  eventually,
  everything,
  type Stage,
  stage,
  stock,
  waitingItems,
} from '../support/stages/projectionStage.js';

const EVENTS = 8_000;
/** Distance between two positions, as in an engine whose positions are file offsets. An event takes about 900 bytes. */
const BYTES_AN_EVENT = 1_800;

const history: readonly RecordedEvent[] = Array.from({ length: EVENTS }, (_, i) => ({
  id: derivedId('event', i),
  ...added([`item${i % 7}`, 1]),
  meta: { at: '2026-01-01T00:00:00.000Z', actor: { type: 'system' }, correlationId: 'c' },
  stream: `basket-${i}`,
  revision: 0,
  position: (i + 1) * BYTES_AN_EVENT,
}));

const projections = [baskets(), stock, waitingItems];
const names = projections.map(({ name }) => name);

/** Serves `history` page by page, with no further events. `read` is called with the number of events in each page. */
function resting(read: (events: number) => void): EventStore {
  const head = history.at(-1)!.position;
  return {
    append: () => Promise.reject(new Error('nobody appends')),
    readStream: async (stream) => history.filter((event) => event.stream === stream),
    async readAll(after, { filter = {}, limit = 1_000 }: { filter?: EventFilter; limit?: number } = {}) {
      const passing = history.filter(
        ({ stream, position }) => position > after && (filter.categories?.includes(categoryOf(stream)) ?? true),
      );
      const events = passing.slice(0, limit);
      read(events.length);
      const end = events.length === passing.length;
      return { events, through: end ? head : events.at(-1)!.position, end };
    },
    subscribe: () => ({ stop: async () => undefined, ended: new Promise(() => undefined) }),
    head: async () => head,
    close: async () => undefined,
  };
}

describe('projections rebuilt one after the other', () => {
  let given: Stage;
  beforeEach(async () => {
    given = await stage();
  });
  afterEach(() => given.close());

  it('share one read of the log if its positions are sparse', async () => {
    let events = 0;
    const eventStore = resting((count) => {
      events += count;
    });
    const runtime = createProjectionRuntime({ eventStore, readModels: given.models, projections, graceMs: 20 });
    await runtime.start();
    const head = await eventStore.head();
    expect(await runtime.waitFor(names, head, 15_000)).to.equal(true);
    const first = await everything(given.models, 'stock');
    events = 0;
    for (const name of names) await runtime.rebuild(name);
    await eventually(async () => (await runtime.status()).every(({ state }) => state === 'live'));
    // The other builds wait for a build that begins later, so the pages before it are read again.
    expect(events).to.be.within(EVENTS, 1.5 * EVENTS);
    expect((await runtime.status()).every(({ position }) => position > BEFORE_ALL)).to.equal(true);
    expect(await everything(given.models, 'stock')).to.deep.equal(first);
    await runtime.stop();
  });
});
