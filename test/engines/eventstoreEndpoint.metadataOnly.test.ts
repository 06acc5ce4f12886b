/** A stream that has only metadata, treated as a server treats it: it satisfies `stream_exists` and can be deleted. */
import {
  ANY,
  jsonEvent,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { failureOf } from '../contracts/eventStoreKit.js';
import { identifier, rawStreams } from '../support/protocol/endpointWire.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const EVENT = () => jsonEvent({ type: 'OrderPlaced', data: { n: 1 } });

describe('protocol endpoint: a stream with metadata only', () => {
  let stage: EndpointStage;
  let raw: ReturnType<typeof rawStreams>;
  before(async () => {
    stage = await endpointStage();
    raw = rawStreams(stage.address);
  });
  after(async () => {
    raw.close();
    await stage.close();
  });

  const described = async (stream: string): Promise<string> => {
    await stage.client.setStreamMetadata(stream, { maxCount: 2 });
    return stream;
  };
  const append = async (stream: string, expectedRevision: typeof ANY | typeof STREAM_EXISTS | typeof NO_STREAM) =>
    (await stage.client.appendToStream(stream, EVENT(), { expectedRevision })).nextExpectedRevision;
  const revisions = async (stream: string): Promise<number[]> => {
    const seen: number[] = [];
    for await (const { event } of stage.client.readStream(stream)) seen.push(Number(event!.revision));
    return seen;
  };
  /** Deletes with `stream_exists`, which the client cannot send. Returns 'done' or the reason of the refusal. */
  const deletion = (kind: 'delete' | 'tombstone', stream: string): Promise<string> =>
    new Promise((resolve) => {
      const notify = (error: { metadata: { get(name: string): unknown[] } } | null): void =>
        resolve(error === null ? 'done' : String(error.metadata.get('exception')[0]));
      const exists = new sharedPb.Empty();
      if (kind === 'delete') {
        const options = new streamsPb.DeleteReq.Options()
          .setStreamIdentifier(identifier(stream))
          .setStreamExists(exists);
        raw.delete(new streamsPb.DeleteReq().setOptions(options), notify);
      } else {
        const options = new streamsPb.TombstoneReq.Options()
          .setStreamIdentifier(identifier(stream))
          .setStreamExists(exists);
        raw.tombstone(new streamsPb.TombstoneReq().setOptions(options), notify);
      }
    });

  it('accepts an append that expects it to exist', async () => {
    const stream = await described('order-1');
    expect(await append(stream, STREAM_EXISTS)).to.equal(0n);
    expect(await append(stream, STREAM_EXISTS)).to.equal(1n);
    expect(await revisions(stream)).to.deep.equal([0, 1]);
    expect(await failureOf(append('order-none', STREAM_EXISTS))).to.be.instanceOf(WrongExpectedVersionError);
  });

  it('is deleted with any expectation except a revision', async () => {
    for (const expectedRevision of [ANY, NO_STREAM] as const) {
      const stream = await described(`order-2${expectedRevision}`);
      await stage.client.deleteStream(stream, { expectedRevision });
      const { metadata } = await stage.client.getStreamMetadata(stream);
      expect(Number(metadata?.truncateBefore)).to.be.greaterThan(2 ** 62);
    }
    expect(await deletion('delete', await described('order-2exists'))).to.equal('done');
    const current = stage.client.deleteStream(await described('order-2exact'), { expectedRevision: 0n });
    expect(await failureOf(current)).to.be.instanceOf(WrongExpectedVersionError);
    const missing = stage.client.deleteStream('order-2missing', { expectedRevision: ANY });
    expect(await failureOf(missing)).to.be.instanceOf(WrongExpectedVersionError);
  });

  it('counts as deleted for appends that expect it to exist, and as new for others', async () => {
    const stream = await described('order-3');
    await stage.client.deleteStream(stream);
    expect(await failureOf(append(stream, STREAM_EXISTS))).to.be.instanceOf(StreamDeletedError);
    expect(await deletion('delete', stream)).to.equal('stream-deleted');
    expect(await append(stream, NO_STREAM)).to.equal(0n);
    expect(await revisions(stream)).to.deep.equal([0]);
  });

  it('is tombstoned by a request that expects it to exist', async () => {
    expect(await deletion('tombstone', await described('order-4'))).to.equal('done');
    expect(await deletion('tombstone', 'order-4none')).to.equal('wrong-expected-version');
    expect(await failureOf(append('order-4', ANY))).to.be.instanceOf(StreamDeletedError);
  });

  it('exists also after a restart', async () => {
    const stream = await described('order-5');
    await stage.restart();
    expect(await append(stream, STREAM_EXISTS)).to.equal(0n);
  });

  it('reports errors in the status details where the text is the server’s', async () => {
    const failure = await new Promise<{ details: string; metadata: { get(name: string): unknown[] } }>((resolve) => {
      const options = new streamsPb.DeleteReq.Options().setAny(new sharedPb.Empty());
      raw.delete(new streamsPb.DeleteReq().setOptions(options), (error) => resolve(error as never));
    });
    expect(failure.details).to.equal('Exception was thrown by handler.');
    expect(String(failure.metadata.get('grpc-status-details-bin')[0])).to.contain('needs the name of a stream');
  });
});
