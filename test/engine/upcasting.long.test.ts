/** Events of an older shape are read in the newest one, on both engines; what is stored stays as it was written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Aggregate } from '../../domain/decider.js';
import { defineEvents, type EventsOf, event as eventOf, evolvedOf, Text, Whole } from '../../domain/storedEvents.js';
import {
  BEFORE_ALL,
  createCommandHandler,
  type EventStore,
  forgetfulSnapshots,
  NewerEvent,
  type RecordedEvent,
  upcasting,
} from '../../engine/index.js';
import { moveHistory } from '../../engine/moving/moveHistory.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/index.js';
import { failureOf, freshNames, meta } from '../contracts/eventStoreKit.js';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import { endpointStage } from '../support/stages/endpointStage.js';

/** First whole dollars, then cents, then cents with a currency. */
const voucherEvents = defineEvents({
  VoucherIssued: eventOf(
    'A voucher is sold.',
    { cents: Whole(), currency: Text() },
    {
      version: 3,
      upcast: {
        1: (data) => ({ cents: (data as { dollars: number }).dollars * 100 }),
        2: (data, { at }) => ({ ...data, currency: at < '2024' ? 'SOS' : 'USD' }),
      },
    },
  ),
  VoucherSpent: eventOf('A voucher is spent.', { cents: Whole() }),
});
type VoucherEvent = EventsOf<typeof voucherEvents>;
const evolved = evolvedOf(voucherEvents);

const voucherOf = (category: string): Aggregate<{ readonly cents: number }, VoucherEvent> => ({
  name: category,
  initial: () => ({ cents: 0 }),
  evolve: ({ cents }, { type, data }) => ({
    cents: type === 'VoucherIssued' ? cents + data.cents : cents - data.cents,
  }),
});

interface Engine {
  readonly store: EventStore;
  close(): Promise<void>;
}

async function embedded(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'suuq-upcasting-'));
  const store = await openEmbeddedEventStore(folder);
  const close = async () => {
    await store.close();
    await rm(folder, { recursive: true });
  };
  return { store, close };
}

async function served(): Promise<Engine> {
  const stage = await endpointStage();
  const store = await openEventStoreDb(`esdb://${stage.address}?tls=false`);
  const close = async () => {
    await store.close();
    await stage.close();
  };
  return { store, close };
}

const shown = (events: readonly RecordedEvent[]) => events.map(({ data, meta: { schema } }) => ({ ...data, schema }));
const inNewest = [
  { cents: 500, currency: 'USD', schema: 3 },
  { cents: 250, currency: 'SOS', schema: 3 },
  { cents: 30, schema: undefined },
];

for (const [name, open] of Object.entries({ embedded, 'EventStoreDB adapter over the endpoint': served }))
  describe(`events of older versions: ${name}`, () => {
    const { stream, event, category } = freshNames();
    let engine: Engine;
    let store: EventStore;
    const voucher = stream('voucher');
    beforeEach(async () => {
      engine = await open();
      store = upcasting(engine.store, evolved);
      const issued = event('first', { dollars: 5 }, 'VoucherIssued');
      const inCents = event('second', { cents: 250 }, 'VoucherIssued');
      await store.append(voucher, 'noStream', [
        issued,
        { ...inCents, meta: { ...meta, at: '2023-05-01T10:00:00.000Z', schema: 2 } },
        event('third', { cents: 30 }, 'VoucherSpent'),
      ]);
    });
    afterEach(() => engine.close());

    it('are read in the newest version, from a stream, from the log and live', async () => {
      expect(shown(await store.readStream(voucher))).to.deep.equal(inNewest);
      expect(shown((await store.readAll(BEFORE_ALL)).events)).to.deep.equal(inNewest);
      const heard: RecordedEvent[] = [];
      let caughtUp = false;
      const subscription = store.subscribe(
        BEFORE_ALL,
        { categories: [category('voucher')] },
        { batch: (events) => void heard.push(...events), caughtUp: () => (caughtUp = true) },
      );
      await until('all received', () => heard.length === 3 && caughtUp);
      await subscription.stop();
      expect(shown(heard)).to.deep.equal(inNewest);
    });

    it('stay in the log as written, also when moved to another log', async () => {
      const stored = [
        { dollars: 5, schema: undefined },
        { cents: 250, schema: 2 },
        { cents: 30, schema: undefined },
      ];
      expect(shown(await engine.store.readStream(voucher))).to.deep.equal(stored);
      const target = await embedded();
      await moveHistory({ source: engine.store, target: target.store, mostBytes: 1_000_000, progress: () => {} });
      expect(shown(await target.store.readStream(voucher))).to.deep.equal(stored);
      await target.close();
    });

    it('are used for decisions in the newest version, and new ones are marked with it', async () => {
      const commands = createCommandHandler({
        eventStore: store,
        snapshots: forgetfulSnapshots,
        clock: fakeClock(),
        evolved,
      });
      const context = { commandId: 'again', actor: { type: 'system' }, correlationId: 'again' } as const;
      const [aggregate, id] = [voucherOf(category('voucher')), voucher.slice(voucher.indexOf('-') + 1)];
      await commands.decide(context, aggregate, id, ({ cents }): readonly VoucherEvent[] => [
        { type: 'VoucherSpent', data: { cents } },
        { type: 'VoucherIssued', data: { cents: 5, currency: 'USD' } },
      ]);
      expect(shown(await engine.store.readStream(voucher, { from: 3 }))).to.deep.equal([
        { cents: 720, schema: undefined },
        { cents: 5, currency: 'USD', schema: 3 },
      ]);
    });

    it('are rejected with an instruction if a newer release wrote them', async () => {
      const newer = stream('voucher');
      await store.append(newer, 'noStream', [{ ...event('newer', {}, 'VoucherSpent'), meta: { ...meta, schema: 2 } }]);
      const failure = await failureOf(store.readStream(newer));
      expect(failure).to.be.instanceOf(NewerEvent);
      expect((failure as Error).message).to.equal(
        `VoucherSpent (${newer}, revision 0) is stored in version 2, but this release supports up to version 1. ` +
          'Run the release that wrote it, or a newer release.',
      );
    });
  });

describe('an event of a second version', () => {
  it('cannot be declared without an upcaster', () =>
    expect(() => eventOf('A voucher is sold.', {}, { version: 2, upcast: {} })).to.throw(
      "An event of version 2 ('A voucher is sold.') has no upcaster from version 1: add one.",
    ));
});
