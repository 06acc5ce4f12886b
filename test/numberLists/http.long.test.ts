import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { isProblem, locations } from '../support/conformance/answers.js';
import { type ConformanceStage, conformanceStage, operationNamed, type Store } from '../support/conformance/stage.js';

const [create, get, list, update, remove] = ['create', 'get', 'list', 'update', 'delete'].map((verb) =>
  operationNamed(operations, verb === 'list' ? 'listNumberLists' : `${verb}NumberList`),
) as [Op, Op, Op, Op, Op];
type Op = (typeof operations)[number];

describe('number lists over HTTP', () => {
  let stage: ConformanceStage;
  let store: Store;
  before(async () => {
    stage = await conformanceStage();
    store = stage.main.store;
  });
  after(() => stage.close());

  const made = async (body: object): Promise<string> => {
    const answer = await stage.call(create, { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body.id;
  };
  const read = async (listId: string) => (await stage.call(get, { params: { listId } })).body;

  it('report at most 100 invalid numbers of 10,000, in reasonable time', async () => {
    const phones = Array.from({ length: 10_000 }, (_, i) => `+2526${i}`);
    const answer = await stage.call(create, { body: { name: 'All wrong', kind: 'uploaded', phones } });
    isProblem(answer, 422, 'validation_failed');
    expect(locations(answer)).to.have.lengthOf(100);
  });

  it('are listed by name, without their numbers', async () => {
    const names = ['zebra', 'Aden', 'älv', 'Berbera', 'aden 2'];
    for (const name of names)
      await stage.call(create, { body: { name, kind: 'uploaded', phones: ['+252611000009'] } }, stage.sibling);
    const { lists } = (await stage.call(list, {}, stage.sibling)).body;
    expect(lists.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Aden',
      'aden 2',
      'Berbera',
      'zebra',
      'älv',
    ]);
    for (const one of lists) expect(one).to.not.have.property('phones');
  });

  it('are replaced as a whole: terms, numbers and kind', async () => {
    const listId = await made({ name: 'Loyal', kind: 'uploaded', phones: ['+252611000001', '+252611000002'] });
    const before = await read(listId);
    const phones = ['+252611000003', '+252611000002'];
    const put = (body: object) => stage.call(update, { params: { listId }, body });
    const changed = await put({ name: 'Loyal', kind: 'uploaded', phones });
    expect([changed.status, changed.body.size]).to.deep.equal([200, 2]);
    expect((await read(listId)).phones).to.deep.equal(['+252611000002', '+252611000003']);
    const same = await put({ name: 'Loyal', kind: 'uploaded', phones: phones.reverse() });
    expect(same.body.updatedAt, 'nothing has changed').to.equal(changed.body.updatedAt);
    const past = await put({ name: 'Loyal', kind: 'past_orders', minOrders: 3 });
    expect(past.body).to.deep.include({ id: listId, kind: 'past_orders', minOrders: 3, size: 0 });
    expect(await read(listId)).to.deep.equal(past.body);
    expect(past.body.createdAt).to.equal(before.createdAt);
    const back = await put({ name: 'Loyal', kind: 'uploaded', minOrders: 3, phones: null });
    expect(back.body, 'an uploaded list has no minOrders').to.not.have.property('minOrders');
    expect((await read(listId)).phones).to.deep.equal([]);
  });

  it('have names unique in a store, ignoring case; a deleted list frees its name', async () => {
    const body = { name: 'Names', kind: 'uploaded' };
    const first = await made(body);
    isProblem(await stage.call(create, { body: { ...body, name: ' NAMES ' } }), 409, 'name_taken');
    const second = await made({ ...body, name: 'Other names' });
    const rename = (listId: string, name: string) =>
      stage.call(update, { params: { listId }, body: { ...body, name } });
    isProblem(await rename(second, 'names'), 409, 'name_taken');
    expect((await rename(first, 'NAMES')).status, 'its own, written otherwise').to.equal(200);
    expect((await rename(first, 'Third name')).status).to.equal(200);
    expect((await rename(second, 'names')).status).to.equal(200);
    expect((await stage.call(remove, { params: { listId: second } })).status).to.equal(204);
    await made(body);
    await stage.call(create, { body }, stage.sibling);
  });

  it('with one name are created once for concurrent requests', async () => {
    const body = { name: 'Race', kind: 'uploaded' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => stage.call(create, { body })));
    expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) isProblem(answer, 409, 'name_taken');
  });

  it('are created once for a repeated Idempotency-Key', async () => {
    const requested = { body: { name: 'Once', kind: 'uploaded' }, headers: { 'idempotency-key': 'one-list' } };
    const [first, second] = [await stage.call(create, requested), await stage.call(create, requested)];
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).to.deep.equal([
      201,
      first.body,
      'true',
    ]);
  });

  it('cannot be deleted while a promotion uses them', async () => {
    const listId = await made({ name: 'In use', kind: 'uploaded', phones: ['+252611000001'] });
    const other = await made({ name: 'Other list', kind: 'past_orders', minOrders: 1 });
    const promote = operationNamed(operations, 'createPromotion');
    const body = { name: 'Thanks', kind: 'number_list', percentOff: 5, numberListId: listId };
    const ids = [];
    for (const name of ['one', 'two'])
      ids.push((await stage.call(promote, { body: { ...body, name } })).body.id as string);
    const coupon = { name: 'three', kind: 'coupon', code: 'FORLIST', percentOff: 5, numberListId: listId };
    ids.push((await stage.call(promote, { body: coupon })).body.id as string);
    const usedBy = async () => (await read(listId)).usedBy as number;
    const removed = () => stage.call(remove, { params: { listId } });
    expect(await usedBy()).to.equal(3);
    isProblem(await removed(), 409, 'promotion_in_use');
    const change = operationNamed(operations, 'updatePromotion');
    const moved = { params: { promotionId: ids[0]! }, body: { ...body, numberListId: other } };
    expect((await stage.call(change, moved)).status).to.equal(200);
    expect([await usedBy(), (await read(other)).usedBy]).to.deep.equal([2, 1]);
    await stage.call(operationNamed(operations, 'deletePromotion'), { params: { promotionId: ids[1]! } });
    isProblem(await removed(), 409, 'promotion_in_use');
    const { numberListId: _, ...without } = coupon;
    await stage.call(change, { params: { promotionId: ids[2]! }, body: without });
    expect(await usedBy()).to.equal(0);
    expect((await removed()).status).to.equal(204);
    isProblem(await stage.call(get, { params: { listId } }), 404, 'not_found');
    isProblem(await removed(), 404, 'not_found');
    const gone = await stage.call(promote, { body });
    isProblem(gone, 422, 'validation_failed');
    expect(locations(gone)).to.deep.equal(['body.numberListId']);
  });

  it('cannot be used by another store’s promotions', async () => {
    const listId = await made({ name: 'Ours', kind: 'uploaded' });
    const body = { name: 'Theirs', kind: 'number_list', percentOff: 5, numberListId: listId };
    const answer = await stage.call(operationNamed(operations, 'createPromotion'), { body }, stage.sibling);
    isProblem(answer, 422, 'validation_failed');
    expect((await read(listId)).usedBy).to.equal(0);
    expect(store.workspaceId).to.not.equal(stage.sibling.workspaceId);
  });

  it('are never both deleted and used by concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      const listId = await made({ name: `Both ${round}`, kind: 'uploaded' });
      const body = { name: `Both ${round}`, kind: 'number_list', percentOff: 5, numberListId: listId };
      const [deleted, promoted] = await Promise.all([
        stage.call(remove, { params: { listId } }),
        stage.call(operationNamed(operations, 'createPromotion'), { body }),
      ]);
      expect([deleted.status === 204, promoted.status === 201].filter(Boolean), `round ${round}`).to.have.lengthOf(1);
    }
  });
});
