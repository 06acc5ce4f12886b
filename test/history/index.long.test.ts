/** The history index gives the same answers as a scan of the whole log, with fewer reads. */
import { join } from 'node:path';
import { expect } from 'chai';
import { queriedFacets } from '../../application/history/customerFacets.js';
import { HistoryIndexing } from '../../application/history/historyIndexing.js';
import { type HistoryLog, indexedLog } from '../../application/history/historySteps.js';
import type { Subject } from '../../application/history/historySubjects.js';
import { type TimelineQuestion, timelineOf, timelineOfRequest } from '../../application/history/timeline.js';
import type { HistoryIndex, IndexedPeople } from '../../application/ports/historyIndex.js';
import { makeFolder } from '../../bench/generator/write.js';
import type { EventStore, RecordedEvent } from '../../engine/ports/eventStore.js';
import { opening, sealing } from '../../engine/sealing/sealingStore.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { HISTORY_INDEX, historyIndexIn, openHistoryIndexMaker } from '../../infrastructure/sqlite/historyIndex.js';
import { openEmbeddedVault } from '../../infrastructure/sqlite/personVault.js';
import { storedEvents } from '../../service/composition/events.js';
import { indexedPeople, sealingOf } from '../../service/composition/privacy/vaults.js';

const EVENTS = 3_000;
const PAGE = 150;
const NOBODY: IndexedPeople = { everyone: async () => [], secret: async () => 'a secret of the vault' };
const indexOf = (index: HistoryIndex, people = NOBODY) => ({ index, people });

/** Reads all events of a log, in order. */
async function eventsOf(log: Pick<EventStore, 'readAll'>): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let at = -1, end = false; !end; ) {
    const page = await log.readAll(at, {});
    events.push(...page.events);
    at = page.through;
    end = page.end;
  }
  return events;
}

async function made(folder: string, file: string, people = NOBODY): Promise<void> {
  const log = openStoredRows(folder);
  const maker = openHistoryIndexMaker(file);
  await new HistoryIndexing(log, maker, await people.secret()).advance();
  maker.close();
  await log.close();
}

const subjectOf = (workspaceId: string) =>
  ({ kind: 'store', id: workspaceId, streams: [`store-${workspaceId}`], wholeStore: true }) as unknown as Subject;

/** Reads the ids of all events of a history, page by page. */
async function ids(log: HistoryLog, workspaceId: string, question: TimelineQuestion): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await timelineOf(log, subjectOf(workspaceId), question, { limit: PAGE, after, withinMs: 60_000 });
    found.push(...page.events.map(({ id }) => id));
    if (page.next === undefined) return found;
    after = page.next;
  }
}

/** Counts the reads of the log. */
function counting(log: HistoryLog) {
  const counted = {
    reads: 0,
    head: () => log.head(),
    readStream: (...requested: Parameters<HistoryLog['readStream']>) => log.readStream(...requested),
    readAll(...requested: Parameters<HistoryLog['readAll']>) {
      counted.reads += 1;
      return log.readAll(...requested);
    },
  };
  return counted;
}

/** Returns a customer who wrote to the store, and the number of their events. */
function customerIn(events: readonly RecordedEvent[], workspaceId: string) {
  const times = new Map<string, number>();
  for (const { meta } of events)
    if (meta.workspaceId === workspaceId && meta.actor.type === 'customer' && meta.actor.id !== undefined)
      times.set(meta.actor.id, (times.get(meta.actor.id) ?? 0) + 1);
  return [...times].find(([, count]) => count > 1)!;
}

describe('the index of the history', () => {
  const folder = temporaryFolder('suuq-index-');
  const data = join(folder.path, 'data');
  const file = join(data, HISTORY_INDEX);
  let store: EmbeddedEventStore;
  let index: HistoryIndex & { close(): void };
  let shops: readonly string[];
  let all: readonly RecordedEvent[];

  before(async () => {
    shops = (await makeFolder(data, { events: EVENTS, seed: 'index' })).workspaceIds;
    store = await openEmbeddedEventStore(data, { writesHere: true });
    all = await eventsOf(store);
    index = historyIndexIn(file);
  });
  after(async () => {
    index.close();
    await store.close();
    folder.remove();
  });

  function questions(workspaceId: string): readonly TimelineQuestion[] {
    const own = all.filter(({ meta }) => meta.workspaceId === workspaceId);
    const middle = Date.parse(own[own.length >> 1]!.meta.at);
    const [customer] = customerIn(own, workspaceId);
    const member = own.find(({ meta }) => meta.actor.type === 'member')!.meta.actor.id!;
    return [
      {},
      { types: ['OrderPlaced'] },
      { types: ['OrderPaid', 'OrderStatusChanged', 'Nothing'] },
      { types: ['Nothing'] },
      { actor: 'member' },
      { actor: member },
      { actor: `member:${member}` },
      { actor: 'customer', types: ['MessageReceived', 'OrderPlaced', 'OrderCheckedOut'] },
      { actor: customer },
      { actor: `customer:${customer}`, types: ['MessageReceived'], from: middle },
      { actor: `member:${customer}` },
      { actor: 'nobody' },
      { actor: 'nobody:at:all' },
      { actor: 'operator:generator' },
      { actor: member, types: ['MessageQueued'], from: middle },
      { from: middle },
      { to: middle },
      { from: middle, to: middle + 24 * 3_600_000, types: ['MessageReceived'] },
      { correlationId: own[own.length >> 2]!.meta.correlationId },
    ];
  }

  const same = async (of: HistoryIndex, some = [shops.at(-1)!]): Promise<void> => {
    for (const workspaceId of some)
      for (const question of questions(workspaceId))
        expect(
          await ids(indexedLog(store, indexOf(of)), workspaceId, question),
          `${workspaceId} ${JSON.stringify(question)}`,
        ).to.deep.equal(await ids(store, workspaceId, question));
  };

  it('is optional, and may be missing', async () => {
    expect(index.made()).to.equal(undefined);
    await same(index);
  });

  it('returns the same as the log, for any query', async () => {
    await made(data, file);
    expect(index.made()?.through).to.equal(await store.head());
    await same(index, [shops[0]!, shops.at(-1)!]);
  });

  it('reads only the matching events', async () => {
    const counted = counting(store);
    const question = { types: ['OrderPaid'] };
    const page = await timelineOf(indexedLog(counted, indexOf(index)), subjectOf(shops[0]!), question, {
      ...{ limit: 3, withinMs: 60_000 },
    });
    expect(page.events).to.have.length(3);
    // One read verifies the log, one fetches each event found, and one follows the page.
    expect(counted.reads).to.equal(5);
  });

  it('reads only the events of an unencrypted customer, and none for an unknown actor', async () => {
    const [customer, times] = customerIn(all, shops[0]!);
    for (const [actor, found] of [
      [customer, times],
      ['+252610000000', 0],
    ] as const) {
      const counted = counting(store);
      expect(await ids(indexedLog(counted, indexOf(index)), shops[0]!, { actor })).to.have.length(found);
      // Two more reads verify the log and read past the end of the index.
      expect(counted.reads).to.equal(found + 2);
    }
  });

  it('reveals nothing of customers without the secret, and is not used with another', async () => {
    const other = { ...NOBODY, secret: async () => 'another secret' };
    const [actor, times] = customerIn(all, shops[0]!);
    const counted = counting(store);
    expect(await ids(indexedLog(counted, indexOf(index, other)), shops[0]!, { actor })).to.have.length(times);
    const { through } = index.made()!;
    expect(counted.reads).to.equal(2 + Math.floor(through / 500));
    const [facet] = await queriedFacets(other)(shops[0]!, actor);
    expect([...index.positions([[facet!]], -1)]).to.deep.equal([]);
  });

  it('finds the effects of a request everywhere', async () => {
    const { correlationId } = all[all.length >> 1]!.meta;
    const requested = { limit: 50, withinMs: 60_000 };
    const { events } = await timelineOfRequest(indexedLog(store, indexOf(index)), { correlationId }, requested);
    const expected = all.filter(({ meta }) => meta.correlationId === correlationId);
    expect(events.map(({ id }) => id)).to.deep.equal(expected.map(({ id }) => id));
  });

  it('leaves newer events to the log, and continues from there', async () => {
    const workspaceId = shops[0]!;
    const { meta } = all.find((event) => event.meta.workspaceId === workspaceId)!;
    const id = '00000000-0000-4000-8000-0000000000b1';
    await store.append('order-late', 'noStream', [{ id, type: 'OrderPaid', data: {}, meta }]);
    const question = { types: ['OrderPaid'] };
    expect((await ids(indexedLog(store, indexOf(index)), workspaceId, question)).at(-1)).to.equal(id);
    expect(index.made()!.through).to.be.lessThan(await store.head());
    await made(data, file);
    expect(index.made()!.through).to.equal(await store.head());
    expect((await ids(indexedLog(store, indexOf(index)), workspaceId, question)).at(-1)).to.equal(id);
  });

  it('of another log is not used, and is rebuilt', async () => {
    const other = temporaryFolder('suuq-index-other-');
    try {
      const place = join(other.path, 'data');
      await makeFolder(place, { events: 2_000, seed: 'another' });
      const copied = join(place, HISTORY_INDEX);
      await made(place, copied);
      const wrong = historyIndexIn(copied);
      await same(wrong);
      await made(data, copied);
      expect(wrong.made()).to.deep.equal(index.made());
      await same(wrong);
      wrong.close();
    } finally {
      other.remove();
    }
  });

  describe('of a log with encrypted customers', () => {
    const sealed = temporaryFolder('suuq-index-sealed-');
    const place = sealed.path;
    const box = createSecretBox(Buffer.alloc(32, 7));
    const vault = openEmbeddedVault(join(place, 'vault.db'));
    const parts = sealingOf(vault, box, { file: join(place, 'vault.db') }, storedEvents);
    const people = indexedPeople(parts);
    let stored: EmbeddedEventStore;
    let opened: EventStore;
    let found: HistoryIndex & { close(): void };
    before(async () => {
      stored = await openEmbeddedEventStore(place, { writesHere: true });
      const writing = sealing(stored, parts);
      for (const { stream, revision, id, type, data, meta } of all)
        await writing.append(stream, revision === 0 ? 'noStream' : revision - 1, [{ id, type, data, meta }]);
      opened = opening(stored, parts);
      await made(place, join(place, HISTORY_INDEX), people);
      found = historyIndexIn(join(place, HISTORY_INDEX));
    });
    after(async () => {
      found.close();
      await stored.close();
      await vault.close();
      sealed.remove();
    });

    it('finds the events of each of them, with as few reads', async () => {
      for (const workspaceId of [shops[0]!, shops.at(-1)!]) {
        const [customer, times] = customerIn(all, workspaceId);
        for (const question of questions(workspaceId))
          expect(
            await ids(indexedLog(opened, indexOf(found, people)), workspaceId, question),
            JSON.stringify(question),
          ).to.deep.equal(await ids(opened, workspaceId, question));
        const counted = counting(opened);
        const log = indexedLog(counted, indexOf(found, people));
        expect(await ids(log, workspaceId, { actor: customer })).to.have.length(times);
        expect(counted.reads).to.equal(times + 2);
      }
    });

    it('leads to nobody after an erasure', async () => {
      const workspaceId = shops[0]!;
      const [customer] = customerIn(all, workspaceId);
      const facets = await queriedFacets(people)(workspaceId, customer);
      const positions = [...found.positions([facets], -1)];
      const persons = await people.everyone(workspaceId, customer);
      await vault.forget(persons, '2026-01-01T00:00:00.000Z');
      parts.ring.drop(persons);
      expect([...found.positions([await queriedFacets(people)(workspaceId, customer)], -1)]).to.deep.equal([]);
      const log = indexedLog(opened, indexOf(found, people));
      expect(await ids(log, workspaceId, { actor: customer })).to.deep.equal([]);
      // The customer's events remain, and are found under the erased id.
      const [{ meta, id } = undefined!] = (await opened.readAll(positions[0]! - 1, { limit: 1 })).events;
      expect(meta.actor.id).to.match(/^erased-/);
      expect(await ids(log, workspaceId, { actor: meta.actor.id! })).to.deep.equal([id]);
    });
  });
});
