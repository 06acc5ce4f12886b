import { expect } from 'chai';
import { catalogPush } from '../../application/catalog/catalogPush.js';
import { batchSubmitted, catalogSync } from '../../domain/catalog/catalogSync.js';
import type { ProcessorContext, Task } from '../../engine/processors/processor.js';
import { meta } from '../contracts/eventStoreKit.js';
import { fakeClock } from '../support/fakeClock.js';
import { fakeProvider } from '../support/fakeProvider.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const HANDLE = 'batch-1';

/** A store whose shirt is in a batch that the provider works on. */
function store() {
  const state = catalogSync.initial();
  const shirt = { retailerId: 'shirt', productExternalId: 'shirt', revision: 1 };
  for (const event of batchSubmitted('catalog-1', HANDLE, [shirt], [])(state))
    catalogSync.evolve(state, { ...event, meta });
  return state;
}

/** A run of the processor, as its worker begins one: each with a context of its own. */
const run = (): ProcessorContext => {
  const commands = { query: async (_: unknown, __: string, look: (state: object) => unknown) => look(store()) };
  const read = { find: async () => [] };
  return { commands, read, clock: fakeClock(), signal: new AbortController().signal } as unknown as ProcessorContext;
};

describe('a catalog push that is interrupted', () => {
  it('asks what became of a batch when it is begun again in the same process and the task was never written', async () => {
    const push = catalogPush({
      provider: fakeProvider(),
      channelNumberOf: async () => ({ catalogId: 'catalog-1' }),
      storeName: async () => 'Asha’s shop',
      productLink: () => 'https://shop.example.com/p',
      flashSales: async () => [],
      caughtUp: async () => undefined,
    });
    const payload = { workspaceId: SHOP, source: { items: 'owed' }, round: 1 };
    const task: Task = { id: 'push/1', kind: 'push', lane: SHOP, payload, dueAt: 0, attempt: 1, createdAt: 0 };
    const noted = async (context: ProcessorContext) =>
      ((await push.perform.push!(task as never, context)).next ?? []).map(({ id }) => id);
    const first = run();
    expect(await noted(first)).to.deep.equal([`check/${SHOP}/${HANDLE}`]);
    expect(await noted(first)).to.deep.equal([]);
    expect(await noted(run())).to.deep.equal([`check/${SHOP}/${HANDLE}`]);
  });
});
