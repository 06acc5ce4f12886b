/** Large, unfinished, concurrent and interrupted appends of the protocol endpoint's clients. */
import { randomUUID } from 'node:crypto';
import { ANY, binaryEvent, jsonEvent, MaxAppendSizeExceededError, StreamNotFoundError } from '@eventstore/db-client';
import type { AppendResp, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServiceError, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { failureOf } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import {
  appendEvent,
  appendOptions,
  batchPart,
  outcomeOf,
  rawStreams,
  type WireEvent,
} from '../support/protocol/endpointWire.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const LIMIT = 1_048_576;
const bytes = (size: number) => binaryEvent({ type: 'Bytes', data: Buffer.alloc(size, 7) });
const noted = (): WireEvent => ({ id: randomUUID() });

describe('protocol endpoint: large, partial, concurrent and interrupted appends', () => {
  let stage: EndpointStage;
  let wire: ReturnType<typeof rawStreams>;
  before(async () => {
    stage = await endpointStage();
    wire = rawStreams(stage.address);
  });
  after(async () => {
    wire.close();
    await stage.close();
  });

  const revisions = async (stream: string): Promise<number[]> => {
    const seen: number[] = [];
    for await (const { event } of stage.client.readStream(stream)) seen.push(Number(event!.revision));
    return seen;
  };
  /** One BatchAppend call and its answers. */
  const batch = () => {
    const answers: BatchAppendResp[] = [];
    const call = wire.batchAppend();
    let ended: number | undefined;
    call.on('data', (answer: BatchAppendResp) => answers.push(answer));
    call.on('error', () => {});
    call.on('status', ({ code }) => {
      ended = code;
    });
    return {
      call,
      answers,
      get ended() {
        return ended;
      },
      answered: (count: number) => until(`${count} answers`, () => answers.length >= count),
    };
  };

  it('one append accepts 1,048,576 bytes of data, and not one more', async () => {
    await stage.client.appendToStream('size-1', bytes(LIMIT));
    expect(await failureOf(stage.client.appendToStream('size-2', bytes(LIMIT + 1)))).to.be.instanceOf(
      MaxAppendSizeExceededError,
    );
    const halves = [bytes(LIMIT / 2), bytes(LIMIT / 2 + 1)];
    expect(await failureOf(stage.client.appendToStream('size-2', halves))).to.be.instanceOf(MaxAppendSizeExceededError);
    expect(await failureOf(revisions('size-2'))).to.be.instanceOf(StreamNotFoundError);
  });

  it('a thousand concurrent appends are all written once, in the order of each stream', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        stage.client.appendToStream(`many-${n % 10}`, jsonEvent({ type: 'Noted', data: { n } }), {
          expectedRevision: ANY,
        }),
      ),
    );
    expect(new Set(answers.map(({ position }) => position!.commit)).size).to.equal(1_000);
    for (let stream = 0; stream < 10; stream += 1) {
      const events = await stage.store.readStream(`many-${stream}`);
      expect(events.map(({ revision }) => revision)).to.deep.equal(Array.from({ length: 100 }, (_, n) => n));
      expect(events.map(({ data }) => (data as { n: number }).n)).to.deep.equal(
        Array.from({ length: 100 }, (_, n) => n * 10 + stream),
      );
    }
  });

  it('a thousand events in one append are one commit', async () => {
    const events = Array.from({ length: 1_000 }, (_, n) => jsonEvent({ type: 'Noted', data: { n } }));
    expect((await stage.client.appendToStream('long-1', events)).nextExpectedRevision).to.equal(999n);
    expect(await revisions('long-1')).to.have.length(1_000);
  });

  it('many clients are served concurrently with the store’s own appends', async () => {
    const clients = Array.from({ length: 10 }, () => stage.connect());
    const own = Promise.all(
      Array.from({ length: 200 }, () =>
        stage.store.append('own-1', 'any', [
          {
            id: randomUUID(),
            type: 'Own',
            data: {},
            meta: { at: '2026-11-21T10:00:00.000Z', actor: { type: 'system' }, correlationId: 'c' } as never,
          },
        ]),
      ),
    );
    await Promise.all(
      clients.flatMap((client) =>
        Array.from({ length: 50 }, () => client.appendToStream('shared-1', jsonEvent({ type: 'Noted', data: {} }))),
      ),
    );
    await own;
    expect(await revisions('shared-1')).to.have.length(500);
    expect(await stage.store.readStream('own-1')).to.have.length(200);
  });

  describe('a batch append in parts', () => {
    it('is written completely with its last part', async () => {
      const { call, answers, answered } = batch();
      const id = randomUUID();
      call.write(batchPart(id, [noted(), noted()], false, 'parts-1'));
      const other = randomUUID();
      call.write(batchPart(other, [noted()], true, 'parts-2'));
      await answered(1);
      expect(await failureOf(revisions('parts-1'))).to.be.instanceOf(StreamNotFoundError);
      call.write(batchPart(id, [noted()], true));
      await answered(2);
      expect(answers.map(outcomeOf)).to.deep.equal(['success 0', 'success 2']);
      expect(await revisions('parts-1')).to.deep.equal([0, 1, 2]);
      call.end();
    });

    it('times out when the last part does not arrive, and nothing of it is written', async () => {
      const { call, answers, answered } = batch();
      const id = randomUUID();
      call.write(batchPart(id, [noted()], false, 'late-1'));
      await answered(1);
      expect(answers.map(outcomeOf)).to.deep.equal(['Timeout']);
      call.write(batchPart(id, [noted()], true));
      call.write(batchPart(randomUUID(), [noted()], true, 'late-2'));
      await answered(2);
      expect(answers.map(outcomeOf)).to.deep.equal(['Timeout', 'success 0']);
      expect(await failureOf(revisions('late-1'))).to.be.instanceOf(StreamNotFoundError);
      call.end();
    });

    it('is rejected when a hundred others of its call are unfinished', async () => {
      const { call, answers, answered } = batch();
      for (let n = 0; n <= 100; n += 1) call.write(batchPart(randomUUID(), [noted()], false, `begun-${n}`));
      await answered(1);
      expect(answers[0]!.getError()!.getCode()).to.equal(status.RESOURCE_EXHAUSTED);
      call.cancel();
    });
  });

  it('a malformed append is answered once, and the call continues', async () => {
    const { call, answers, answered } = batch();
    call.write(batchPart(randomUUID(), [{ id: 'no uuid' }], true, 'odd-1'));
    call.write(batchPart(randomUUID(), [{ id: randomUUID(), type: '' }], true, 'odd-1'));
    call.write(batchPart(randomUUID(), [noted()], true, 'odd-1'));
    await answered(3);
    expect(answers.map(outcomeOf)).to.deep.equal(['BadRequest', 'BadRequest', 'success 0']);
    call.end();
  });

  it('invalid bytes end their own call only, after its earlier responses', async () => {
    const answers: Buffer[] = [];
    const call = wire.makeBidiStreamRequest<Buffer, Buffer>(
      '/event_store.client.streams.Streams/BatchAppend',
      (sent) => sent,
      (received) => received,
    );
    const ended = new Promise<number>((resolve) => call.on('status', ({ code }) => resolve(code)));
    call.on('data', (answer: Buffer) => answers.push(answer)).on('error', () => {});
    call.write(Buffer.from(batchPart(randomUUID(), [noted()], true, 'junk-1').serializeBinary()));
    await until('the answer', () => answers.length === 1);
    for (const part of [batchPart(randomUUID(), [{ id: 'no uuid' }], true, 'junk-1').serializeBinary(), [0xff, 0xff]])
      call.write(Buffer.from(part));
    expect(await ended).to.equal(status.UNKNOWN);
    expect(await revisions('junk-1')).to.deep.equal([0]);
  });

  it('a half-closed call ends when everything is answered', async () => {
    const one = batch();
    for (let n = 0; n < 20; n += 1) one.call.write(batchPart(randomUUID(), [noted()], true, `closing-${n}`));
    one.call.end();
    await until('the end', () => one.ended !== undefined);
    expect(one.answers.map(outcomeOf)).to.deep.equal(Array.from({ length: 20 }, () => 'success 0'));
    expect(one.ended).to.equal(status.OK);
  });

  it('an interrupted append leaves nothing', async () => {
    const failed = new Promise<ServiceError | null>((resolve) => {
      const call = wire.append((error: ServiceError | null, _answer?: AppendResp) => resolve(error));
      call.write(appendOptions('cut-1'));
      for (let n = 0; n < 100; n += 1) call.write(appendEvent(noted()));
      call.write(appendEvent(noted()), () => setImmediate(() => call.cancel()));
    });
    expect((await failed)?.code).to.equal(status.CANCELLED);
    const { call, answers, answered } = batch();
    call.write(batchPart(randomUUID(), [noted()], false, 'cut-2'));
    call.write(batchPart(randomUUID(), [noted()], true, 'whole-1'));
    await answered(1);
    call.cancel();
    expect(answers.map(outcomeOf)).to.deep.equal(['success 0']);
    // Written after anything that the interrupted appends may have left.
    await stage.client.appendToStream('after-1', jsonEvent({ type: 'Noted', data: {} }));
    for (const stream of ['cut-1', 'cut-2'])
      expect(await failureOf(revisions(stream)), stream).to.be.instanceOf(StreamNotFoundError);
  });

  it('a client that sends and does not read fills only its own call', async () => {
    const deaf = wire.batchAppend();
    deaf.on('error', () => {});
    deaf.pause();
    for (let n = 0; n < 3_000; n += 1) deaf.write(batchPart(randomUUID(), [noted()], true, 'deaf-1'));
    const answer = await stage.client.appendToStream('heard-1', jsonEvent({ type: 'Noted', data: {} }));
    expect(answer.nextExpectedRevision).to.equal(0n);
    deaf.cancel();
  });
});
