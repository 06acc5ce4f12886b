/** The specification languages themselves: what they let pass, and how they say what is wrong. */
import { expect } from 'chai';
import { defineProjection } from '../engine/projections/projection.js';
import { projectionSpec } from './support/projectionSpec.js';
import { added, type BasketBody, type BasketEvent, baskets, closed, held, named } from './support/projectionWorld.js';

const failure = (run: Promise<void>): Promise<Error> =>
  run.then(
    () => expect.fail('it should have failed'),
    (error: Error) => error,
  );

describe('the specification of a projection', () => {
  const history = [added(['tea', 1]), named('Asha'), added(['tea', 2])];

  it('holds for documents, keys, and what is not there', async () => {
    const spec = projectionSpec(baskets());
    await spec.given(...history).then({ 1: { name: 'Asha', quantity: 3 } });
    await spec.given(...history).thenKeys({ 1: { quantity: 3 } });
    await spec.given(...history).thenIncludes({ 1: { quantity: 3 }, 2: undefined });
    await spec.given(...history, closed, { ...added(['salt', 1]), stream: 'basket-2' }).then({
      2: { name: '', quantity: 1 },
    });
  });

  it('holds for handlers that look at their stream’s own document', () =>
    projectionSpec(held)
      .given(added(['tea', 2]), { ...added(['tea', 1]), stream: 'basket-2' }, closed)
      .then({ 2: { items: [{ sku: 'tea', quantity: 1 }] }, tea: { held: 1 } }));

  it('shows what differs', async () => {
    const error = await failure(
      projectionSpec(baskets())
        .given(...history)
        .then({ 1: { name: 'Asha', quantity: 4 } }),
    );
    expect(error).to.deep.include({
      actual: { 1: { name: 'Asha', quantity: 3 } },
      expected: { 1: { name: 'Asha', quantity: 4 } },
    });
  });

  const wrong = (on: object) => defineProjection<BasketBody, BasketEvent>({ ...baskets(), on: on as never });
  const cases: readonly [what: string, on: () => object, says: RegExp][] = [
    [
      'keeps something beside the documents',
      () => {
        let sum = 0;
        return {
          ItemsAdded: () => {
            sum += 1;
            return { keys: { quantity: sum }, body: { name: '', quantity: sum } };
          },
        };
      },
      /^run by the runtime: the documents are others/,
    ],
    [
      'keeps what JSON does not',
      () => ({
        ItemsAdded: (view: { body: { skus: Set<string> } } | undefined) => ({
          keys: { quantity: 0 },
          body: { name: '', quantity: 0, skus: new Set(view?.body.skus).add('tea') },
        }),
      }),
      /^cut before event 2 \(ItemsAdded\): event 2 \(ItemsAdded\): .*not iterable/,
    ],
    [
      'changes the document that comes in',
      () => ({
        ItemsAdded: (view: { body: { quantity: number } } | undefined) => {
          if (view === undefined) return { keys: { quantity: 1 }, body: { name: '', quantity: 1 } };
          view.body.quantity += 1;
          return { ...view };
        },
      }),
      /^event 2 \(ItemsAdded\): Cannot assign to read only property 'quantity'/,
    ],
    [
      'throws',
      () => ({
        ItemsAdded: () => {
          throw new Error('no such item');
        },
      }),
      /^event 1 \(ItemsAdded\): no such item/,
    ],
  ];
  for (const [what, on, says] of cases)
    it(`fails where a fold ${what}, and says at which event`, async () => {
      const all = [added(['tea', 1]), added(['tea', 2])];
      const run = projectionSpec(wrong(on())).given(...all);
      const { message } = await failure(run.thenIncludes({}));
      expect(message).to.match(says);
    });

  it('names the cut where a fold depends on what was in memory', async () => {
    // The set that was stored and read again is an object without members: nothing throws, and it forgets.
    const forgetful = wrong({
      ItemsAdded: (view: { body: { skus: { size?: number } } } | undefined) => ({
        keys: { quantity: (view?.body.skus.size ?? 0) + 1 },
        body: { quantity: (view?.body.skus.size ?? 0) + 1, skus: new Set([1, 2]) },
      }),
    });
    const error = await failure(
      projectionSpec(forgetful)
        .given(...history)
        .thenIncludes({}),
    );
    expect(error.message).to.match(/^cut before event 2 \(BasketNamed\)|^cut before event 3 \(ItemsAdded\)/);
    expect(error).to.have.property('expected');
  });

  it('costs milliseconds', async () => {
    const long = Array.from({ length: 20 }, (_, i) => added([`sku-${i % 3}`, i]));
    const began = performance.now();
    await projectionSpec(held)
      .given(...long, closed)
      .thenIncludes({});
    expect(performance.now() - began).to.be.below(500);
  });
});
