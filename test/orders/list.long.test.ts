import { expect } from 'chai';
import fc from 'fast-check';
import { customerStreamId } from '../../application/channel/customerIdentity.js';
import { claimPhone, customerKey, nameCustomer } from '../../domain/channel/customerKey.js';
import { derivedId } from '../../domain/ids.js';
import type { Fulfilment, OrderStatus } from '../../domain/orders/orderEvents.js';
import { ORDER_STATUSES } from '../../domain/orders/orderStatus.js';
import type { NewDocument } from '../../engine/ports/documents.js';
import type { ApiServer } from '../support/stages/apiServer.js';
import { IN_FIFTY_TEAMS, IN_TWO_TEAMS, orderServer } from '../support/stages/orderServer.js';
import { type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const START = Date.parse('2026-03-01T09:00:00Z');
const PHONES = ['+252615550101', '+252615550102', '+252615550103'];

interface Made {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  readonly status: OrderStatus;
  readonly fulfilment: Fulfilment | null;
  readonly phone: string;
  readonly teamId: string | null;
}

/** Three orders a second, so that many are of the same millisecond; statuses and the rest in no step with each other. */
const made = (number: number): Made => ({
  id: derivedId('listed', number),
  number,
  createdAt: START + Math.floor(number / 3) * 1_000,
  status: ORDER_STATUSES[(number * number) % ORDER_STATUSES.length]!,
  fulfilment: ([null, 'delivery', 'pickup', 'delivery', 'delivery'] as const)[number % 5]!,
  phone: PHONES[(number >> 1) % PHONES.length]!,
  teamId: number % 11 === 0 ? null : derivedId('team', (number * 7) % 60),
});

interface Filters {
  readonly status?: readonly OrderStatus[];
  readonly fulfilment?: Fulfilment;
  readonly checkedOut?: boolean;
  readonly phone?: string;
  readonly number?: number;
  readonly from?: string;
  readonly to?: string;
}

const seenIn =
  (teams: number) =>
  ({ teamId }: Made): boolean =>
    teamId === null || Array.from({ length: teams }, (_, n) => derivedId('team', n)).includes(teamId);
const newestFirst = (a: Made, b: Made): number => b.createdAt - a.createdAt || b.number - a.number;
const meets =
  ({ status, fulfilment, checkedOut, phone, number, from, to }: Filters) =>
  (one: Made): boolean =>
    (status?.includes(one.status) ?? true) &&
    (fulfilment ?? one.fulfilment) === one.fulfilment &&
    (checkedOut === undefined || (one.fulfilment !== null) === checkedOut) &&
    (phone ?? one.phone) === one.phone &&
    (number ?? one.number) === one.number &&
    (from === undefined || one.createdAt >= Date.parse(from)) &&
    (to === undefined || one.createdAt < Date.parse(to));

describe('the list of orders', () => {
  let stage: OrderStage;
  let server: ApiServer;
  let stored: Made[];

  async function store(orders: readonly Made[]): Promise<void> {
    const put = orders.map(
      ({ id, ...keys }): NewDocument => ({
        id,
        keys: { workspaceId: STORE, ...keys },
        body: { id, number: keys.number, status: keys.status },
        revision: 1,
      }),
    );
    await stage.views.write({ [await stage.views.resolve('orderRows')]: { put } });
  }

  before(async () => {
    stage = await orderStage();
    server = await orderServer(stage);
  });
  beforeEach(async () => {
    stored = Array.from({ length: 120 }, (_, index) => made(index + 1));
    await stage.views.removeWhere(await stage.views.resolve('orderRows'), { workspaceId: STORE }, 1_000);
    await store(stored);
  });
  after(async () => {
    await server.close();
    await stage.close();
  });

  async function page(
    filters: Filters,
    limit: number,
    cursor?: string,
    key = 'sk_test_view',
  ): Promise<{ ids: string[]; next?: string }> {
    const query = new URLSearchParams({ limit: String(limit) });
    for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
    if (cursor !== undefined) query.set('cursor', cursor);
    const answer = await fetch(`${server.url}/api/v1/workspaces/${STORE}/commerce/orders?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = (await answer.json()) as { orders: { id: string }[]; next?: string };
    expect(answer.status, JSON.stringify(body)).to.equal(200);
    return { ids: body.orders.map(({ id }) => id), ...(body.next === undefined ? {} : { next: body.next }) };
  }

  async function all(filters: Filters, limit: number, cursor?: string, key?: string): Promise<string[]> {
    const ids: string[] = [];
    for (let next = cursor, first = true; first || next !== undefined; first = false) {
      const got = await page(filters, limit, next, key);
      expect(got.ids.length).to.be.at.most(limit);
      if (got.next !== undefined) expect(got.ids).to.have.lengthOf(limit);
      ids.push(...got.ids);
      next = got.next;
    }
    return ids;
  }
  const expected = (filters: Filters, from: readonly Made[] = stored): string[] =>
    from
      .filter(meets(filters))
      .sort(newestFirst)
      .map(({ id }) => id);

  const time = fc.integer({ min: -1, max: 42 }).map((seconds) => new Date(START + seconds * 1_000).toISOString());
  const filters: fc.Arbitrary<Filters> = fc.record(
    {
      status: fc.subarray([...ORDER_STATUSES], { minLength: 1 }),
      fulfilment: fc.constantFrom<Fulfilment>('delivery', 'pickup'),
      checkedOut: fc.boolean(),
      phone: fc.constantFrom(...PHONES, '+252615550999'),
      from: time,
      to: time,
    },
    { requiredKeys: [] },
  );

  it('returns exactly the matching orders for every combination of filters, newest first, for any page size', () =>
    fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 50 }), async (requested, limit) => {
        expect(await all(requested, Math.max(limit, 8))).to.deep.equal(expected(requested));
      }),
      { numRuns: 60 },
    ));

  for (const [teams, key] of [
    [2, IN_TWO_TEAMS],
    [50, IN_FIFTY_TEAMS],
  ] as const)
    it(`returns to a member of ${teams} teams their orders and those without a team, for every combination of filters`, () =>
      fc.assert(
        fc.asyncProperty(filters, fc.integer({ min: 8, max: 50 }), async (requested, limit) => {
          const theirs = stored.filter(seenIn(teams));
          expect(await all(requested, limit, undefined, key)).to.deep.equal(expected(requested, theirs));
          const { next } = await page({}, 9, undefined, key);
          expect(await all(requested, limit, next, key)).to.deep.equal(
            expected(requested, [...theirs].sort(newestFirst).slice(9)),
          );
        }),
        { numRuns: 12 },
      ));

  it('applies the other filters to a search by number', () =>
    fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: -1, max: 121 }), async (requested, number) => {
        expect(await all({ ...requested, number }, 50)).to.deep.equal(expected({ ...requested, number }));
      }),
      { numRuns: 40 },
    ));

  it('continues from a cursor of other filters, also if its order does not match them', () =>
    fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 119 }), async (requested, place) => {
        const sorted = [...stored].sort(newestFirst);
        const { next } = await page({}, place);
        expect(await all(requested, 20, next)).to.deep.equal(expected(requested, sorted.slice(place)));
      }),
      { numRuns: 60 },
    ));

  for (const requested of [{}, { fulfilment: 'delivery' }, { phone: PHONES[0]! }] as const)
    it(`returns each order once while new orders arrive, by ${JSON.stringify(requested)}`, async () => {
      const seen: string[] = [];
      let arrived = 0;
      for (let next: string | undefined, first = true; first || next !== undefined; first = false) {
        const got = await page(requested, 5, next);
        seen.push(...got.ids);
        next = got.next;
        arrived += 3;
        await store([1, 2, 3].map((n) => ({ ...made(1_000 + arrived + n), phone: PHONES[0]! })));
      }
      expect(seen).to.deep.equal(expected(requested));
    });

  it('rejects a cursor that it did not create, also for a search by number', async () => {
    for (const query of ['cursor=nonsense', 'number=1&cursor=nonsense']) {
      const answer = await fetch(`${server.url}/api/v1/workspaces/${STORE}/commerce/orders?${query}`, {
        headers: { authorization: 'Bearer sk_test_view' },
      });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).to.deep.equal([422, 'invalid_cursor']);
    }
  });

  it('returns in pages all orders of a customer who has had more numbers than fit in one query', async () => {
    const phones = Array.from({ length: 7 }, (_, n) => `+25261555080${n}`);
    const [key] = phones as [string];
    const know = (kind: 'phone' | 'key', name: string, decision: object) =>
      stage.commands.decide(stage.context(name), customerKey, customerStreamId(STORE, kind, name), decision as never);
    for (const phone of phones) await know('phone', phone, claimPhone({ key }));
    await know('key', key, nameCustomer(phones.map((phone) => ({ phone }))));
    const theirs = Array.from({ length: 40 }, (_, index) => ({ ...made(index + 201), phone: phones[index % 7]! }));
    await store(theirs);
    const status = ORDER_STATUSES.slice(0, -1);
    for (const phone of [key, phones[6]!])
      expect(await all({ phone, status }, 3)).to.deep.equal(expected({ status }, theirs));
  });
});
