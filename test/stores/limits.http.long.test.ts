/** Limits of a store over HTTP, when more than it may have are created at once. */
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { type ConformanceStage, conformanceStage, operationNamed } from '../support/conformance/stage.js';
import { atOnce } from '../support/tools/atOnce.js';

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('limits of a store over HTTP', function () {
  this.timeout(120_000);
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  const limits = [
    { id: 'createPromotion', list: 'listPromotions', of: 'promotions', most: 1_000, code: 'promotion_limit_reached' },
    { id: 'createNumberList', list: 'listNumberLists', of: 'lists', most: 500, code: 'number_list_limit_reached' },
  ] as const;
  const bodyOf = (of: string, i: number): object =>
    of === 'promotions'
      ? { name: `Sale ${i}`, kind: 'flash_sale', percentOff: 10 }
      : { name: `List ${i}`, kind: 'uploaded' };

  for (const { id, list, of, most, code } of limits)
    it(`are exact when ${most + 10} ${of} are created at once`, async () => {
      const create = operationNamed(operations, id);
      const answers = await atOnce(most + 10, (i) => stage.call(create, { body: bodyOf(of, i) }));
      // On a busy machine a view may be late: the change is stored all the same.
      const refused = answers.filter(({ status, body }) => status !== 201 && body.code !== 'unavailable');
      expect(refused.map(({ status, body }) => [status, body.code])).to.deep.equal(times(10, () => [409, code]));
      expect((await stage.call(operationNamed(operations, list))).body[of]).to.have.lengthOf(most);
      expect((await stage.call(create, { body: bodyOf(of, 0) }, stage.sibling)).status, 'another store').to.equal(201);
    });
});
