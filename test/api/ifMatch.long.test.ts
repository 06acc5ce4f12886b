/** Concurrent updates: the second caller's If-Match is outdated. Covers each update of a resource with an ETag. */
import { expect } from 'chai';
import { readOf } from '../../api/contract/routes.js';
import { operations } from '../../api/operations/index.js';
import { isProblem } from '../support/conformance/answers.js';
import { bodyOf, madeParams } from '../support/conformance/samples.js';
import { type ConformanceStage, conformanceStage, operationNamed, product } from '../support/conformance/stage.js';

const updates = operations.filter((one) => readOf(one, operations) !== undefined);
const others = operations.filter((one) => !one.route.startsWith('GET ') && !updates.includes(one));

describe('If-Match', () => {
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
    // A conversation is made by a cart.
    await stage.call(operationNamed(operations, 'upsertProduct'), { params: { externalId: 'shirt' }, body: product() });
  });
  after(() => stage.close());

  it('is available for every update of a resource with an ETag', () => {
    const names = updates.map(({ id }) => id);
    expect(names).to.include.members([
      'saveDeliverySettings',
      'updatePromotion',
      'updateWebhookEndpoint',
      'deleteFile',
    ]);
  });

  for (const operation of updates)
    it(`prevents ${operation.id} from overwriting unseen changes`, async () => {
      const read = readOf(operation, operations)!;
      const params = await madeParams(stage, operation, stage.main.store);
      const change = (etag: string) =>
        stage.call(operation, { params, body: bodyOf(stage, operation), headers: { 'if-match': etag } });
      const etag = async () => (await stage.call(read, { params })).headers.get('etag');
      let seen = (await etag())!;
      expect(seen).to.match(/^".+"$/);
      for (const other of ['"other"', `W/${seen}`]) isProblem(await change(other), 412, 'precondition_failed', other);
      expect((await stage.call(read, { params })).status, 'nothing was done').to.equal(200);
      let done = await change(`"other", ${seen}`);
      // The provider may review a template meanwhile.
      for (let turn = 0; turn < 5 && done.status === 412; turn += 1) {
        seen = (await etag())!;
        done = await change(`"other", ${seen}`);
      }
      expect(done.status, done.text).to.be.below(300);
      const now = await stage.call(read, { params });
      if (now.status !== 200 || now.headers.get('etag') === seen) return;
      const again = await change(seen);
      // The provider may have removed a deleted template meanwhile.
      if (again.status !== 404) isProblem(again, 412, 'precondition_failed', 'again');
    });

  it('is rejected for resources without an ETag, instead of being ignored', async () => {
    const named = (id: string) => operations.find((one) => one.id === id)!;
    const ifMatch = { 'if-match': '"other"' };
    const upsert = named('upsertProduct');
    expect(others.map(({ id }) => id)).to.include.members(['upsertProduct', 'setOrderStatus', 'createPromotion']);
    const requested = { params: { externalId: 'only-if' }, body: bodyOf(stage, upsert) };
    isProblem(await stage.call(upsert, { ...requested, headers: ifMatch }), 412, 'precondition_failed', upsert.id);
    const { body } = await stage.call(named('listProducts'));
    expect(body.products.map(({ externalId }: { externalId: string }) => externalId)).not.to.include('only-if');
    expect((await stage.call(upsert, requested)).status).to.equal(201);
    const promotion = named('createPromotion');
    const made = await stage.call(promotion, { body: bodyOf(stage, promotion), headers: ifMatch });
    isProblem(made, 412, 'precondition_failed', promotion.id);
  });

  it('lets one of two concurrent requests succeed', async () => {
    const save = operations.find(({ id }) => id === 'saveDeliverySettings')!;
    const read = readOf(save, operations)!;
    const body = (pickupAddress: string) => ({ ...bodyOf(stage, save), pickupAddress });
    for (let turn = 0; turn < 10; turn += 1) {
      const etag = (await stage.call(read)).headers.get('etag')!;
      const requested = ['first', 'second'].map((name) => ({
        body: body(`${name} ${turn}`),
        headers: { 'if-match': etag },
      }));
      const statuses = (await Promise.all(requested.map((one) => stage.call(save, one)))).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 412]);
    }
  });
});
