import { expect } from 'chai';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { Loads } from '../../engine/loads.js';
import { forgetfulSnapshots } from '../../engine/ports/snapshots.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { lateStore } from '../support/doubles/lateStore.js';
import { memoryLog } from '../support/spec/memoryLog.js';

/** A promise that the test resolves. */
function cached<V>() {
  let resolve!: (value: V) => void;
  const value = new Promise<V>((done) => {
    resolve = done;
  });
  return { value, resolve };
}

describe('concurrent loads', () => {
  it('are shared by callers that request the same in the meantime', async () => {
    const loads = new Loads<string>();
    const first = cached<string>();
    let started = 0;
    const load = () => {
      started += 1;
      return first.value;
    };
    const both = Promise.all([loads.join('asha', load), loads.join('asha', load)]);
    first.resolve('found');
    expect(await both).to.deep.equal(['found', 'found']);
    expect(started).to.equal(1);
    expect(await loads.join('asha', async () => 'anew')).to.equal('anew');
  });

  it('are not joined after they were forgotten, and must not be cached', async () => {
    const loads = new Loads<string>();
    const [before, after] = [cached<string>(), cached<string>()];
    const current: boolean[] = [];
    const joined = (name: string, { value }: ReturnType<typeof cached<string>>) =>
      loads.join(name, async (isCurrent) => {
        const found = await value;
        current.push(isCurrent());
        return found;
      });
    const first = joined('asha', before);
    loads.forget();
    const second = joined('asha', after);
    before.resolve('from before');
    expect(await first).to.equal('from before');
    // The end of the first load has not removed the second load.
    const third = joined('asha', before);
    after.resolve('of now');
    expect([await second, await third]).to.deep.equal(['of now', 'of now']);
    expect(current).to.deep.equal([false, true]);
  });

  it('are retried after a failure', async () => {
    const loads = new Loads<string>();
    const failed = await loads
      .join('asha', () => Promise.reject(new Error('no answer')))
      .catch((error) => error.message);
    expect([failed, await loads.join('asha', async () => 'found')]).to.deep.equal(['no answer', 'found']);
  });
});

describe('the command handler whose cache is cleared while a stream is loading', () => {
  const customer = {
    name: 'customer',
    initial: () => '',
    evolve: (_: string, { data }: { readonly data: { readonly phone: string } }) => data.phone,
  };
  const meta = { at: '2026-03-01T08:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'r' };

  it('reads the stream again for later callers', async () => {
    let phone = '+252611000001';
    const log = memoryLog();
    await log.append('customer-asha', 'noStream', [{ id: 'e1', type: 'Known', data: {}, meta }]);
    const late = lateStore({
      ...log,
      readStream: async () => (await log.readStream('customer-asha')).map((event) => ({ ...event, data: { phone } })),
    });
    const commands = createCommandHandler({
      ...{ eventStore: late.store, snapshots: forgetfulSnapshots, clock: fakeClock() },
    });
    const request = () => commands.query(customer as never, 'asha', (state: string) => state);
    const reading = late.hold('readStream');
    const before = request();
    const read = await reading;
    await read.takeEffect();
    phone = 'erased';
    commands.forget();
    expect(await request()).to.equal('erased');
    await read.answer();
    await before;
    expect(await request()).to.equal('erased');
  });
});
