/** The index of the history: what it answers is what going through the whole log answers, with fewer reads. */
import { join } from 'node:path';
import { expect } from 'chai';
import { HistoryIndexing } from '../../application/history/indexing.js';
import { type HistoryLog, indexedLog } from '../../application/history/steps.js';
import type { Subject } from '../../application/history/subjects.js';
import { type TimelineQuestion, timelineOf, timelineOfRequest } from '../../application/history/timeline.js';
import type { HistoryIndex } from '../../application/ports/historyIndex.js';
import { makeFolder } from '../../bench/generator/write.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { HISTORY_INDEX, historyIndexIn, openHistoryIndexMaker } from '../../infrastructure/sqlite/historyIndex.js';
import { temporaryFolder } from '../support/serviceProcess.js';

const EVENTS = 3_000;
const PAGE = 150;

describe('the index of the history', () => {
  const folder = temporaryFolder('suuq-index-');
  const data = join(folder.path, 'data');
  const file = join(data, HISTORY_INDEX);
  let store: EmbeddedEventStore;
  let index: HistoryIndex & { close(): void };
  let shops: readonly string[];
  let all: readonly RecordedEvent[];

  async function made(of = data, into = file): Promise<void> {
    const log = openStoredRows(of);
    const maker = openHistoryIndexMaker(into);
    await new HistoryIndexing(log, maker).advance();
    maker.close();
    await log.close();
  }

  before(async () => {
    shops = (await makeFolder(data, { events: EVENTS, seed: 'index' })).workspaceIds;
    store = await openEmbeddedEventStore(data, { writesHere: true });
    const events: RecordedEvent[] = [];
    for (let at = -1, end = false; !end; ) {
      const page = await store.readAll(at, {});
      events.push(...page.events);
      at = page.through;
      end = page.end;
    }
    all = events;
    index = historyIndexIn(file);
  });
  after(async () => {
    index.close();
    await store.close();
    folder.remove();
  });

  const subjectOf = (workspaceId: string) =>
    ({ kind: 'store', id: workspaceId, streams: [`store-${workspaceId}`], wholeStore: true }) as unknown as Subject;

  /** Ids of all events of a history, page by page. */
  async function ids(log: HistoryLog, workspaceId: string, question: TimelineQuestion): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await timelineOf(log, subjectOf(workspaceId), question, { limit: PAGE, after, withinMs: 60_000 });
      found.push(...page.events.map(({ id }) => id));
      if (page.next === undefined) return found;
      after = page.next;
    }
  }

  function questions(workspaceId: string): readonly TimelineQuestion[] {
    const own = all.filter(({ meta }) => meta.workspaceId === workspaceId);
    const middle = Date.parse(own[own.length >> 1]!.meta.at);
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
      { actor: 'nobody' },
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
          await ids(indexedLog(store, of), workspaceId, question),
          `${workspaceId} ${JSON.stringify(question)}`,
        ).to.deep.equal(await ids(store, workspaceId, question));
  };

  it('is not needed, and may be away', async () => {
    expect(index.made()).to.equal(undefined);
    await same(index);
  });

  it('answers as the log does, whatever is asked for', async () => {
    await made();
    expect(index.made()?.through).to.equal(await store.head());
    await same(index, [shops[0]!, shops.at(-1)!]);
  });

  it('reads what it names alone', async () => {
    let reads = 0;
    const counted: HistoryLog = {
      head: () => store.head(),
      readStream: (stream, options) => store.readStream(stream, options),
      readAll(after, options) {
        reads += 1;
        return store.readAll(after, options);
      },
    };
    const question = { types: ['OrderPaid'] };
    const page = await timelineOf(indexedLog(counted, index), subjectOf(shops[0]!), question, {
      ...{ limit: 3, withinMs: 60_000 },
    });
    expect(page.events).to.have.length(3);
    // The one that says that the log is the same, one a found event, and the one behind the page.
    expect(reads).to.equal(5);
  });

  it('finds what a request did anywhere', async () => {
    const { correlationId } = all[all.length >> 1]!.meta;
    const asked = { limit: 50, withinMs: 60_000 };
    const { events } = await timelineOfRequest(indexedLog(store, index), { correlationId }, asked);
    const expected = all.filter(({ meta }) => meta.correlationId === correlationId);
    expect(events.map(({ id }) => id)).to.deep.equal(expected.map(({ id }) => id));
  });

  it('leaves what came since to the log, and goes on from there', async () => {
    const workspaceId = shops[0]!;
    const { meta } = all.find((event) => event.meta.workspaceId === workspaceId)!;
    const id = '00000000-0000-4000-8000-0000000000b1';
    await store.append('order-late', 'noStream', [{ id, type: 'OrderPaid', data: {}, meta }]);
    const question = { types: ['OrderPaid'] };
    expect((await ids(indexedLog(store, index), workspaceId, question)).at(-1)).to.equal(id);
    expect(index.made()!.through).to.be.lessThan(await store.head());
    await made();
    expect(index.made()!.through).to.equal(await store.head());
    expect((await ids(indexedLog(store, index), workspaceId, question)).at(-1)).to.equal(id);
  });

  it('of another log is not used, and is made anew', async () => {
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
});
