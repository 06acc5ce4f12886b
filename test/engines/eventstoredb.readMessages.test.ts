/** The hand-written wire reader, compared with messages that the client package's own classes write. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { readMessage } from '../../infrastructure/eventstoredb/readMessages.js';
import { decoded } from '../../infrastructure/eventstoredb/recordedEvents.js';

const { ReadResp } = streams;
const { RecordedEvent } = ReadResp.ReadEvent;
type Message = InstanceType<typeof ReadResp>;

const ID = '5f0c2b1e-8a46-4d0e-9a52-6a1f1f0b7c01';
const CREATED = '17000000001234567';
const order = { text: 'Xalwo – 2 × 500 g' };
const meta = { at: '2026-01-02T03:04:05.000Z', actor: { type: 'system' }, correlationId: 'request-1' };

interface Given {
  readonly stream?: string;
  readonly type?: string;
  readonly contentType?: string;
  readonly revision?: string;
  readonly position?: string;
  readonly data?: Buffer;
  readonly meta?: Buffer;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

function recorded(given: Given = {}) {
  const event = new RecordedEvent();
  const id = new shared.UUID();
  id.setString(ID);
  event.setId(id);
  const stream = new shared.StreamIdentifier();
  stream.setStreamName(Buffer.from(given.stream ?? 'order-7'));
  event.setStreamIdentifier(stream);
  event.setStreamRevision(given.revision ?? '3');
  event.setCommitPosition(given.position ?? '4711');
  event.setPreparePosition(given.position ?? '4711');
  const system = event.getMetadataMap();
  system.set('type', given.type ?? 'OrderPlaced');
  system.set('content-type', given.contentType ?? 'application/json');
  system.set('created', CREATED);
  event.setCustomMetadata(given.meta ?? json(meta));
  event.setData(given.data ?? json(order));
  return event;
}

function eventMessage(given: Given = {}): Message {
  const read = new ReadResp.ReadEvent();
  read.setEvent(recorded(given));
  read.setCommitPosition(given.position ?? '4711');
  const message = new ReadResp();
  message.setEvent(read);
  return message;
}

const bytesOf = (message: Message): Buffer => Buffer.from(message.serializeBinary());
const shown = (given: Given) => decoded(readMessage(bytesOf(eventMessage(given))), () => true);

describe('messages of a read from EventStoreDB', () => {
  it('return an event with all its fields', () => {
    expect(shown({})).to.deep.equal({
      position: 2 * 4711 + 1,
      bytes: json(order).length,
      event: {
        stream: 'order-7',
        revision: 3,
        position: 2 * 4711 + 1,
        id: ID,
        type: 'OrderPlaced',
        data: order,
        meta,
      },
    });
  });

  it('keep names in every script, and numbers of any size in a log', () => {
    const largest = String((Number.MAX_SAFE_INTEGER - 1) / 2);
    const found = shown({ stream: 'order-Dalabkaaga-ß-注文', type: 'Amar', position: largest, revision: '4294967296' });
    expect(found?.event).to.include({ stream: 'order-Dalabkaaga-ß-注文', type: 'Amar', revision: 2 ** 32 });
    expect(found?.position).to.equal(Number.MAX_SAFE_INTEGER);
    expect(() => shown({ position: String(2 ** 53) })).to.throw(RangeError, /position/);
  });

  it('hide non-objects and filtered events, and report their position', () => {
    const hidden = [
      { contentType: 'application/octet-stream' },
      { data: json([1, 2]) },
      { data: Buffer.from('{"cut":') },
      { data: Buffer.alloc(0) },
    ];
    for (const given of hidden) expect(shown(given)).to.have.keys('position', 'bytes');
    const leftOut = decoded(readMessage(bytesOf(eventMessage())), (stream) => stream !== 'order-7');
    expect(leftOut).to.deep.equal({ position: 2 * 4711 + 1, bytes: json(order).length });
  });

  it('return an event without our metadata with what the server knows', () => {
    for (const given of [Buffer.alloc(0), json({})])
      expect(shown({ meta: given })?.event?.meta).to.deep.equal({
        at: new Date(1_700_000_000_123).toISOString(),
        actor: { type: 'system' },
        correlationId: ID,
      });
  });

  it('report checkpoints, the end of the history, and unknown messages', () => {
    const checkpoint = new ReadResp.Checkpoint();
    checkpoint.setCommitPosition('9000000000');
    const at = new ReadResp();
    at.setCheckpoint(checkpoint);
    expect(readMessage(bytesOf(at)).checkpoint).to.deep.equal({ commit: 9_000_000_000, prepare: 0 });
    const caughtUp = new ReadResp();
    caughtUp.setCaughtUp(new ReadResp.CaughtUp());
    expect(readMessage(bytesOf(caughtUp)).caughtUp).to.equal(true);
    const fellBehind = new ReadResp();
    fellBehind.setFellBehind(new ReadResp.FellBehind());
    const last = new ReadResp();
    last.setLastStreamPosition('12');
    const nothing = { event: undefined, checkpoint: undefined, caughtUp: false };
    for (const message of [fellBehind, last, new ReadResp()])
      expect(readMessage(bytesOf(message))).to.deep.equal(nothing);
  });

  it('skip a link without a target, and follow any other', () => {
    const link = recorded({ stream: '$ce-order', type: '$>' });
    const gone = new ReadResp.ReadEvent();
    gone.setLink(link);
    const message = new ReadResp();
    message.setEvent(gone);
    expect(decoded(readMessage(bytesOf(message)), () => true)).to.equal(undefined);
    gone.setEvent(recorded());
    expect(decoded(readMessage(bytesOf(message)), () => true)?.event?.stream).to.equal('order-7');
  });

  it('ignore fields that a newer server may add', () => {
    // Field 15 is a number, 16 is text, 17 and 18 have a fixed length. They come before and after the known fields.
    const added = Buffer.from([
      ...[15 << 3, 0xff, 0x01],
      ...[0x82, 0x01, 2, 65, 66],
      ...[0x89, 0x01, 1, 2, 3, 4, 5, 6, 7, 8],
      ...[0x95, 0x01, 1, 2, 3, 4],
    ]);
    const known = bytesOf(eventMessage());
    for (const bytes of [Buffer.concat([added, known]), Buffer.concat([known, added])])
      expect(decoded(readMessage(bytes), () => true)?.event?.data).to.deep.equal(order);
  });

  it('are rejected when truncated anywhere, which ends only their call', () => {
    const whole = bytesOf(eventMessage());
    for (let length = 1; length < whole.length; length += 1)
      expect(() => readMessage(whole.subarray(0, length)), `${length} bytes`).to.throw(RangeError);
    expect(() => readMessage(Buffer.alloc(20, 0xff))).to.throw(RangeError);
  });
});
