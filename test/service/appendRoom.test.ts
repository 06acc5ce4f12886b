/** Warnings when a full batch of products does not fit in one append of EventStoreDB. */
import { expect } from 'chai';
import type { AppendLimit } from '../../infrastructure/eventstoredb/appendLimit.js';
import { FULL_BATCH_BYTES, narrowAppends } from '../../service/engines/appendRoom.js';
import { openEventEngine } from '../../service/engines/engines.js';
import { sizedNode } from '../support/doubles/sizedNode.js';
import { endpointStage } from '../support/stages/endpointStage.js';

const limit = (bytes: number, isReported: boolean): AppendLimit => ({ bytes, counts: 'all', isReported });

describe('the maximum append size', () => {
  it('is reported with instructions if a full batch of products would not fit', () => {
    expect(narrowAppends(limit(1_048_576, true), undefined)).to.match(
      /accepts 1,048,576 bytes per append \(reported by the server\), .* set EVENTSTORE_MAX_APPEND_SIZE of the server to 16000000$/,
    );
    expect(narrowAppends(limit(1_048_576, false), undefined)).to.match(
      /reports its limit only to administrators\), .* of the server to 16000000, and here to the same value$/,
    );
    expect(narrowAppends(limit(1_048_576, true), 1_048_576)).to.match(/remove EVENTSTORE_MAX_APPEND_SIZE here/);
    expect(narrowAppends(limit(FULL_BATCH_BYTES - 1, true), undefined)).to.be.a('string');
  });

  it('is not reported if it fits', () => {
    expect(narrowAppends(limit(FULL_BATCH_BYTES, true), undefined)).to.equal(undefined);
    expect(narrowAppends(limit(16_000_000, false), 16_000_000)).to.equal(undefined);
  });

  it('is read from the server when the event store is opened', async () => {
    const stage = await endpointStage();
    const wait = { withinMs: 5_000, log: console as never };
    const folder = { path: stage.folder, file: (name: string) => name };
    const narrow = async (value: string): Promise<string | undefined> => {
      const options = [{ name: 'MaxAppendSize', value }];
      const node = await sizedNode(stage.address, { version: '24.10.0', most: 1_048_576, options });
      const engine = await openEventEngine({ eventStoreUrl: `esdb://${node.address}?tls=false` }, folder, wait, false);
      await engine.store.close();
      await node.close();
      return engine.narrow;
    };
    expect(await narrow('1048576')).to.contain('reported by the server');
    expect(await narrow('16000000')).to.equal(undefined);
    await stage.close();
  });
});
