/** The bytes that a read sends, compared with what the client package reads from them. */
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  CAUGHT_UP,
  checkpoint,
  confirmation,
  eventMessage,
  FELL_BEHIND,
  firstStreamPosition,
  lastStreamPosition,
  linkMessage,
  streamNotFound,
  type UuidForm,
} from '../../infrastructure/eventstoreEndpoint/reading/readResponses.js';
import type { RawEvent } from '../../infrastructure/sqlite/eventStore/rawLog.js';
import { TOMBSTONE_REVISION } from '../../infrastructure/sqlite/eventStore/schema.js';

const read = (bytes: Buffer) => streamsPb.ReadResp.deserializeBinary(Uint8Array.from(bytes));
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

const rawEvent = (over: Partial<RawEvent> = {}): RawEvent => {
  const data = over.data ?? Buffer.from('{"total":1200}');
  const meta = over.meta ?? Buffer.from('{"by":"test"}');
  const names = { streamName: 'order-1', typeName: 'OrderPlaced', stream: 1, type: 1 };
  const id = '00112233445566778899aabbccddeeff';
  const stored = { format: 0, sum: null };
  const rest = { ...stored, position: 7, revision: 3, at: null, json: true, created: 1_740_823_200_000_000 };
  return { ...names, ...rest, id, ...over, data, meta, dataBytes: data.length, metaBytes: meta.length };
};

/** Reads an event's message with the client package, and returns it in the form of RawEvent. */
function recordedIn(message: Buffer, part: 'event' | 'link' = 'event') {
  const event = read(message).getEvent()!;
  const recorded = (part === 'event' ? event.getEvent() : event.getLink())!;
  const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const structured = recorded.getId()!.getStructured();
  return {
    id: structured
      ? half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits())
      : recorded.getId()!.getString().replaceAll('-', ''),
    stream: text(recorded.getStreamIdentifier()!.getStreamName_asU8()),
    revision: recorded.getStreamRevision(),
    positions: [event.getCommitPosition(), recorded.getCommitPosition(), recorded.getPreparePosition()],
    metadata: Object.fromEntries(recorded.getMetadataMap().toArray()),
    data: Buffer.from(recorded.getData_asU8()).toString('hex'),
    meta: Buffer.from(recorded.getCustomMetadata_asU8()).toString('hex'),
  };
}

describe('protocol endpoint: the bytes of a read', () => {
  it('encode an event with every field', () => {
    expect(recordedIn(eventMessage(rawEvent(), 'string'))).to.deep.equal({
      id: '00112233445566778899aabbccddeeff',
      stream: 'order-1',
      revision: '3',
      positions: ['7', '7', '7'],
      metadata: { type: 'OrderPlaced', 'content-type': 'application/json', created: '17408232000000000' },
      data: Buffer.from('{"total":1200}').toString('hex'),
      meta: Buffer.from('{"by":"test"}').toString('hex'),
    });
  });

  it('encode any event, with both forms of UUIDs', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const event = fc.record({
      id: fc.uuid().map((id) => id.replaceAll('-', '')),
      streamName: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      typeName: fc.string({ unit: 'grapheme', maxLength: 200 }),
      revision: fc.maxSafeNat().filter((revision) => revision !== TOMBSTONE_REVISION),
      position: fc.maxSafeNat(),
      data: bytes,
      meta: bytes,
      json: fc.boolean(),
    });
    fc.assert(
      fc.property(event, fc.constantFrom<UuidForm>('string', 'structured'), (over, form) => {
        const seen = recordedIn(eventMessage(rawEvent(over), form));
        expect(seen.id).to.equal(over.id);
        expect([seen.stream, seen.metadata.type]).to.deep.equal([over.streamName, over.typeName]);
        expect(seen.revision).to.equal(String(over.revision));
        expect(new Set(seen.positions)).to.deep.equal(new Set([String(over.position)]));
        expect([seen.data, seen.meta]).to.deep.equal([over.data.toString('hex'), over.meta.toString('hex')]);
        expect(seen.metadata['content-type']).to.equal(`application/${over.json ? 'json' : 'octet-stream'}`);
      }),
    );
  });

  it('encode an event of 4 MiB, and a small one after it', () => {
    const data = Buffer.alloc(4 * 1024 * 1024, 7);
    expect(recordedIn(eventMessage(rawEvent({ data }), 'string')).data).to.equal(data.toString('hex'));
    expect(recordedIn(eventMessage(rawEvent(), 'string')).stream).to.equal('order-1');
  });

  it('encode a tombstone with the revision 2^63-1', () => {
    const tombstone = rawEvent({ revision: TOMBSTONE_REVISION, typeName: '$streamDeleted' });
    expect(recordedIn(eventMessage(tombstone, 'string')).revision).to.equal('9223372036854775807');
  });

  it('encode a link with its target, and one without', () => {
    const link = rawEvent({ streamName: 'links', revision: 0, position: 9, typeName: '$>' });
    const resolved = linkMessage(link, rawEvent(), 'string');
    expect(recordedIn(resolved, 'event').stream).to.equal('order-1');
    expect(recordedIn(resolved, 'link').stream).to.equal('links');
    expect(read(resolved).getEvent()!.getCommitPosition()).to.equal('9');
    const dangling = read(linkMessage(link, undefined, 'string')).getEvent()!;
    expect([dangling.hasEvent(), dangling.hasLink()]).to.deep.equal([false, true]);
  });

  it('encode the messages other than events', () => {
    expect(read(CAUGHT_UP).hasCaughtUp()).to.equal(true);
    expect(read(FELL_BEHIND).hasFellBehind()).to.equal(true);
    expect(read(confirmation('a-b')).getConfirmation()!.getSubscriptionId()).to.equal('a-b');
    const { commitPosition, preparePosition } = read(checkpoint(300, 0)).getCheckpoint()!.toObject();
    expect([commitPosition, preparePosition]).to.deep.equal(['300', '0']);
    expect(read(firstStreamPosition(0)).hasFirstStreamPosition()).to.equal(true);
    expect(read(firstStreamPosition(5)).getFirstStreamPosition()).to.equal('5');
    expect(read(lastStreamPosition(2 ** 40)).getLastStreamPosition()).to.equal(String(2 ** 40));
    const missing = read(streamNotFound('órdenes-1')).getStreamNotFound()!;
    expect(text(missing.getStreamIdentifier()!.getStreamName_asU8())).to.equal('órdenes-1');
  });
});
