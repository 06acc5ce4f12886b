/** History of one resource: its events, past states and differences since, on a log in memory. */
import { expect } from 'chai';
import { actorNames } from '../../application/console/actorNames.js';
import { differences } from '../../application/history/differences.js';
import { historyEntry } from '../../application/history/historyEntries.js';
import { type HistoryLog, inStreams, placeIn } from '../../application/history/historySteps.js';
import { type HistoryKind, subjectOf } from '../../application/history/historySubjects.js';
import { statesAt } from '../../application/history/pastStates.js';
import { storeLog } from '../../application/history/storeView.js';
import { type TimelineQuestion, timelineOf, timelineOfRequest } from '../../application/history/timeline.js';
import { DomainError } from '../../domain/decider.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { members } from '../../projections/members.js';
import { delaying } from '../support/doubles/blockedCalls.js';
import { type Given, minute, recorded } from '../support/spec/givenEvents.js';
import { memoryLog } from '../support/spec/memoryLog.js';
import { readsOf } from '../support/spec/memoryReads.js';
import { ASHA, BILE, memberAdded } from '../support/spec/people.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const OTHER = '5f0c7a9e-1111-4000-8000-000000000002';
const KEY = 'c0000000-0000-4000-8000-000000000001';
const SALE = 'd0000000-0000-4000-8000-000000000001';

const owner = { email: 'asha@example.com', name: 'Asha' };
const store = { name: 'Shop', owner, country: 'SO', timezone: 'Africa/Mogadishu', locale: 'so', planKey: 'p' };
const shirt = { name: 'Shirt', description: '', imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 12_00 };
const product = { ...shirt, availability: 'in_stock', active: true, categoryExternalId: 'tops', variants: [] };
const key = { keyId: KEY, kind: 'secret', mode: 'live', scopes: [], hash: 'aa', sealed: 'bb', last4: 'pUDc' };
const asha = { actor: { type: 'member', id: ASHA.memberId }, correlationId: 'request-asha' } as const;
const byHodan = { actor: { type: 'system', id: 'operator' }, operator: 'hodan' } as const;
const sale = { kind: 'flash_sale', name: 'Eid', active: true, percentOff: 10, startsAt: minute(0), endsAt: minute(10) };

const inShop: readonly Given[] = [
  { stream: `store-${SHOP}`, type: 'StoreCreated', data: store },
  { stream: `members-${SHOP}`, ...memberAdded(ASHA) },
  { stream: `members-${SHOP}`, ...memberAdded(BILE) },
  { stream: `store-${SHOP}`, type: 'KeyCreated', data: key, meta: byHodan },
  {
    stream: `catalog-${SHOP}`,
    type: 'CategoriesAdded',
    data: { categories: [{ externalId: 'tops', name: 'Tops', position: 0 }] },
  },
  {
    stream: `catalog-${SHOP}`,
    type: 'ProductAdded',
    data: { externalId: 'shirt', product, retailerIds: ['shirt'] },
    meta: asha,
  },
  {
    stream: `catalog-${SHOP}`,
    type: 'ProductAdded',
    data: { externalId: 'hat', product: { ...product, name: 'Hat' }, retailerIds: ['hat'] },
  },
  {
    stream: `catalog-${SHOP}`,
    type: 'ProductRevised',
    data: {
      externalId: 'shirt',
      changes: { priceCents: 15_00 },
      before: { priceCents: 12_00 },
      retailerIds: ['shirt'],
      droppedRetailerIds: [],
    },
    meta: asha,
  },
  {
    stream: `catalog-${SHOP}`,
    type: 'CategoriesRenamed',
    data: { categories: [{ externalId: 'tops', name: 'Upper', before: 'Tops' }] },
  },
  { stream: `promotion-${SALE}`, type: 'PromotionCreated', data: { definition: sale } },
  {
    stream: `members-${SHOP}`,
    type: 'MemberRoleChanged',
    data: { memberId: BILE.memberId, role: 'admin', before: 'agent' },
  },
  {
    stream: `catalog-${SHOP}`,
    type: 'ProductRemoved',
    data: { externalId: 'shirt', retailerIds: ['shirt'] },
    meta: asha,
  },
  { stream: `consoleReads-s1`, type: 'ConsoleRead', data: {} },
].map((event) => ({ ...event, meta: { workspaceId: SHOP, ...('meta' in event ? event.meta : {}) } })) as never;
const elsewhere: readonly Given[] = [
  { stream: `store-${OTHER}`, type: 'StoreCreated', data: store, meta: { workspaceId: OTHER } },
];
const log = memoryLog(recorded(['store'], [...inShop, ...elsewhere], {}));
const reads = readsOf([members, apiKeys], () => log.events);
const at = (n: number): number => Date.parse(minute(n));
const bounds = { limit: 50, withinMs: 5000 };
const named = (kind: HistoryKind, id: string, workspaceId?: string) =>
  subjectOf({ log, reads }, { kind, id, workspaceId });

async function notify(kind: HistoryKind, id: string, question: TimelineQuestion = {}, workspaceId?: string) {
  const { events, next } = await timelineOf(log, await named(kind, id, workspaceId), question, bounds);
  return { types: events.map(({ type }) => type), next };
}

/** Returns the code of the refusal. */
const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'not refused',
    (error) => (error instanceof DomainError ? error.code : error),
  );

describe('the history of one object', () => {
  it('contains all events of a store, in any stream, and none of another', async () => {
    expect((await notify('store', SHOP)).types).to.deep.equal(inShop.map(({ type }) => type));
    expect((await notify('store', OTHER)).types).to.deep.equal(['StoreCreated']);
  });

  it('contains events that affect a product, a member or a key in other streams', async () => {
    expect((await notify('product', 'shirt', {}, SHOP)).types).to.deep.equal([
      'ProductAdded',
      'ProductRevised',
      'ProductRemoved',
    ]);
    expect((await notify('member', BILE.memberId)).types).to.deep.equal(['MemberAdded', 'MemberRoleChanged']);
    expect((await notify('key', KEY)).types).to.deep.equal(['KeyCreated']);
  });

  it('is filtered by type, time, request and actor', async () => {
    expect((await notify('store', SHOP, { types: ['ProductRevised'] })).types).to.deep.equal(['ProductRevised']);
    expect((await notify('store', SHOP, { from: at(1), to: at(3) })).types).to.deep.equal([
      'MemberAdded',
      'MemberAdded',
    ]);
    const hers = ['ProductAdded', 'ProductRevised', 'ProductRemoved'];
    expect((await notify('store', SHOP, { correlationId: 'request-asha' })).types).to.deep.equal(hers);
    for (const actor of ['member', ASHA.memberId, `member:${ASHA.memberId}`])
      expect((await notify('store', SHOP, { actor })).types, actor).to.deep.equal(hers);
    expect((await notify('store', SHOP, { actor: 'operator:hodan' })).types).to.deep.equal(['KeyCreated']);
  });

  for (const [kind, id, workspaceId] of [
    ['store', SHOP],
    ['product', 'shirt', SHOP],
  ] as const)
    it(`is returned page by page, each event once: ${kind}`, async () => {
      const subject = await named(kind, id, workspaceId);
      const all = await timelineOf(log, subject, {}, bounds);
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const page = await timelineOf(log, subject, {}, { limit: 2, withinMs: 5000, after });
        expect(page.events.length).to.be.within(1, 2);
        ids.push(...page.events.map((event) => event.id));
        after = page.next;
      } while (after !== undefined);
      expect(ids).to.deep.equal(all.events.map((event) => event.id));
    });

  it('ends a page after its time limit, and returns where to continue', async () => {
    const subject = await named('store', SHOP);
    const found: string[] = [];
    let after: string | undefined;
    for (let turn = 0; turn < 100; turn += 1) {
      const page = await timelineOf(log, subject, { types: ['ProductRemoved'] }, { limit: 5, withinMs: -1, after });
      found.push(...page.events.map(({ type }) => type));
      after = page.next;
      if (after === undefined) break;
    }
    expect([found, after]).to.deep.equal([['ProductRemoved'], undefined]);
  });

  it('finds all effects of a request, in the whole log', async () => {
    const { events } = await timelineOfRequest(log, { correlationId: 'request-asha' }, bounds);
    expect(events.map(({ stream }) => stream)).to.deep.equal(Array(3).fill(`catalog-${SHOP}`));
  });

  it('reports unknown objects, reversed ranges and invalid cursors', async () => {
    expect(await refused(named('order', 'none'))).to.equal('not_found');
    expect(await refused(named('member', 'none'))).to.equal('not_found');
    expect(await refused(named('store', OTHER, SHOP)), 'of another store').to.equal('not_found');
    expect(await refused(named('key', KEY, OTHER)), 'of another store').to.equal('not_found');
    expect(await refused(notify('product', 'scarf', {}, SHOP))).to.equal('not_found');
    expect(await refused(notify('store', SHOP, { from: at(2), to: at(2) }))).to.equal('range_reversed');
    for (const place of ['x', '', '1', '1.2.3', '-1.2'])
      expect(() => placeIn(place, 2), place).to.throw(/cursor is not valid/);
  });
});

describe('the actor', () => {
  const named = async (options?: { accounts: boolean }) => {
    const nameOf = await actorNames(reads, log.events, options);
    return log.events.map((event) => nameOf(event));
  };

  it('is shown by the name of a member, and by an account only to permitted users', async () => {
    const [known, others] = [await named({ accounts: true }), await named()];
    expect(known).to.include.members(['Asha', 'The operator (hodan)']);
    expect(others).to.include.members(['Asha', 'The operator']);
    expect(JSON.stringify(others)).to.not.include('hodan');
  });
});

describe('past states', () => {
  const states = async (kind: HistoryKind, id: string, moments: readonly number[], workspaceId?: string) =>
    (await statesAt(log, await named(kind, id, workspaceId), moments, { withinMs: 5000, now: at(60) })) as readonly (
      | Record<string, unknown>
      | undefined
    )[];

  it('have the shape of the API, at each time', async () => {
    const [first, then, gone] = await states('product', 'shirt', [at(5), at(8), at(11)], SHOP);
    expect(first).to.deep.include({
      externalId: 'shirt',
      priceCents: 12_00,
      category: { externalId: 'tops', name: 'Tops' },
    });
    expect(then).to.deep.include({ priceCents: 15_00, category: { externalId: 'tops', name: 'Upper' } });
    expect(gone).to.equal(undefined);
    const [before, after] = await states('member', BILE.memberId, [at(2), Number.POSITIVE_INFINITY]);
    expect([before?.role, after?.role]).to.deep.equal(['agent', 'admin']);
  });

  it('depend on the time where the API does', async () => {
    const [open, closed] = await states('promotion', SALE, [at(9), at(10)]);
    expect([open?.open, closed?.open]).to.deep.equal([true, false]);
  });

  it('do not exist before the first event, which is named', async () => {
    expect(await refused(states('product', 'shirt', [at(4)], SHOP))).to.equal('before_first_event');
    expect(await refused(states('product', 'scarf', [at(4)], SHOP))).to.equal('not_found');
  });

  it('are given up when they take too long', async () => {
    const subject = await named('product', 'shirt', SHOP);
    expect(await refused(statesAt(log, subject, [at(8)], { withinMs: -1, now: at(60) }))).to.equal('history_too_long');
  });
});

describe('differences', () => {
  it('are listed by path, and members of lists by their names', () => {
    const was = {
      name: 'Shirt',
      sale: 1,
      variants: [
        { externalId: 'm', price: 1 },
        { externalId: 'l', price: 2 },
      ],
      tags: ['a'],
    };
    const is = {
      name: 'Shirt',
      variants: [
        { externalId: 'l', price: 3 },
        { externalId: 'xl', price: 4 },
      ],
      tags: ['a', 'b'],
    };
    expect(differences(was, is)).to.deep.equal([
      { path: 'sale', was: 1 },
      { path: 'variants[m]', was: { externalId: 'm', price: 1 } },
      { path: 'variants[l].price', was: 2, is: 3 },
      { path: 'variants[xl]', is: { externalId: 'xl', price: 4 } },
      { path: 'tags[1]', is: 'b' },
    ]);
    const moved = [{ id: 'a' }, { id: 'b' }];
    expect(differences(moved, moved.toReversed(), 'ring')).to.deep.equal([
      { path: 'ring', was: ['a', 'b'], is: ['b', 'a'] },
    ]);
    expect(differences({ a: [1], b: null }, { a: [1], b: null })).to.deep.equal([]);
    expect(differences(undefined, { a: 1 })).to.deep.equal([{ path: '', is: { a: 1 } }]);
  });
});

describe('events of several streams', () => {
  it('include none after one that was missed because of a concurrent append', async () => {
    const grows = memoryLog(log.events.slice(0, 4));
    const [members, store] = [`members-${SHOP}`, `store-${SHOP}`];
    const current = delaying<HistoryLog, 'readStream'>(grows, 'readStream', (stream: string) => stream === store);
    const reading = (async () => {
      const found: number[] = [];
      for await (const { event } of inStreams(current.store, [members, store]))
        if (event !== undefined) found.push(event.position);
      return found;
    })();
    await current.reached;
    const { type, data, meta } = log.events[0]!;
    await grows.append(members, 'any', [{ id: 'new 1', type, data, meta }]);
    await grows.append(store, 'any', [{ id: 'new 2', type, data, meta }]);
    current.release();
    expect(await reading).to.deep.equal([0, 1, 2, 3]);
  });
});

describe("the log for a store's own auditors", () => {
  const own = storeLog(log, SHOP);

  it('excludes reads by operators, and their accounts', async () => {
    const subject = await subjectOf({ log: own, reads }, { kind: 'store', id: SHOP, workspaceId: SHOP });
    const { events } = await timelineOf(own, subject, {}, bounds);
    expect(events.map(({ type }) => type)).to.deep.equal(
      inShop.map(({ type }) => type).filter((one) => one !== 'ConsoleRead'),
    );
    expect(events.some(({ meta }) => 'operator' in meta)).to.equal(false);
    expect((await timelineOf(own, subject, { actor: 'operator:hodan' }, bounds)).events).to.deep.equal([]);
    const late = await timelineOf(own, subject, { from: at(11) }, bounds);
    expect(late.events.map(({ type }) => type)).to.deep.equal(['ProductRemoved']);
  });

  it('contains no encrypted values, and no hash', () => {
    const created = log.events.find(({ type }) => type === 'KeyCreated')!;
    const { data } = historyEntry(created, () => 'somebody');
    expect(data).to.deep.include({ hash: '[not shown]', sealed: '[not shown]', last4: 'pUDc' });
    const resealed = { ...created, type: 'SecretsResealed', data: { secrets: [{ before: 'v1.x', after: 'v1.y' }] } };
    expect(JSON.stringify(historyEntry(resealed, () => 'somebody').data)).to.not.include('v1.');
  });
});
