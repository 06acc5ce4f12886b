/** A made history: the same for the same seed, as the service itself would have written it, and lifelike enough to measure with. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Chat } from '../../bench/generator/chat.js';
import { type Append, Ledger } from '../../bench/generator/ledger.js';
import { buy } from '../../bench/generator/order.js';
import { Random } from '../../bench/generator/random.js';
import { Shop } from '../../bench/generator/shop.js';
import { makeFolder } from '../../bench/generator/write.js';
import { Year } from '../../bench/generator/year.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { derivedId } from '../../domain/ids.js';
import type { EventDefinitions } from '../../domain/storedEvents.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventData } from '../../engine/ports/eventStore.js';
import { checkpointName } from '../../engine/processors/tasks/taskDocuments.js';
import { workIn } from '../../engine/processors/tasks/workPlaces.js';
import { processorNames } from '../../harness/load/processorNames.js';
import { startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { storedEvents } from '../../service/composition/events.js';
import { checkData } from '../support/events/validity.js';
import { commandLine } from '../support/stages/commandLine.js';

const EVENTS = 20_000;

function made(seed: string): readonly Append[] {
  const appends: Append[] = [];
  // As text, at once: what an append holds may change afterwards.
  const year = new Year({ events: EVENTS, seed }, (append) =>
    appends.push(JSON.parse(JSON.stringify(append)) as Append),
  );
  while (!year.isOver) year.step();
  return appends;
}

const hashOf = (appends: readonly Append[]): string =>
  createHash('sha256').update(JSON.stringify(appends)).digest('hex');

interface Line {
  readonly quantity: number;
  readonly unitPriceCents: number;
}
interface Totals {
  readonly subtotalCents: number;
  readonly discountCents: number;
  readonly deliveryFeeCents: number;
  readonly totalCents: number;
}

describe('a generated year', () => {
  let appends: readonly Append[] = [];
  let events: readonly (EventData & { readonly stream: string })[] = [];
  before(() => {
    appends = made('a');
    events = appends.flatMap(({ stream, events: some }) => some.map((event) => ({ ...event, stream })));
  });
  const all = <Data = Record<string, unknown>>(type: string) =>
    events.filter((event) => event.type === type) as unknown as (EventData & { stream: string; data: Data })[];

  it('is the same for the same seed, and different for another', () => {
    expect(hashOf(made('a'))).to.equal(hashOf(appends));
    expect(hashOf(made('b'))).not.to.equal(hashOf(appends));
  });

  it('has the requested number of events, over a year, in order of time', () => {
    expect(events.length).to.be.within(EVENTS, EVENTS + 100);
    const times = events.map(({ meta }) => Date.parse(meta.at));
    expect(times.every((time, n) => n === 0 || time >= times[n - 1]!)).to.equal(true);
    expect(new Date(times.at(-1)!).toISOString().slice(0, 7)).to.equal('2025-12');
  });

  it('expects the actual revision of each stream', () => {
    const heads = new Map<string, number>();
    for (const { stream, expected, events: some } of appends) {
      expect(expected).to.equal(heads.get(stream) ?? 'noStream');
      heads.set(stream, (heads.get(stream) ?? -1) + some.length);
    }
    expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length);
  });

  it('matches the schemas of its events', () => {
    const schemas: EventDefinitions = storedEvents;
    for (const { type, data } of events) checkData(type, schemas[type]!, data);
  });

  it('numbers the orders of each shop from one, without gaps', () => {
    const numbers = new Map<string, number[]>();
    for (const { meta, data } of all<{ number: number }>('OrderPlaced'))
      numbers.set(meta.workspaceId!, [...(numbers.get(meta.workspaceId!) ?? []), data.number]);
    for (const given of numbers.values()) expect(given).to.deep.equal(given.map((_, n) => n + 1));
  });

  it('charges the total of items and delivery', () => {
    const lines = new Map(all<{ lines: Line[] }>('OrderPlaced').map(({ stream, data }) => [stream, data.lines]));
    for (const { stream, data } of all<{ totals: Totals }>('OrderCheckedOut')) {
      const { subtotalCents, discountCents, deliveryFeeCents, totalCents } = data.totals;
      const goods = lines.get(stream)!.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
      expect([subtotalCents, totalCents]).to.deep.equal([goods, goods - discountCents + deliveryFeeCents]);
    }
    const paid = all<{ amountCents: number }>('OrderPaid').map(
      ({ stream, data }) => [stream, data.amountCents] as const,
    );
    const amounts = new Map(paid);
    for (const { stream, data } of all<{ amountCents: number }>('OrderRefunded'))
      expect(data.amountCents).to.equal(amounts.get(stream));
  });

  it('never has negative stock', () => {
    const stocks = [
      ...all<{ product: { stock: number } }>('ProductAdded').map(({ data }) => data.product.stock),
      ...all<{ changes: { stock?: number } }>('ProductRevised').map(({ data }) => data.changes.stock ?? 0),
    ];
    expect(stocks.length).to.be.greaterThan(1000);
    expect(Math.min(...stocks)).to.be.at.least(0);
  });

  it('has busy and quiet shops, seasons, long chats, and orders in all final states', () => {
    const count = (keys: readonly string[]) => {
      const counts = new Map<string, number>();
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      return [...counts.values()].sort((a, b) => b - a);
    };
    const shops = count(all('OrderPlaced').map(({ meta }) => meta.workspaceId!));
    expect(shops[0]).to.be.greaterThan(3 * shops.at(-1)!);
    const months = count(all('MessageReceived').map(({ meta }) => meta.at.slice(0, 7)));
    expect(months[0]).to.be.greaterThan(1.3 * months.at(-1)!);
    expect(count(all('MessageReceived').map(({ stream }) => stream))[0]).to.be.greaterThan(40);
    const ends = new Set(all<{ to: string }>('OrderStatusChanged').map(({ data }) => data.to));
    expect([...ends]).to.include.members(['awaiting_payment', 'paid', 'delivered', 'cancelled', 'refunded']);
    expect(all('OrderPaymentFailed').length * all('MessageFailed').length).to.be.greaterThan(0);
  });

  it('includes a customer who finds everything sold out, and closes that chat too', () => {
    const types: string[] = [];
    const ledger = new Ledger('sold out', ({ events: some }) => types.push(...some.map(({ type }) => type)));
    const random = new Random('sold out');
    const partnerId = derivedId('sold out', 'partner');
    const shop = new Shop({ seed: 'sold out', n: 0, partnerId, planKey: 'shops', products: 1 }, ledger, random);
    shop.open();
    shop.moved([{ retailerId: 'P0', quantity: 1_000 }]);
    const phone = '+252610000001';
    const customer = { phone, name: 'Asha', conversationId: conversationOfKey(shop.numberId, phone), busy: 0 };
    const chat = new Chat('sold out', ledger, shop, customer, random);
    expect([...buy(chat)]).to.deep.equal([]);
    for (let n = 0; n < 20; n += 1) for (const _ of chat.close());
    expect(types).to.include.members(['MessageReceived', 'ConversationStatusChanged']).and.not.include('OrderPlaced');
  });

  it('is a data folder that can be served, and whose proofs verify', async () => {
    const folder = temporaryFolder();
    try {
      const data = join(folder.path, 'data');
      const { workspaceIds, events: written } = await makeFolder(data, { events: 2_000, seed: 'a' });
      const { json } = commandLine(data, { timeout: 60_000 });
      expect(json('audit', 'verify')).to.deep.include({ events: written });
      const service = await startService(data);
      await service.stop();
      const { rows } = json('query', 'select count(*) as n from order_rows');
      expect(rows[0].n).to.be.greaterThan(10);
      expect(workspaceIds).to.have.lengthOf(4);
    } finally {
      folder.remove();
    }
  });

  it('is served by processors that start at its end, without pending tasks', async () => {
    const folder = temporaryFolder();
    const data = join(folder.path, 'data');
    const withWork = async <R>(read: (work: DocumentStore) => Promise<R>): Promise<R> => {
      const work = openEmbeddedReadModels(join(data, 'work.db'));
      return read(work).finally(() => work.close());
    };
    try {
      await makeFolder(data, { events: 2_000, seed: 'a' });
      const log = await openEmbeddedEventStore(data);
      const head = await log.head();
      await log.close();
      const noted = await withWork((work) => work.checkpoints(processorNames.map(checkpointName)));
      expect([...new Set(noted.values())]).to.deep.equal([head]);
      await (await startService(data)).stop();
      const served = await withWork(async (work) => {
        const all = workIn(await work.list());
        return Promise.all(
          all.map(async ({ processor, collection }) => [processor, await work.count(collection, {}, 10)] as const),
        );
      });
      expect(served.map(([name]) => name)).to.have.members(processorNames);
      expect(served.filter(([, pending]) => pending > 0)).to.deep.equal([]);
    } finally {
      folder.remove();
    }
  });

  it('is not written to a folder that is not empty', async () => {
    const folder = temporaryFolder();
    try {
      mkdirSync(join(folder.path, 'data'));
      writeFileSync(join(folder.path, 'data', 'x'), '');
      const refused = await makeFolder(join(folder.path, 'data'), { events: 2_000, seed: 'a' }).catch(String);
      expect(refused).to.match(/is not empty: name a folder that is/);
    } finally {
      folder.remove();
    }
  });
});
