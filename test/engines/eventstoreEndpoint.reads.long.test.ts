/** Reads of one stream through the protocol endpoint: directions, bounds, truncation, deletion, links. */
import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  binaryEvent,
  END,
  jsonEvent,
  type ReadStreamOptions,
  StreamDeletedError,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { readHandler } from '../../infrastructure/eventstoreEndpoint/reading/readHandler.js';
import { HeadWatch } from '../../infrastructure/sqlite/eventStore/notices.js';
import { openLogForReading } from '../../infrastructure/sqlite/eventStore/schema.js';
import { failureOf, meta } from '../contracts/eventStoreKit.js';
import { ReadCallStub } from '../support/doubles/readCallStub.js';
import { type RawRead, readRaw } from '../support/protocol/endpointReads.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

/** How many events a read shows at a time of the test's choosing. */
async function shownAt(folder: string, now: number, stream: string): Promise<number> {
  const db = openLogForReading(folder);
  const read = readHandler({ db, heads: new HeadWatch(-1), now: () => now });
  const stub = new ReadCallStub({ stream, count: 100 });
  read(stub.call);
  await stub.finished();
  db.close();
  return stub.messages.filter((message) => message.hasEvent()).length;
}

describe('protocol endpoint: reads of a stream', () => {
  let stage: EndpointStage;
  before(async () => {
    stage = await endpointStage();
  });
  after(() => stage.close());

  const events = (count: number, type = 'Noted') =>
    Array.from({ length: count }, (_, n) => jsonEvent({ id: randomUUID(), type, data: { n } }));
  const write = (stream: string, count: number) => stage.client.appendToStream(stream, events(count));
  const link = (target: string) => binaryEvent({ type: '$>', data: Buffer.from(target) });
  const raw = (read: RawRead) => readRaw(stage.address, { count: 100, ...read });
  const revisions = async (stream: string, options: ReadStreamOptions = {}): Promise<number[]> => {
    const seen: number[] = [];
    for await (const { event } of stage.client.readStream(stream, options)) seen.push(Number(event!.revision));
    return seen;
  };

  describe('directions and bounds', () => {
    before(() => write('five', 5));

    it('forwards from the start, a revision, and beyond the end', async () => {
      expect(await revisions('five')).to.deep.equal([0, 1, 2, 3, 4]);
      expect(await revisions('five', { fromRevision: 3n })).to.deep.equal([3, 4]);
      expect(await revisions('five', { fromRevision: 9n })).to.deep.equal([]);
    });

    it('backwards from the end, a revision, and beyond the end', async () => {
      expect(await revisions('five', { direction: BACKWARDS, fromRevision: END })).to.deep.equal([4, 3, 2, 1, 0]);
      expect(await revisions('five', { direction: BACKWARDS, fromRevision: 1n })).to.deep.equal([1, 0]);
      expect(await revisions('five', { direction: BACKWARDS, fromRevision: 99n })).to.deep.equal([4, 3, 2, 1, 0]);
    });

    it('a count', async () => {
      expect(await revisions('five', { maxCount: 2 })).to.deep.equal([0, 1]);
      expect(await revisions('five', { maxCount: 2, direction: BACKWARDS, fromRevision: END })).to.deep.equal([4, 3]);
      expect(await raw({ stream: 'five', count: 2 ** 60 })).to.have.length(5);
    });

    it('2,500 events arrive complete and in order, over several pages', async () => {
      for (let part = 0; part < 5; part++) await write('many', 500);
      const all = Array.from({ length: 2_500 }, (_, n) => n);
      expect(await revisions('many')).to.deep.equal(all);
      expect(await revisions('many', { direction: BACKWARDS, fromRevision: END })).to.deep.equal(all.toReversed());
    });

    it('events of 300 kB make small pages, and none is lost', async () => {
      const large = () => binaryEvent({ type: 'Large', data: Buffer.alloc(300_000, 1) });
      for (let part = 0; part < 4; part++) await stage.client.appendToStream('large', [large(), large(), large()]);
      expect(await revisions('large')).to.deep.equal(Array.from({ length: 12 }, (_, n) => n));
    });

    it('the first and the last revision are returned on request', async () => {
      expect(await raw({ stream: 'five', count: 2, control: 21 })).to.deep.equal(['five/0', 'five/1', 'last 4']);
      expect(await raw({ stream: 'five', from: 9, control: 21 })).to.deep.equal(['first 5', 'last 4']);
    });

    it('invalid reads are rejected', async () => {
      const error = 'UNKNOWN: Unexpected ReadStreamResult: Error';
      expect(await raw({ stream: 'five', from: 'end' })).to.deep.equal([error]);
      expect(await raw({ stream: 'five', count: 0 })).to.deep.equal([error]);
      expect((await raw({ stream: 'five', from: '9223372036854775808' })).join()).to.match(
        /^UNKNOWN: 9223372036854775808/,
      );
      expect((await raw({ stream: 'five', uuid: 'none' })).join()).to.match(/^INVALID_ARGUMENT: .*uuid_option/);
      const filtered = await raw({ stream: 'five', filter: { on: 'type', prefixes: ['N'] } });
      expect(filtered.join()).to.equal(
        'INVALID_ARGUMENT: The combination of (Stream, Count, Forwards, Filter) is invalid.',
      );
    });
  });

  describe('content of an event', () => {
    it("is returned as written: data, metadata, content type, time; Suuq's own events with the time of their metadata", async () => {
      const before = Date.now();
      await stage.client.appendToStream('shape', [
        jsonEvent({ id: '00000000-0000-4000-8000-000000000001', type: 'A', data: { n: 1 }, metadata: { by: 'x' } }),
        binaryEvent({ id: '00000000-0000-4000-8000-000000000002', type: 'B', data: Buffer.from([0, 255, 10]) }),
      ]);
      await stage.store.append('shape', 'any', [
        { id: '00000000-0000-4000-8000-000000000003', type: 'C', data: { total: 12 }, meta },
      ]);
      const seen = [];
      for await (const { event } of stage.client.readStream('shape')) seen.push(event!);
      expect(seen.map(({ id }) => id.slice(-1))).to.deep.equal(['1', '2', '3']);
      expect(seen.map(({ type, isJson }) => [type, isJson])).to.deep.equal([
        ['A', true],
        ['B', false],
        ['C', true],
      ]);
      expect([seen[0]!.data, seen[0]!.metadata]).to.deep.equal([{ n: 1 }, { by: 'x' }]);
      expect(Buffer.from(seen[1]!.data as Uint8Array)).to.deep.equal(Buffer.from([0, 255, 10]));
      expect([seen[2]!.data, seen[2]!.metadata]).to.deep.equal([{ total: 12 }, meta]);
      expect(seen[0]!.created.getTime()).to.be.within(before - 1, Date.now() + 1);
      expect(seen[2]!.created.toISOString()).to.equal(meta.at);
    });
  });

  describe('truncation', () => {
    it('$tb and $maxCount hide the older events; the stricter one holds', async () => {
      await write('cut', 10);
      await stage.client.setStreamMetadata('cut', { truncateBefore: 7, maxCount: 5 });
      expect(await revisions('cut')).to.deep.equal([7, 8, 9]);
      await stage.client.setStreamMetadata('cut', { truncateBefore: 3, maxCount: 5 });
      expect(await revisions('cut')).to.deep.equal([5, 6, 7, 8, 9]);
      expect(await revisions('cut', { fromRevision: 0n, maxCount: 2 })).to.deep.equal([5, 6]);
      expect(await revisions('cut', { direction: BACKWARDS, fromRevision: 6n })).to.deep.equal([6, 5]);
      await stage.client.setStreamMetadata('cut', {});
      expect(await revisions('cut')).to.have.length(10);
    });

    it('a fully truncated stream exists and is empty', async () => {
      await write('emptied', 3);
      await stage.client.setStreamMetadata('emptied', { truncateBefore: 9 });
      expect(await revisions('emptied')).to.deep.equal([]);
    });

    it('$maxAge hides events that are older, and no others', async () => {
      await write('aging', 2);
      await stage.client.setStreamMetadata('aging', { maxAge: 60 });
      const written = Date.now();
      expect(await shownAt(stage.folder, written + 50_000, 'aging')).to.equal(2);
      expect(await shownAt(stage.folder, written + 70_000, 'aging')).to.equal(0);
    });

    it('the newest version of metadata is returned', async () => {
      await stage.client.setStreamMetadata('versions', { maxCount: 1 });
      await stage.client.setStreamMetadata('versions', { maxCount: 2 });
      expect(await raw({ stream: '$$versions' })).to.deep.equal(['$$versions/1']);
    });
  });

  describe('missing streams', () => {
    it('never written or soft-deleted: not found; written again: only the new events', async () => {
      expect(await failureOf(revisions('nothing'))).to.be.instanceOf(StreamNotFoundError);
      await write('deleted', 3);
      await stage.client.deleteStream('deleted');
      expect(await failureOf(revisions('deleted'))).to.be.instanceOf(StreamNotFoundError);
      expect(await raw({ stream: 'deleted', backwards: true, from: 'end' })).to.deep.equal(['not found']);
      await write('deleted', 2);
      expect(await revisions('deleted')).to.deep.equal([3, 4]);
    });

    it('tombstoned: deleted forever, including metadata', async () => {
      await write('gone', 1);
      await stage.client.tombstoneStream('gone');
      const error = await failureOf(revisions('gone'));
      expect(error).to.be.instanceOf(StreamDeletedError);
      expect((error as StreamDeletedError).streamName).to.equal('gone');
      expect(await raw({ stream: '$$gone' })).to.deep.equal(["FAILED_PRECONDITION: Event stream '$$gone' is deleted."]);
    });

    it('a deleted stream with a non-ASCII name is reported in the status', async () => {
      await write('naïve-☃', 1);
      await stage.client.tombstoneStream('naïve-☃');
      expect(await failureOf(revisions('naïve-☃'))).to.be.instanceOf(StreamDeletedError);
    });
  });

  describe('links', () => {
    it('are followed on request; other events of the stream are returned unchanged', async () => {
      await write('target', 3);
      await stage.client.appendToStream('links', [link('2@target'), ...events(1), link('0@target')]);
      expect(await raw({ stream: 'links' })).to.deep.equal(['links/0', 'links/1', 'links/2']);
      expect(await raw({ stream: 'links', links: true })).to.deep.equal([
        'target/2 via links/0',
        'links/1',
        'target/0 via links/2',
      ]);
    });

    it('without a target are returned alone; events that are no links unchanged', async () => {
      await write('cut-target', 3);
      await stage.client.setStreamMetadata('cut-target', { truncateBefore: 2 });
      await write('gone-target', 1);
      await stage.client.tombstoneStream('gone-target');
      const targets = [
        '0@missing',
        '9@cut-target',
        '0@cut-target',
        '2@cut-target',
        '0@gone-target',
        'nonsense',
        '-1@cut-target',
      ];
      await stage.client.appendToStream('broken', targets.map(link));
      expect(await raw({ stream: 'broken', links: true })).to.deep.equal([
        'none via broken/0',
        'none via broken/1',
        'none via broken/2',
        'cut-target/2 via broken/3',
        'none via broken/4',
        'broken/5',
        'cut-target/2 via broken/6',
      ]);
    });
  });

  it('an abandoned read affects nobody', async () => {
    await write('left', 500);
    for await (const { event } of stage.client.readStream('left')) if (event!.revision === 2n) break;
    expect(await revisions('left', { maxCount: 2 })).to.deep.equal([0, 1]);
  });

  it('a read returns a prefix of concurrent writes', async () => {
    await write('busy', 200);
    const writing = (async () => {
      for (let n = 0; n < 20; n++) await write('busy', 5);
    })();
    const seen = await revisions('busy');
    await writing;
    expect(seen.length).to.be.at.least(200);
    expect(seen).to.deep.equal(seen.map((_, n) => n));
  });
});
