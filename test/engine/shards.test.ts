import { expect } from 'chai';
import { type Checkpoint, type Fence, Fenced, type OneWrite } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { combinedWrites } from '../../engine/processors/combinedWrites.js';
import { SHARDS, shardingOf, shardOf } from '../../engine/processors/shards.js';
import { partOf, processorOf, workIn } from '../../engine/processors/tasks/workPlaces.js';
import { settle } from '../support/doubles/fakeClock.js';
import { testClock } from '../support/stages/ownershipStage.js';

const keys = Array.from({ length: 10_000 }, (_, i) => `0193c5a0-0000-7000-8000-${String(i).padStart(12, '0')}`);

describe('shards', () => {
  it('of a key are always the same', () => {
    const known = ['', 'b1', keys[0]!, keys[9_999]!, 'Ṡuuq'].map((key) => shardOf(key, SHARDS));
    expect(known).to.deep.equal([11, 15, 24, 42, 22]);
  });

  it('are roughly even', () => {
    const counts = new Map<number, number>();
    for (const key of keys) counts.set(shardOf(key, SHARDS), (counts.get(shardOf(key, SHARDS)) ?? 0) + 1);
    expect(counts.size).to.equal(SHARDS);
    const even = keys.length / SHARDS;
    for (const count of counts.values()) expect(count).to.be.within(even * 0.7, even * 1.3);
  });

  it('are derived from an event’s store, else its stream, or by the processor', () => {
    const meta = { at: '2026-01-01T00:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' };
    const byStore = shardingOf(undefined, SHARDS);
    expect(byStore.ofEvent({ stream: 'order-o1', meta: { ...meta, workspaceId: 'w1' } })).to.equal(byStore.of('w1'));
    expect(byStore.ofEvent({ stream: 'store-w1', meta })).to.equal(byStore.of('w1'));
    const stored = { id: 't', kind: 'do', lane: 'l' };
    expect(byStore.ofTask({ ...stored, payload: { workspaceId: 'w1' } })).to.equal(byStore.of('w1'));
    expect(byStore.ofTask({ ...stored, payload: {} })).to.equal(byStore.of('l'));
    const own = shardingOf(({ id }) => id, SHARDS);
    expect(own.ofEvent({ stream: 'order-o1', meta })).to.equal(undefined);
    expect(own.ofTask({ ...stored, payload: {} })).to.equal(own.of('t'));
  });

  it('have names that show whether a processor is partitioned', () => {
    expect(partOf('webhooks', 7, 64)).to.deep.equal({
      processor: 'webhooks',
      shard: 7,
      collection: 'tasks_webhooks_by64',
      checkpoint: 'processor_webhooks_07',
      owned: 'shard_07',
    });
    expect(processorOf('tasks_webhooks_by64')).to.equal('webhooks');
    expect(processorOf('tasks_webhooks')).to.equal('webhooks');
    expect(processorOf('deliveries')).to.equal(undefined);
    const [whole, partitioned] = workIn(['leases', 'tasks_outbox', 'tasks_webhooks_by64']);
    expect(whole!.places.map(({ checkpoint }) => checkpoint)).to.deep.equal(['processor_outbox']);
    expect(partitioned!.places).to.have.lengthOf(64);
  });
});

describe('combined writes of many shards', () => {
  const clock = testClock();

  it('are one write for checks or moves in one turn, and separate ones if one is rejected', async () => {
    const written: (readonly (Checkpoint | Fence)[])[] = [];
    const work = combinedWrites(
      {
        async write(_, ...checkpoints) {
          written.push(checkpoints);
          if (checkpoints.some(({ fence }) => fence === 1)) throw new Fenced('newer');
        },
      },
      clock,
    );
    await Promise.all([work.write({}, { name: 'a', fence: 2 }), work.write({}, { name: 'b', fence: 2, position: 5 })]);
    expect(written.map((one) => one.length)).to.deep.equal([2]);
    clock.jump(100);
    const late = work.write({}, { name: 'c', fence: 1 }).catch((error: Error) => error);
    await work.write({}, { name: 'a', fence: 2 });
    expect(await late).to.be.instanceOf(Fenced);
    expect(written.map((one) => one.length)).to.deep.equal([2, 2, 1, 1]);
  });

  it('run one at a time, however many arrive while the engine hangs', async () => {
    let flying = 0;
    let most = 0;
    let end = (): void => undefined;
    const hangs = new Promise<void>((resolve) => {
      end = resolve;
    });
    const sizes: number[] = [];
    const work = combinedWrites(
      {
        async write(_, ...checkpoints) {
          sizes.push(checkpoints.length);
          most = Math.max(most, ++flying);
          await hangs;
          flying--;
        },
      },
      clock,
    );
    const first = work.write({}, { name: 'a', fence: 1 });
    await settle(2);
    const others = Array.from({ length: 50 }, (_, i) => work.write({}, { name: `p${i}`, fence: 1 }));
    await settle(2);
    end();
    await Promise.all([first, ...others]);
    expect(sizes).to.deep.equal([1, 50]);
    expect(most).to.equal(1);
  });

  it('skip the check of an owner verified a moment ago', async () => {
    const requested: (readonly string[])[] = [];
    let isRefused = false;
    const work = combinedWrites(
      {
        async write(_, ...checkpoints) {
          requested.push(checkpoints.map(({ name }) => name));
          if (isRefused) throw new Fenced('newer');
        },
      },
      clock,
    );
    const refused = (fence: number): Promise<unknown> =>
      work.write({}, { name: 'a', fence }).then(
        () => false,
        (error: Error) => error instanceof Fenced,
      );
    const documents = { notes: { put: [{ id: 'n', keys: {}, revision: 1, body: {} }] } };
    await work.write(documents, { name: 'a', fence: 1, position: 7 });
    await work.write({}, { name: 'a', fence: 1 });
    expect(requested).to.deep.equal([['a']]);
    isRefused = true;
    // The engine is queried again when a checkpoint moves, for another owner, and after 100 ms in any case.
    await work.write({}, { name: 'a', fence: 1, position: 9 }).catch(() => undefined);
    expect(await refused(1)).to.equal(true);
    isRefused = false;
    await work.write({}, { name: 'a', fence: 1 });
    isRefused = true;
    expect(await refused(2)).to.equal(true);
    isRefused = false;
    await work.write({}, { name: 'a', fence: 1 });
    isRefused = true;
    expect(await refused(1)).to.equal(false);
    clock.jump(100);
    expect(await refused(1)).to.equal(true);
  });

  it('are one call with the documents of all, and separate ones if one cannot be written', async () => {
    const calls: string[] = [];
    const names = (writes: readonly OneWrite[]): string => writes.flatMap((one) => Object.keys(one.batches)).join();
    const call = async (how: string, writes: readonly OneWrite[]): Promise<void> => {
      calls.push(`${how} ${names(writes)}`);
      if (names(writes).includes('bad')) throw new Error('too large');
      if (names(writes).includes('away')) throw new StoreUnavailable('away');
    };
    const work = combinedWrites(
      {
        write: (batches, ...checkpoints) => call('alone', [{ batches, checkpoints }]),
        writeAll: (writes) => call('all', writes),
      },
      clock,
    );
    const write = (name: string): Promise<string> =>
      work.write({ [name]: { put: [{ id: name, keys: {}, revision: 1, body: {} }] } }, { name, fence: 1 }).then(
        () => 'done',
        (error: Error) => error.message,
      );
    expect(await Promise.all([write('a'), write('b')])).to.deep.equal(['done', 'done']);
    expect(await Promise.all([write('c'), write('bad')])).to.deep.equal(['done', 'too large']);
    // If an engine is unavailable, its writes are not retried one by one.
    expect(await Promise.all([write('d'), write('away')])).to.deep.equal(['away', 'away']);
    expect(calls).to.deep.equal(['all a,b', 'all c,bad', 'alone c', 'alone bad', 'all d,away']);
  });
});
