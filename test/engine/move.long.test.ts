/** Moving a whole history from one event store into another. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MoveError } from '../../engine/moving/moveError.js';
import { type MoveProgress, moveHistory } from '../../engine/moving/moveHistory.js';
import {
  BEFORE_ALL,
  type EventData,
  type EventStore,
  type RecordedEvent,
  StoreUnavailable,
} from '../../engine/ports/eventStore.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { sizedNode } from '../support/doubles/sizedNode.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

async function everything(store: Pick<EventStore, 'readAll'>): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for (let through = BEFORE_ALL; ; ) {
    const page = await store.readAll(through);
    found.push(...page.events);
    through = page.through;
    if (page.end) return found;
  }
}

const withoutPosition = ({ position: _, ...event }: RecordedEvent) => event;

describe('moving a history', () => {
  const { event } = freshNames();
  let folder: string;
  let source: EmbeddedEventStore;
  let stage: EndpointStage;
  let proxy: FaultyProxy;
  let target: EventStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-move-'));
    source = await openEmbeddedEventStore(folder, { mostBytes: 4_000_000 });
    stage = await endpointStage();
    proxy = await faultyProxy(stage.address);
    target = await openEventStoreDb(`esdb://${proxy.address}?tls=false`, { timeoutMs: 2_000 });
  });
  afterEach(async () => {
    await target.close();
    await proxy.close();
    await stage.close();
    await source.close();
    await rm(folder, { recursive: true });
  });

  /** Streams whose appends alternate between single events and large batches, with data that is easily corrupted. */
  async function history(rounds: number): Promise<RecordedEvent[]> {
    const revisions = new Map<string, number>();
    const writing: Promise<unknown>[] = [];
    const write = (stream: string, events: EventData[]) => {
      const at = revisions.get(stream);
      writing.push(source.append(stream, at === undefined ? 'noStream' : at, events));
      revisions.set(stream, (at ?? -1) + events.length);
    };
    for (let i = 0; i < rounds; i += 1) {
      const text = ['سوق · 🛒', '\u2028 "quoted" \\ ', '\ud83d', ''][i % 4]!;
      write(`order-${i % 7}`, [event(`o${i}`, { label: `o${i}`, text, 10: 'b', 2: 'a', n: i / 3 }, 'OrderPlaced')]);
      const many = Array.from({ length: (i * 13) % 40 }, (_, k) => event(`c${i}-${k}`, { k: null }, 'ProductAdded'));
      if (many.length > 0) write('catalog-1', many);
    }
    await Promise.all(writing);
    return everything(source);
  }

  const equalLogs = async (expected: readonly RecordedEvent[]) =>
    expect((await everything(target)).map(withoutPosition)).to.deep.equal(expected.map(withoutPosition));

  it('keeps every event, the order of each stream and the order of all', async () => {
    const written = await history(120);
    const text: MoveProgress[] = [];
    const moved = await moveHistory({ source, target, progress: (now) => text.push(now) });
    expect(moved.events).to.equal(written.length);
    expect(moved.digest).to.match(/^[0-9a-f]{64}$/);
    await equalLogs(written);
    expect(text.at(-1)).to.deep.equal({ phase: 'verifying', events: written.length, share: 1 });
  });

  it('moves nothing from an empty source', async () => {
    const { events, digest } = await moveHistory({ source, target });
    expect(events).to.equal(0);
    // SHA-256 of no bytes.
    expect(digest).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('changes nothing the second time, and reports the same', async () => {
    await history(40);
    const first = await moveHistory({ source, target });
    const head = await target.head();
    expect(await moveHistory({ source, target })).to.deep.equal(first);
    expect(await target.head()).to.equal(head);
  });

  it('continues after every stop, including new events of the source', async () => {
    await history(60);
    const whole = everything(source);
    let stops = 0;
    for (let allowed = 5; ; allowed += 9) {
      let appends = 0;
      const stopping: Pick<EventStore, 'append' | 'readAll'> = {
        readAll: (after, options) => target.readAll(after, options),
        append(stream, expected, events) {
          appends += 1;
          if (appends > allowed) return Promise.reject(new StoreUnavailable('stopped for the test'));
          return target.append(stream, expected, events);
        },
      };
      const outcome = await moveHistory({ source, target: stopping }).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      expect(outcome).to.be.instanceOf(StoreUnavailable);
      stops += 1;
    }
    expect(stops).to.be.greaterThan(2);
    await equalLogs(await whole);
    await source.append('order-late', 'noStream', [event('late')]);
    const { events } = await moveHistory({ source, target });
    expect(events).to.equal((await whole).length + 1);
    await equalLogs(await everything(source));
  });

  it('survives a server that disconnects', async () => {
    const written = await history(300);
    let cuts = 0;
    const cutting: Pick<EventStore, 'append' | 'readAll'> = {
      readAll: (after, options) => target.readAll(after, options),
      append(stream, expected, events) {
        cuts += 1;
        if (cuts % 100 === 0) setTimeout(() => proxy.cut(), 1);
        return target.append(stream, expected, events);
      },
    };
    const { events } = await moveHistory({ source, target: cutting });
    expect(cuts).to.be.greaterThan(200);
    expect(events).to.equal(written.length);
    await equalLogs(written);
  });

  it('stops on request', async () => {
    await history(100);
    const aborting = new AbortController();
    const outcome = failureOf(
      moveHistory({ source, target, signal: aborting.signal, progress: () => aborting.abort(new Error('enough')) }),
    );
    expect(await outcome).to.have.property('message', 'enough');
    const { events } = await moveHistory({ source, target });
    expect(events).to.equal((await everything(source)).length);
  });

  const refusal = async (code: string): Promise<MoveError> => {
    const error = await failureOf(moveHistory({ source, target }));
    expect(error).to.be.instanceOf(MoveError);
    expect((error as MoveError).code).to.equal(code);
    return error as MoveError;
  };

  it('rejects a target with other events, and writes nothing to it', async () => {
    await history(5);
    await target.append('order-0', 'noStream', [event('foreign')]);
    await refusal('target_holds_other_events');
    expect(await everything(target)).to.have.length(1);
  });

  it('rejects a target with the same events but other data', async () => {
    await source.append('order-1', 'noStream', [event('same', { n: 1 })]);
    await target.append('order-1', 'noStream', [event('same', { n: 2 })]);
    await refusal('target_holds_other_events');
  });

  it('rejects a target with more events', async () => {
    await source.append('order-1', 'noStream', [event('one')]);
    await target.append('order-1', 'noStream', [event('one')]);
    await target.append('order-1', 0, [event('two')]);
    await refusal('target_holds_other_events');
  });

  it('names an event that is too large for the target, after writing all before it and nothing later', async () => {
    await source.append('order-1', 'noStream', [event('before')]);
    await source.append('order-2', 'noStream', [event('large', { text: 'x'.repeat(1_500_000) })]);
    await source.append('order-3', 'noStream', [event('behind')]);
    expect((await refusal('event_too_large')).message).to.contain('event 0 of order-2');
    expect((await everything(target)).map(({ stream }) => stream)).to.deep.equal(['order-1']);
  });

  describe('to a server that counts metadata and types towards the limit', () => {
    /** A server whose limit the move does not know at first and has to find out. */
    async function narrow(most: number, version = '24.10.0') {
      const node = await sizedNode(stage.address, { version, most });
      const store = await openEventStoreDb(`esdb://${node.address}?tls=false`, { timeoutMs: 2_000 });
      return { node, store, close: () => Promise.all([store.close(), node.close()]) };
    }

    it('splits rejected batches, and moves all events in order', async () => {
      // 6 MB in all, of which the data alone is less than a tenth.
      const many = (label: string) =>
        Array.from({ length: 500 }, (_, k) => event(`${label}-${k}`, { k }, 'ProductAdded'.repeat(100)));
      for (let i = 0; i < 4; i += 1) {
        await source.append('catalog-1', i === 0 ? 'noStream' : 500 * i - 1, many(`many${i}`));
        await source.append(`order-${i}`, 'noStream', [event(`order${i}`)]);
      }
      const { node, store, close } = await narrow(100_000);
      const { events } = await moveHistory({ source, target: store });
      expect(events).to.equal(2_004);
      await equalLogs(await everything(source));
      // Half of what was refused is tried next, so few are refused.
      expect(node.appends.length).to.be.below(150);
      await close();
    });

    it('names an event that does not fit alone, with its actual size', async () => {
      const one = event('large', { text: 'x'.repeat(60_000) }, 'T'.repeat(30_000));
      await source.append('order-1', 'noStream', [event('before')]);
      await source.append('order-2', 'noStream', [one, event('behind')]);
      const { store, close } = await narrow(100_000);
      const error = (await failureOf(moveHistory({ source, target: store }))) as MoveError;
      expect(error.code).to.equal('event_too_large');
      const [data, meta] = [one.data, one.meta].map((part) => JSON.stringify(part).length);
      expect(error.message).to.contain(
        `event 0 of order-2 has ${data} bytes of data, ${data! + meta! + 60_000} with metadata and type`,
      );
      expect((await everything(target)).map(({ stream }) => stream)).to.deep.equal(['order-1']);
      await close();
    });
  });

  it('rejects a source with hidden events in a stream', async () => {
    const shown = await history(3);
    const gap: typeof shown = shown.filter(({ stream, revision }) => stream !== 'catalog-1' || revision !== 4);
    const hiding = {
      head: () => source.head(),
      readAll: async () => ({ events: gap, through: shown.at(-1)!.position, end: true }),
    };
    const error = await failureOf(moveHistory({ source: hiding, target }));
    expect((error as MoveError).code).to.equal('source_not_whole');
    expect((error as MoveError).message).to.contain('event 4 of catalog-1');
  });

  it('detects a target that has written something other than it was given', async () => {
    await history(5);
    const spoiling: Pick<EventStore, 'append' | 'readAll'> = {
      readAll: (after, options) => target.readAll(after, options),
      append: (stream, expected, events) =>
        target.append(
          stream,
          expected,
          events.map((one) => (one.type === 'OrderPlaced' ? { ...one, data: { spoilt: true } } : one)),
        ),
    };
    const error = await failureOf(moveHistory({ source, target: spoiling }));
    expect((error as MoveError).code).to.equal('not_equal');
  });
});
