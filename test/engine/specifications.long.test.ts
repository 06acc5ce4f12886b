/** The specification languages themselves: which specifications pass, and how failures are reported. */
import { expect } from 'chai';
import { createNumberList } from '../../api/operations/numberLists/createNumberList.js';
import type { Aggregate, DomainEvent } from '../../domain/decider.js';
import { defineProcessor, type Task } from '../../engine/processors/processor.js';
import { defineProjection } from '../../engine/projections/projection.js';
import { type OperationStage, operationStage } from '../support/spec/operationSpec.js';
import { processorSpec } from '../support/spec/processorSpec.js';
import { projectionSpec } from '../support/spec/projectionSpec.js';
import {
  added,
  type BasketBody,
  type BasketEvent,
  baskets,
  closed,
  named,
  waitingItems,
} from '../support/stages/projectionStage.js';

const failure = (run: Promise<void>): Promise<Error> =>
  run.then(
    () => expect.fail('it should have failed'),
    (error: Error) => error,
  );

describe('the specification of a projection', () => {
  const history = [added(['tea', 1]), named('Asha'), added(['tea', 2])];

  it('checks documents, keys, and missing documents', async () => {
    const spec = projectionSpec(baskets());
    await spec.given(...history).then({ 1: { name: 'Asha', quantity: 3 } });
    await spec.given(...history).thenKeys({ 1: { quantity: 3 } });
    await spec.given(...history).thenIncludes({ 1: { quantity: 3 }, 2: undefined });
    await spec.given(...history, closed, { ...added(['salt', 1]), stream: 'basket-2' }).then({
      2: { name: '', quantity: 1 },
    });
  });

  it('supports handlers that read their stream’s own document', () =>
    projectionSpec(waitingItems)
      .given(added(['tea', 2]), { ...added(['tea', 1]), stream: 'basket-2' }, closed)
      .then({ 2: { items: [{ sku: 'tea', quantity: 1 }] }, tea: { reserved: 1 } }));

  it('shows differences', async () => {
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
  const cases: readonly [what: string, on: () => object, message: RegExp][] = [
    [
      'keeps state outside the documents',
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
      'stores values that JSON cannot represent',
      () => ({
        ItemsAdded: (view: { body: { skus: Set<string> } } | undefined) => ({
          keys: { quantity: 0 },
          body: { name: '', quantity: 0, skus: new Set(view?.body.skus).add('tea') },
        }),
      }),
      /^cut before event 2 \(ItemsAdded\): event 2 \(ItemsAdded\): .*not iterable/,
    ],
    [
      'modifies the given document',
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
  for (const [what, on, text] of cases)
    it(`fails if a handler ${what}, and names the event`, async () => {
      const all = [added(['tea', 1]), added(['tea', 2])];
      const run = projectionSpec(wrong(on())).given(...all);
      const { message } = await failure(run.thenIncludes({}));
      expect(message).to.match(text);
    });

  it('names the event after which a handler depends on memory', async () => {
    // A set that was stored and read again is an object without members, so nothing throws but its content is lost.
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

  it('takes only milliseconds', async () => {
    const six = Array.from({ length: 5 }, (_, i) => added([`sku-${i % 3}`, i]));
    const run = () =>
      projectionSpec(waitingItems)
        .given(...six, closed)
        .thenIncludes({});
    await run();
    // Processor time of this process alone, because other processes may use the machine.
    const began = process.cpuUsage();
    for (let i = 0; i < 10; i++) await run();
    expect(process.cpuUsage(began).user / 10_000, 'ms each').to.be.below(50);
  });
});

interface Outside {
  post(text: string): Promise<string>;
}
type Greeted = DomainEvent<'Greeted', { text: string; answer: string }>;
const greetings: Aggregate<number, Greeted> = { name: 'greeting', initial: () => 0, evolve: (count) => count + 1 };

/** Greets the person who named a basket, `most` times each. */
const greeter = (outside: Outside, most = 1) =>
  defineProcessor<BasketEvent>({
    name: 'greeter',
    categories: ['basket'],
    on: {
      BasketNamed: ({ id, streamId, data }) => [{ id, kind: 'greet', lane: streamId, payload: { name: data.name } }],
    },
    perform: {
      async greet(task: Task<never>, { commands, contextFor }) {
        const text = `Hello ${(task as Task<{ name: string }>).payload.name}`;
        const answer = await outside.post(text);
        const decide = (count: number): Greeted[] =>
          count < most ? [{ type: 'Greeted', data: { text, answer } }] : [];
        const { commandId, ...by } = contextFor(task, {});
        // Uses a new context each time, as if the caller did not derive it from the task.
        await commands.decide({ ...by, commandId: `${commandId}${runs++}` }, greetings, task.lane, decide);
        return { done: true };
      },
    },
  });
let runs = 0;

describe('the specification of a processor', () => {
  const spec = processorSpec<Outside>((outside) => greeter(outside));
  const joined = named('Asha');

  it('checks tasks, effects and events', async () => {
    await spec.given(added(['tea', 1])).then([]);
    await spec.given(joined).then([{ kind: 'greet', lane: '1', payload: { name: 'Asha' } }]);
    const greeted = { stream: 'greeting-1', type: 'Greeted', data: { answer: 'thanks' } };
    await spec
      .given(joined)
      .when('greet', { post: async () => 'thanks' })
      .then({ effects: [['post', 'Hello Asha']], events: [greeted] });
  });

  it('fails if tasks, effects or events differ', async () => {
    expect(await failure(spec.given(joined).then([]))).to.deep.include({ actual: ['greet'], expected: [] });
    const performed = spec.given(joined).when('greet', { post: async () => 'thanks' });
    const error = await failure(performed.then({ effects: [['post', 'Bye']], events: [] }));
    expect(error.message).to.match(/^the effects: /);
    expect((await failure(performed.then({}))).message).to.match(/^the new events: /);
  });

  it('fails if no event leads to the task, or the outside world has no response', async () => {
    const none = spec.given(added(['tea', 1])).when('greet');
    expect((await failure(none.then({}))).message).to.equal("these events lead to no task 'greet'");
    const silent = spec.given(joined).when('greet');
    expect((await failure(silent.then({}))).message).to.equal("the specification says no answer of 'post'");
  });

  it('fails if a repeated task does more', async () => {
    const twice = processorSpec<Outside>((outside) => greeter(outside, 2)).given(joined);
    const events = [{ stream: 'greeting-1', type: 'Greeted' }];
    const error = await failure(twice.when('greet', { post: async () => 'thanks' }).then({ events }));
    expect(error.message).to.match(/^the new events, performed once more: /);
  });
});

describe('the specification of an operation', () => {
  let sandbox: OperationStage;
  before(async () => {
    sandbox = await operationStage();
  });
  after(() => sandbox.close());
  const create = (name: string) =>
    sandbox.spec(createNumberList).when({ body: { name, kind: 'uploaded', phones: [] } });
  const created = [
    { stream: 'names', type: 'NameTaken' },
    { stream: 'numberList', type: 'NumberListCreated' },
  ];

  it('fails if the response differs, and shows it', async () => {
    const error = await failure(
      create('One')
        .then({ status: 200, events: created })
        .then(() => undefined),
    );
    expect(error.message).to.match(/^\{"id":.*"name":"One".*expected 201 to equal 200/);
    const refused = await failure(
      create('Two')
        .thenRefused(409, 'name_taken')
        .then(() => undefined),
    );
    expect(refused.message).to.contain('"name":"Two"');
  });

  it('fails if other or additional events were appended', async () => {
    const none = await failure(
      create('Three')
        .then({ status: 201 })
        .then(() => undefined),
    );
    expect(none.message).to.match(/^the new events: /);
    const renamed = [created[0]!, { ...created[1]!, data: { name: '4' } }];
    const other = await failure(
      create('Four')
        .then({ status: 201, events: renamed })
        .then(() => undefined),
    );
    expect(other).to.have.deep.nested.property('actual[1].data', { name: 'Four' });
  });
});
