/**
 * Each limit of the specification over HTTP: the limit is accepted, and beyond it the value is refused with its
 * location.
 */
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { type Body, type Checked, isProblem, locations } from '../support/conformance/answers.js';
import { type Limit, type Limited, limits, orderStatuses, queryLimits } from '../support/conformance/limits.js';
import { madeParams, newParams } from '../support/conformance/samples.js';
import { type ConformanceStage, conformanceStage, operationNamed, product } from '../support/conformance/stage.js';

/** Splits a path: `variants[0].size` becomes variants, 0, size. */
const steps = (at: string): (string | number)[] =>
  (at.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** Copies the body with another value at this path. Undefined removes it. */
function withValue(body: object, at: string, value: unknown): Body {
  const copy: Body = structuredClone(body);
  const path = steps(at);
  const last = path.pop()!;
  const holder = path.reduce((part, step) => part[step], copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

const bodyWith = (body: object, { at, fields = {} }: Limit, value: unknown): Body =>
  withValue({ ...structuredClone(body), ...fields }, at, value);

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? 'nothing';

describe('the limits of the specification', () => {
  let stage: ConformanceStage;

  /** Removes the created resource if further attempts could conflict with it, by a limit or a unique id. */
  async function removed(id: string, params: Record<string, string>, { body }: Checked): Promise<void> {
    const remove = async (by: string, what: Record<string, string>): Promise<void> =>
      void (await stage.call(operationNamed(operations, by), { params: what }));
    if (body?.endpoint !== undefined) await remove('deleteWebhookEndpoint', { endpointId: body.endpoint.id });
    if (id.endsWith('NumberList')) await remove('deleteNumberList', { listId: body.id });
    if (id.endsWith('Promotion')) await remove('deletePromotion', { promotionId: body.id });
    if (id === 'upsertProduct') await remove('deleteProduct', params);
    for (const { externalId } of body?.results ?? []) await remove('deleteProduct', { externalId });
  }

  /** Sends the request. A request that is to be accepted gets its own resource, because it changes that. */
  async function tried(id: string, body: Body, isRefused: boolean): Promise<Checked> {
    const operation = operationNamed(operations, id);
    const params = isRefused ? newParams(operation) : await madeParams(stage, operation);
    const answer = await stage.call(operation, { params, body });
    if (answer.status < 300) await removed(id, params, answer);
    return answer;
  }

  async function accepted({ operation }: Limited, body: Body, what: string): Promise<void> {
    const answer = await tried(operation, body, false);
    expect(answer.status, `${what}: ${answer.text.slice(0, 500)}`).to.be.oneOf([200, 201, 202]);
  }

  async function refused({ operation }: Limited, body: Body, at: string, what: string): Promise<void> {
    const answer = await tried(operation, body, true);
    isProblem(answer, 422, 'validation_failed', what);
    const found = locations(answer);
    const place = `body.${at}`;
    expect(
      found.some((one) => one === place || one.startsWith(`${place}[`)),
      `${what} at ${place}, told at ${found}`,
    ).to.equal(true);
    expect(
      found.every((one) => one.startsWith(place)),
      `${what}: only ${place}, told at ${found}`,
    ).to.equal(true);
  }

  before(async () => {
    stage = await conformanceStage();
    const upsert = operationNamed(operations, 'upsertProduct');
    await stage.call(upsert, { params: { externalId: 'shirt' }, body: product() });
    const categories = [{ externalId: 'x'.repeat(100), name: 'Shirts' }];
    await stage.call(operationNamed(operations, 'upsertProductCategories'), { body: { categories } });
  });
  after(() => stage.close());

  for (const limited of limits) {
    describe(limited.operation, () => {
      it('accepts a body with every property', () => accepted(limited, limited.body, 'whole'));

      it('accepts a body with only the required properties, and requires each of them', async () => {
        const required = limited.required.filter((at) => !/[.[]/.test(at));
        const least = { ...Object.fromEntries(required.map((at) => [at, limited.body[at]])), ...limited.least };
        await accepted(limited, least, 'least');
        for (const at of limited.required) await refused(limited, withValue(limited.body, at, undefined), at, at);
      });

      it('accepts no other properties, at any depth', async () => {
        for (const at of limited.objects) {
          const place = at === '' ? 'surprise' : `${at}.surprise`;
          await refused(limited, withValue(limited.body, place, 'x'), place, place);
        }
      });

      for (const limit of limited.limits)
        it(`enforces the limits of ${limit.at}`, async () => {
          for (const value of limit.accepts)
            await accepted(limited, bodyWith(limited.body, limit, value), shown(value));
          for (const value of limit.refuses)
            await refused(limited, bodyWith(limited.body, limit, value), limit.at, shown(value));
        });
    });
  }

  for (const [id, parameters] of Object.entries(queryLimits))
    it(`enforce the limits of the query of ${id}`, async () => {
      const operation = operationNamed(operations, id);
      const params = await madeParams(stage, operation);
      for (const { at, accepts, refuses } of parameters) {
        for (const value of accepts) {
          const answer = await stage.call(operation, { params, query: { [at]: value as string } });
          expect(answer.status, `${at} ${shown(value)}: ${answer.text}`).to.equal(200);
        }
        for (const value of refuses) {
          const answer = await stage.call(operation, { params, query: { [at]: value as string } });
          isProblem(answer, 422, 'validation_failed', `${at} ${shown(value)}`);
          expect(locations(answer), shown(value)).to.deep.equal([`query.${at}`]);
        }
      }
    });

  it('allow listing orders by several statuses, separated by commas', async () => {
    const list = operationNamed(operations, 'listOrders');
    const cancel = operationNamed(operations, 'cancelOrder');
    await stage.call(cancel, { params: { orderId: await stage.order() } });
    await stage.order();
    for (const status of [...orderStatuses, orderStatuses.join(',')]) {
      const { body } = await stage.call(list, { query: { status } });
      for (const order of body.orders) expect(status.split(',')).to.include(order.status);
      expect(body.orders.length > 0, status).to.equal(/new|cancelled/.test(status));
    }
    const wrong = await stage.call(list, { query: { status: 'new,lost' } });
    isProblem(wrong, 422, 'validation_failed');
    expect(locations(wrong)).to.deep.equal(['query.status[1]']);
  });

  it('include the defaults of omitted fields', async () => {
    const [upsert, list] = ['upsertProduct', 'listProducts'].map((id) => operationNamed(operations, id));
    await stage.call(upsert!, { params: { externalId: 'least' }, body: product({ name: '!' }) }, stage.sibling);
    const { products } = (await stage.call(list!, {}, stage.sibling)).body;
    expect(products[0]).to.deep.include({
      externalId: 'least',
      description: '',
      currency: 'USD',
      availability: 'in_stock',
      active: true,
      variants: [],
    });
    for (const absent of ['stock', 'category', 'salePriceCents', 'saleStartsAt', 'saleEndsAt'])
      expect(products[0]).to.not.have.property(absent);
  });

  it('give a page 50 rows by default', async () => {
    const products = Array.from({ length: 51 }, (_, n) => ({ ...product(), externalId: `page-${n}` }));
    await stage.call(operationNamed(operations, 'upsertProducts'), { body: { products } }, stage.rival.store);
    const { body } = await stage.call(operationNamed(operations, 'listProducts'), {}, stage.rival.store);
    expect([body.products.length, typeof body.next]).to.deep.equal([50, 'string']);
  });
});
