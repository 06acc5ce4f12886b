/** Appends under `any` by the EventStoreDB adapter. A server no longer recognises their repeats after it restarts. */
import { expect } from 'chai';
import { type EventData, type RecordedEvent, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { Appender } from '../../infrastructure/eventstoredb/appender.js';
import type { AppendPipe } from '../../infrastructure/eventstoredb/appendPipe.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { Passing } from '../../infrastructure/eventstoredb/failures.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { sizedNode } from '../support/doubles/sizedNode.js';
import { endpointStage } from '../support/stages/endpointStage.js';

/** A server that recognises no repeats. Its answers can be lost before or after it has written. */
function forgetfulServer() {
  const log: RecordedEvent[] = [];
  const faults: ('before' | 'after' | 'silent')[] = [];
  const pipe: Pick<AppendPipe, 'append'> = {
    async append(stream, _expected, events) {
      const fault = faults.shift();
      if (fault === 'before') throw new Passing('the connection broke');
      for (const { id, type, data, meta } of events) {
        const [parsed, known] = [data, meta].map((bytes) => JSON.parse(Buffer.from(bytes).toString()));
        log.push({ stream, revision: log.length, position: 10 * log.length, id, type, data: parsed, meta: known });
      }
      if (fault === 'after') throw new Passing('the connection broke');
      if (fault === 'silent') throw new StoreUnavailable('no answer');
      return { revision: log.length - 1, position: 10 * (log.length - 1) };
    },
  };
  const appending = new Appender({
    pipe: pipe as AppendPipe,
    readStream: async () => [...log].reverse(),
    head: async () => -1,
    limit: { bytes: 1_000, counts: 'data', isReported: false },
    timeoutMs: 1_000,
  });
  return { log, faults, appending };
}

describe('EventStoreDB adapter, appends to a server that is not ready yet', () => {
  const { stream, event } = freshNames();

  it('keep their order when it rejects some and accepts the following', async () => {
    const stage = await endpointStage();
    const node = await sizedNode(stage.address, { version: '24.10.0', most: 1_048_576, notReady: 3 });
    const store = await openEventStoreDb(`esdb://${node.address}?tls=false`);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => store.append(stream(`s${i}`), 'noStream', [event(`e${i}`)])),
    );
    const positions = answers.map(({ position }) => position);
    expect(positions).to.deep.equal([...positions].sort((a, b) => a - b));
    await store.close();
    await node.close();
    await stage.close();
  });
});

describe('EventStoreDB adapter, appends after one that is never answered', () => {
  const { stream, event } = freshNames();

  it('do not wait longer than its timeout', async () => {
    const stage = await endpointStage();
    const node = await sizedNode(stage.address, { version: '24.10.0', most: 1_048_576, mute: 1 });
    // The append behind it starts a second later, so its own timeout ends a second later too.
    const store = await openEventStoreDb(`esdb://${node.address}?tls=false`, { timeoutMs: 2_000 });
    const mute = failureOf(store.append(stream('mute'), 'noStream', [event('mute')]));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await store.append(stream('next'), 'noStream', [event('next')])).revision).to.equal(0);
    expect(await mute).to.be.instanceOf(StoreUnavailable);
    await store.close();
    await node.close();
    await stage.close();
  });
});

describe('EventStoreDB adapter, appends with any', () => {
  const { event } = freshNames();
  const two: EventData[] = [event('one'), event('two')];

  it('are found in the stream when the response was lost', async () => {
    const { log, faults, appending } = forgetfulServer();
    await appending.append('s-1', 'any', [event('earlier')]);
    faults.push('after');
    expect(await appending.append('s-1', 'any', two)).to.deep.equal({ revision: 2, position: 20, repeated: true });
    expect(log).to.have.length(3);
  });

  it('are written once when the request was lost', async () => {
    const { log, faults, appending } = forgetfulServer();
    faults.push('before', 'before');
    expect(await appending.append('s-1', 'any', two)).to.deep.equal({ revision: 1, position: 10 });
    expect(log).to.have.length(2);
  });

  it('are found when retried after an unknown outcome', async () => {
    const { log, faults, appending } = forgetfulServer();
    faults.push('silent');
    expect(await failureOf(appending.append('s-1', 'any', two))).to.be.instanceOf(StoreUnavailable);
    expect(await appending.append('s-1', 'any', two)).to.deep.equal({ revision: 1, position: 10, repeated: true });
    expect(log).to.have.length(2);
  });

  it('are not searched otherwise', async () => {
    const { log, appending } = forgetfulServer();
    await appending.append('s-1', 'any', [event('one')]);
    expect((await appending.append('s-1', 'any', [event('one')])).revision).to.equal(1);
    expect(log).to.have.length(2);
  });
});
