/** Writes of EventStoreDB clients through the protocol endpoint, and how they appear through the store's port. */
import { randomUUID } from 'node:crypto';
import {
  ANY,
  type AppendExpectedRevision,
  binaryEvent,
  END,
  type EventData,
  jsonEvent,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { BEFORE_ALL, WrongExpectedRevision } from '../../engine/ports/eventStore.js';
import { failureOf, meta } from '../contracts/eventStoreKit.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const placed = (n: number, id: string = randomUUID()) =>
  jsonEvent({ id, type: 'OrderPlaced', data: { n }, metadata: { by: 'test' } });

describe('protocol endpoint: writes', () => {
  let stage: EndpointStage;
  before(async () => {
    stage = await endpointStage();
  });
  after(() => stage.close());

  const append = async (
    stream: string,
    events: EventData | EventData[],
    expectedRevision: AppendExpectedRevision = ANY,
  ) => (await stage.client.appendToStream(stream, events, { expectedRevision })).nextExpectedRevision;
  const revisions = async (stream: string): Promise<number[]> => {
    const seen: number[] = [];
    for await (const { event } of stage.client.readStream(stream)) seen.push(Number(event!.revision));
    return seen;
  };

  describe('expectations', () => {
    it('any accepts every state', async () => {
      expect(await append('any-1', placed(0))).to.equal(0n);
      expect(await append('any-1', [placed(1), placed(2)])).to.equal(2n);
    });

    it('no_stream creates a stream once', async () => {
      expect(await append('new-1', placed(0), NO_STREAM)).to.equal(0n);
      const error = await failureOf(append('new-1', placed(1), NO_STREAM));
      expect(error).to.be.instanceOf(WrongExpectedVersionError);
      expect((error as WrongExpectedVersionError).actualVersion).to.equal(0n);
    });

    it('stream_exists requires one', async () => {
      expect(await failureOf(append('old-1', placed(0), STREAM_EXISTS))).to.be.instanceOf(WrongExpectedVersionError);
      await append('old-1', placed(0));
      expect(await append('old-1', placed(1), STREAM_EXISTS)).to.equal(1n);
    });

    it('an exact revision matches or fails', async () => {
      await append('exact-1', [placed(0), placed(1)]);
      expect(await failureOf(append('exact-1', placed(2), 0n))).to.be.instanceOf(WrongExpectedVersionError);
      expect(await failureOf(append('exact-1', placed(2), 9n))).to.be.instanceOf(WrongExpectedVersionError);
      expect(await append('exact-1', placed(2), 1n)).to.equal(2n);
    });
  });

  it('recognises a repeated append by its ids, under each expectation, also after a restart', async () => {
    const ids = [randomUUID(), randomUUID()];
    const events = ids.map((id, n) => placed(n, id));
    await append('again-1', events, NO_STREAM);
    await append('again-1', placed(2));
    await stage.restart();
    for (const expected of [ANY, NO_STREAM, STREAM_EXISTS] as const)
      expect(await append('again-1', events, expected), expected).to.equal(1n);
    expect(await failureOf(append('again-1', [events[1]!, placed(3)]))).to.be.instanceOf(WrongExpectedVersionError);
    expect(await revisions('again-1')).to.deep.equal([0, 1, 2]);
  });

  describe('what the port returns', () => {
    it('JSON objects of a client, like its own events', async () => {
      const id = randomUUID();
      const { position } = await stage.client.appendToStream('shown-1', placed(7, id));
      expect(await stage.store.readStream('shown-1')).to.deep.equal([
        {
          id,
          type: 'OrderPlaced',
          data: { n: 7 },
          meta: { by: 'test' },
          stream: 'shown-1',
          revision: 0,
          position: Number(position!.commit),
        },
      ]);
    });

    it('an empty object for missing metadata', async () => {
      await append('shown-2', jsonEvent({ type: 'Plain', data: { n: 1 } }));
      await append('shown-2', jsonEvent({ type: 'List', data: { n: 2 }, metadata: [1, 2] as never }));
      expect((await stage.store.readStream('shown-2')).map(({ meta: shown }) => shown)).to.deep.equal([{}, {}]);
    });

    it('no non-objects and no system streams, while revisions and positions advance', async () => {
      const before = await stage.store.head();
      await append('hidden-1', [
        placed(0),
        jsonEvent({ type: 'Number', data: 5 as never }),
        jsonEvent({ type: 'List', data: [1] as never }),
        binaryEvent({ type: 'Bytes', data: Buffer.from('{"n":1}') }),
        placed(4),
      ]);
      await append('$hidden', placed(0));
      await stage.client.setStreamMetadata('hidden-1', { maxCount: 100 });
      const stream = await stage.store.readStream('hidden-1');
      expect(stream.map(({ revision }) => revision)).to.deep.equal([0, 4]);
      expect((await stage.store.readStream('hidden-1', { direction: 'backwards', limit: 1 }))[0]!.revision).to.equal(4);
      expect(await stage.store.readStream('$hidden')).to.deep.equal([]);
      const { events, through } = await stage.store.readAll(before);
      expect(events.map(({ revision }) => revision)).to.deep.equal([0, 4]);
      expect(through).to.equal(await stage.store.head());
    });

    it("a client and the port write to one stream, and each reads the other's events", async () => {
      await stage.store.append('both-1', 'noStream', [{ id: randomUUID(), type: 'Own', data: { n: 0 }, meta }]);
      expect(await append('both-1', placed(1), 0n)).to.equal(1n);
      const late = stage.store.append('both-1', 0, [{ id: randomUUID(), type: 'Own', data: {}, meta }]);
      expect(await failureOf(late)).to.be.instanceOf(WrongExpectedRevision);
      expect(await revisions('both-1')).to.deep.equal([0, 1]);
    });

    it('followers advance past events that are not returned', async () => {
      const seen: string[] = [];
      let through = BEFORE_ALL;
      const reached = new Promise<void>((resolve) => {
        const after = stage.store.subscribe(
          BEFORE_ALL,
          {},
          {
            batch(events, position) {
              seen.push(...events.map(({ type }) => type));
              through = position;
              if (seen.includes('Last')) void after.stop().then(resolve);
            },
          },
        );
      });
      await append('follow-1', binaryEvent({ type: 'Bytes', data: Buffer.from([1]) }));
      await append('follow-1', jsonEvent({ type: 'Last', data: {} }));
      await reached;
      expect(seen).to.not.include('Bytes');
      expect(through).to.equal(await stage.store.head());
    });
  });

  describe('deletions and metadata', () => {
    it('a soft-deleted stream is not found, accepts no_stream and continues its numbers', async () => {
      await append('soft-1', [placed(0), placed(1)]);
      await stage.client.setStreamMetadata('soft-1', { owner: 'me' });
      await stage.client.deleteStream('soft-1');
      expect(await failureOf(revisions('soft-1'))).to.be.instanceOf(StreamNotFoundError);
      expect(await failureOf(append('soft-1', placed(2), STREAM_EXISTS))).to.be.instanceOf(StreamDeletedError);
      expect(await append('soft-1', placed(2), NO_STREAM)).to.equal(2n);
      expect(await revisions('soft-1')).to.deep.equal([2]);
      expect((await stage.client.getStreamMetadata('soft-1')).metadata).to.deep.equal({ truncateBefore: 2 });
      expect(await failureOf(append('soft-1', placed(3), NO_STREAM))).to.be.instanceOf(WrongExpectedVersionError);
    });

    it('the port also recreates a soft-deleted stream', async () => {
      await append('soft-2', [placed(0), placed(1)]);
      await stage.client.deleteStream('soft-2');
      const appended = await stage.store.append('soft-2', 'noStream', [
        { id: randomUUID(), type: 'Own', data: {}, meta },
      ]);
      expect(appended.revision).to.equal(2);
      expect(await revisions('soft-2')).to.deep.equal([2]);
    });

    it('a tombstone is permanent, for clients and the port', async () => {
      await append('gone-1', placed(0));
      await stage.client.tombstoneStream('gone-1');
      await stage.restart();
      for (const expected of [ANY, NO_STREAM, STREAM_EXISTS, 0n] as const)
        expect(await failureOf(append('gone-1', placed(1), expected)), String(expected)).to.be.instanceOf(
          StreamDeletedError,
        );
      const own = stage.store.append('gone-1', 'any', [{ id: randomUUID(), type: 'Own', data: {}, meta }]);
      expect(await failureOf(own)).to.be.instanceOf(WrongExpectedRevision);
      expect(await failureOf(stage.client.deleteStream('gone-1'))).to.be.instanceOf(StreamDeletedError);
      expect(await stage.store.readStream('gone-1')).to.have.length(1);
    });

    it('deleting with a wrong expectation changes nothing', async () => {
      await append('kept-1', [placed(0), placed(1)]);
      const error = await failureOf(stage.client.deleteStream('kept-1', { expectedRevision: 0n }));
      expect(error).to.be.instanceOf(WrongExpectedVersionError);
      expect((error as WrongExpectedVersionError).actualVersion).to.equal(1n);
      expect(await revisions('kept-1')).to.deep.equal([0, 1]);
    });

    it('metadata are versions in their own stream, kept over a restart', async () => {
      await append('meta-1', [placed(0), placed(1), placed(2)]);
      const first = await stage.client.setStreamMetadata('meta-1', { maxCount: 2 }, { expectedRevision: NO_STREAM });
      expect(first.nextExpectedRevision).to.equal(0n);
      const again = stage.client.setStreamMetadata('meta-1', { maxCount: 3 }, { expectedRevision: NO_STREAM });
      expect(await failureOf(again)).to.be.instanceOf(WrongExpectedVersionError);
      await stage.restart();
      expect((await stage.client.getStreamMetadata('meta-1')).metadata).to.deep.equal({ maxCount: 2 });
      expect(await revisions('meta-1')).to.deep.equal([1, 2]);
      await stage.client.setStreamMetadata('meta-1', {});
      expect(await revisions('meta-1')).to.deep.equal([0, 1, 2]);
    });
  });

  it('rejects a name with NUL, which the store would confuse with a shorter one', async () => {
    await append('nul-1', placed(0));
    expect(await failureOf(append('nul-1\0', placed(1)))).to.be.instanceOf(UnknownError);
    expect(await failureOf(append('nul-1', jsonEvent({ type: 'Nul\0', data: {} })))).to.be.instanceOf(UnknownError);
    expect(await failureOf(revisions('nul-1\0'))).to.be.instanceOf(Error);
    expect(await revisions('nul-1')).to.deep.equal([0]);
  });

  it('stores bytes unchanged', async () => {
    await append(
      'bytes-1',
      binaryEvent({ type: 'Bytes', data: Buffer.from([0, 255, 1]), metadata: Uint8Array.from([9, 0]) }),
    );
    for await (const { event } of stage.client.readStream('bytes-1', { direction: 'backwards', fromRevision: END })) {
      expect([...(event!.data as Uint8Array)]).to.deep.equal([0, 255, 1]);
      expect([...(event!.metadata as Uint8Array)]).to.deep.equal([9, 0]);
    }
  });
});
