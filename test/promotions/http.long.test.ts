import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { type Body, isProblem, locations } from '../support/conformance/answers.js';
import { type ConformanceStage, conformanceStage, operationNamed, product } from '../support/conformance/stage.js';
import { until } from '../support/doubles/fakeClock.js';

type Op = (typeof operations)[number];
const [create, get, update, remove] = ['create', 'get', 'update', 'delete'].map((verb) =>
  operationNamed(operations, `${verb}Promotion`),
) as [Op, Op, Op, Op];
const list = operationNamed(operations, 'listPromotions');

const HOUR = 3_600_000;
/** So many hours from now. */
const hours = (count: number): string => new Date(Date.now() + count * HOUR).toISOString();
const sale = { name: 'Ramadan', kind: 'flash_sale', percentOff: 20 };
const coupon = (code: string, more: object = {}) => ({
  name: 'Eid',
  kind: 'coupon',
  amountOffCents: 2_00,
  code,
  ...more,
});

describe('promotions over HTTP', () => {
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  const made = async (body: object, store = stage.main.store) => {
    const answer = await stage.call(create, { body }, store);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const put = (promotionId: string, body: object) => stage.call(update, { params: { promotionId }, body });
  const read = async (promotionId: string) => (await stage.call(get, { params: { promotionId } })).body;

  it('return a promotion with its defaults', async () => {
    const body = await made(sale);
    expect(body).to.deep.include({
      ...sale,
      scope: 'all',
      productExternalIds: [],
      categoryExternalIds: [],
      active: true,
      open: true,
      redemptions: 0,
    });
    const absent = ['amountOffCents', 'code', 'numberListId', 'minSubtotalCents', 'combinable', 'startsAt', 'endsAt'];
    for (const field of absent) expect(body).to.not.have.property(field);
    expect(await read(body.id)).to.deep.equal(body);
  });

  it('store every field', async () => {
    const whole = {
      ...coupon('WHOLE', { name: 'Whole', scope: 'products', minSubtotalCents: 20_00, maxPerCustomer: 1 }),
      ...{ productExternalIds: ['shirt', 'dress'], categoryExternalIds: ['summer'], maxRedemptions: 9 },
      ...{ combinable: false, active: false, startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-12-31T00:00:00.000Z' },
    };
    expect(await made(whole)).to.deep.include({ ...whole, open: false });
  });

  it('are open while active and inside their window', async () => {
    const open = async (more: object) => (await made({ ...sale, ...more })).open;
    expect(await open({ startsAt: hours(-1), endsAt: hours(1) })).to.equal(true);
    expect(await open({ startsAt: hours(1) })).to.equal(false);
    expect(await open({ endsAt: hours(-1) })).to.equal(false);
    expect(await open({ active: false })).to.equal(false);
  });

  it('open and end by themselves, without a change', async () => {
    const { id, open } = await made({ ...sale, startsAt: new Date(Date.now() + 3_000).toISOString() });
    expect(open).to.equal(false);
    await until('it opens', async () => (await read(id)).open);
  });

  it('list all of them, newest first', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await made({ ...sale, name }, stage.sibling)).id);
    const { promotions } = (await stage.call(list, {}, stage.sibling)).body;
    expect(promotions.map(({ id }: { id: string }) => id)).to.deep.equal(ids);
  });

  it('are replaced as a whole; repeating it changes nothing', async () => {
    const before = await made({ ...sale, scope: 'categories', categoryExternalIds: ['a', 'b', 'a'], endsAt: hours(2) });
    expect(before.categoryExternalIds).to.deep.equal(['a', 'b']);
    const after = (await put(before.id, coupon('REPLACED'))).body;
    expect(after).to.deep.include({ kind: 'coupon', code: 'REPLACED', scope: 'all', categoryExternalIds: [] });
    for (const field of ['percentOff', 'endsAt']) expect(after).to.not.have.property(field);
    expect(after.createdAt).to.equal(before.createdAt);
    expect((await put(before.id, coupon('REPLACED'))).body).to.deep.equal(after);
  });

  it('are removed once deleted', async () => {
    const { id } = await made(sale);
    expect((await stage.call(remove, { params: { promotionId: id } })).status).to.equal(204);
    for (const operation of [get, remove])
      isProblem(await stage.call(operation, { params: { promotionId: id } }), 404, 'not_found');
    isProblem(await put(id, sale), 404, 'not_found');
    const { promotions } = (await stage.call(list)).body;
    expect(promotions.map((one: { id: string }) => one.id)).to.not.include(id);
  });

  it('report all problems at once', async () => {
    const body = { name: 'Eid', kind: 'coupon', percentOff: 5, amountOffCents: 5, scope: 'products', endsAt: hours(1) };
    const answer = await stage.call(create, { body: { ...body, startsAt: hours(2) } });
    isProblem(answer, 422, 'validation_failed');
    const fields = ['amountOffCents', 'productExternalIds', 'code', 'endsAt'];
    expect(locations(answer)).to.have.members(fields.map((field) => `body.${field}`));
    const blank = await stage.call(create, { body: { ...body, name: ' ', percentOff: 0 } });
    const all = ['name', 'percentOff', 'productExternalIds', 'code'];
    expect(locations(blank), 'of its schema, and between its fields').to.have.members(
      all.map((field) => `body.${field}`),
    );
  });

  it('reduce prices in the provider’s catalog during a flash sale, and restore them', async () => {
    // The push rests for some seconds after each round.
    const { store } = stage.rival;
    const upsert = operationNamed(operations, 'upsertProduct');
    await stage.call(upsert, { params: { externalId: 'shirt' }, body: product() }, store);
    const items = `${stage.sandboxUrl}/sandbox/catalogs/${store.channel.catalogId}/items`;
    const shirt = async () => {
      const { items: all } = (await (await fetch(items)).json()) as Body;
      return all.find(({ retailerId }: Body) => retailerId === 'shirt')?.data;
    };
    const salePrice = (price: string | undefined) =>
      until(
        `a sale price of ${price}`,
        async () => {
          const data = await shirt();
          return data !== undefined && data.sale_price === price;
        },
        20_000,
      );
    await salePrice(undefined);
    const { id } = await made({ ...sale, endsAt: hours(1) }, store);
    await salePrice('9.60 USD');
    expect((await shirt()).price).to.equal('12.00 USD');
    await stage.call(remove, { params: { promotionId: id } }, store);
    await salePrice(undefined);
  });

  describe('a coupon’s code', () => {
    it('belongs to one active coupon in a store, ignoring case', async () => {
      const { id } = await made(coupon('Summer'));
      for (const code of ['Summer', 'SUMMER', ' summer ', 'ｓｕｍｍｅｒ'])
        isProblem(await stage.call(create, { body: coupon(code) }), 409, 'coupon_code_taken');
      const other = await made(coupon('WINTER'));
      isProblem(await put(other.id, coupon('summer')), 409, 'coupon_code_taken');
      expect((await read(other.id)).code).to.equal('WINTER');
      expect((await put(id, coupon('SUMMER', { name: 'Mine' }))).status, 'its own').to.equal(200);
      await made(coupon('Summer'), stage.sibling);
    });

    it('is free once its coupon has another, is another kind, or is deleted', async () => {
      const first = await made(coupon('FREE'));
      await put(first.id, coupon('FREE-2'));
      const second = await made(coupon('free'));
      isProblem(await put(first.id, coupon('FREE')), 409, 'coupon_code_taken');
      await put(second.id, sale);
      const third = await made(coupon('FREE'));
      await stage.call(remove, { params: { promotionId: third.id } });
      await put(first.id, coupon('Free'));
      expect((await read(first.id)).code).to.equal('Free');
    });

    it('is free once its coupon has ended, which then cannot be extended with it', async () => {
      const first = await made(coupon('ENDED', { endsAt: hours(-1) }));
      const second = await made(coupon('ENDED'));
      const later = () => put(first.id, coupon('ENDED', { endsAt: hours(1) }));
      isProblem(await later(), 409, 'coupon_code_taken');
      await stage.call(remove, { params: { promotionId: second.id } });
      expect((await later()).status).to.equal(200);
    });

    it('is free at once when its coupon is ended by a change', async () => {
      const first = await made(coupon('STOP'));
      await put(first.id, coupon('STOP', { endsAt: hours(-1) }));
      await made(coupon('STOP'));
    });

    it('stays reserved for a coupon that is switched off or has not started', async () => {
      await made(coupon('OFF', { active: false }));
      await made(coupon('LATER', { startsAt: hours(1) }));
      for (const code of ['OFF', 'LATER'])
        isProblem(await stage.call(create, { body: coupon(code) }), 409, 'coupon_code_taken');
    });

    it('is given to one of many concurrent requests', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => stage.call(create, { body: coupon(i % 2 === 0 ? 'RACE' : 'race') })),
      );
      expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) isProblem(answer, 409, 'coupon_code_taken');
    });

    it('stays unique while coupons repeatedly exchange codes concurrently', async () => {
      const codes = ['SWAP-1', 'SWAP-2', 'SWAP-3'];
      const ids: string[] = [];
      for (const code of codes) ids.push((await made(coupon(code))).id);
      for (let round = 0; round < 6; round++) {
        const expected = ids.flatMap((id, i) => [0, 1].map((by) => put(id, coupon(codes[(i + round + by) % 3]!))));
        for (const { status, text } of await Promise.all(expected)) expect([200, 409], text).to.include(status);
        const current = await Promise.all(ids.map(async (id) => (await read(id)).code as string));
        expect(new Set(current).size, `round ${round}: ${current}`).to.equal(3);
      }
      for (const id of ids) await stage.call(remove, { params: { promotionId: id } });
      for (const code of codes) await made(coupon(code));
    });
  });
});
