/** The EventStoreDB adapter and the maximum append size: what counts, where the limit is, and the error beyond it. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { expect } from 'chai';
import { type EventData, type EventStore, PayloadTooLarge, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { checkSize, countedBy, installedBytes } from '../../infrastructure/eventstoredb/appendLimit.js';
import { appendLimitOf, openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { limitsIn } from '../../infrastructure/eventstoredb/serverOptions.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { type SizedNode, type SizedNodeOptions, sizedNode } from '../support/doubles/sizedNode.js';
import { readTranscripts, vectorFile } from '../support/protocol/vectorRun.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const MOST = 20_000;
const TOLD = [
  { name: 'MaxAppendSize', value: String(MOST) },
  { name: 'MaxAppendEventSize', value: '2147483647' },
];

describe('EventStoreDB adapter, sizes', () => {
  const { stream, event } = freshNames();
  let stage: EndpointStage;
  let node: SizedNode | undefined;
  let store: EventStore | undefined;
  before(async () => {
    stage = await endpointStage();
  });
  afterEach(async () => {
    await store?.close();
    await node?.close();
    store = node = undefined;
  });
  after(() => stage.close());

  async function opened(options: SizedNodeOptions, mostBytes?: number) {
    node = await sizedNode(stage.address, options);
    const open = await openEventStoreDb(`esdb://${node.address}?tls=false`, {
      timeoutMs: 3_000,
      ...(mostBytes !== undefined && { mostBytes }),
    });
    store = open;
    return { node, store: open };
  }

  /** An event of that many bytes in all, as 24.10 counts. */
  function ofSize(label: string, bytes: number): EventData {
    const empty = event(label, { text: '' });
    const around = JSON.stringify(empty.data).length + JSON.stringify(empty.meta).length + 2 * empty.type.length;
    return { ...empty, data: { text: 'x'.repeat(bytes - around) } };
  }

  it('counts data, metadata and types on 24.10, to the byte, before anything is sent', async () => {
    const { store, node } = await opened({ version: '24.10.0', most: MOST, options: TOLD });
    expect(store.limit).to.deep.equal({ bytes: MOST, eventBytes: 2_147_483_647, counts: 'all', isReported: true });
    const s = stream();
    const [a, b] = [ofSize('half1', MOST / 2), ofSize('half2', MOST / 2)];
    const over = await failureOf(store.append(s, 'noStream', [a, ofSize('over', MOST / 2 + 1)]));
    expect(over).to.be.instanceOf(PayloadTooLarge);
    expect((over as Error).message).to.contain(`${MOST + 1} bytes of data, metadata and types`);
    expect(node.appends).to.deep.equal([]);
    expect((await store.append(s, 'noStream', [a, b])).revision).to.equal(1);
  });

  it('counts only data on 23.10', async () => {
    const { store } = await opened({ version: '23.10.8', most: MOST, options: TOLD });
    expect(store.limit.counts).to.equal('data');
    const large: EventData = { ...ofSize('data', MOST), type: 'x'.repeat(500) };
    expect((await store.append(stream(), 'noStream', [large])).revision).to.equal(0);
  });

  it('uses the lower of two limits, and the usual default if none is known', async () => {
    const url = (at: SizedNode) => `esdb://${at.address}?tls=false`;
    const reported = await sizedNode(stage.address, { version: '25.1.0', most: MOST, options: TOLD });
    const silent = await sizedNode(stage.address, { version: '25.0.0', most: MOST });
    expect(await appendLimitOf(url(reported), { mostBytes: 1_000 })).to.include({ bytes: 1_000, isReported: true });
    expect(await appendLimitOf(url(reported), { mostBytes: 99_000 })).to.include({ bytes: MOST, isReported: true });
    expect(await appendLimitOf(url(silent))).to.deep.equal({ bytes: 1_048_576, counts: 'all', isReported: false });
    expect(await appendLimitOf(url(silent), { mostBytes: 4_000_000 })).to.include({
      bytes: 4_000_000,
      isReported: false,
    });
    const large = await sizedNode(stage.address, { version: '25.1.0', most: MOST });
    expect(await appendLimitOf(url(large))).to.deep.equal({ bytes: 268_435_456, counts: 'all', isReported: false });
    await Promise.all([reported.close(), silent.close(), large.close()]);
  });

  it('reports the server’s own limit if it did not know it', async () => {
    const { store } = await opened({ version: '24.10.0', most: MOST });
    const error = (await failureOf(store.append(stream(), 'noStream', [ofSize('large', MOST + 1)]))) as Error;
    expect(error).to.be.instanceOf(PayloadTooLarge);
    expect(error.message).to.contain(`at most ${MOST} bytes`);
  });

  it('reports an event as too large that a server rejects alone', async () => {
    // Fields 1 to 3 of the message: the event's id, its size, and the maximum.
    const value = Uint8Array.from([0x0a, 1, 0x61, 0x10, 0xac, 0x02, 0x18, 0xc8, 0x01]);
    const type = 'event_store.client.MaximumAppendEventSizeExceeded';
    const refusal = { code: 3, message: 'MaximumAppendEventSizeExceeded', type, value };
    const { store } = await opened({ version: '25.1.0', most: MOST, refusal });
    const error = (await failureOf(store.append(stream(), 'noStream', [event('one')]))) as Error;
    expect(error).to.be.instanceOf(PayloadTooLarge);
    expect(error.message).to.match(/an event of 300 bytes .*\(MaxAppendEventSize, 200 bytes\)/);
  });

  const lasting: [string, NonNullable<SizedNodeOptions['refusal']>, RegExp][] = [
    [
      'a bad request',
      {
        code: 3,
        message: 'BadRequest',
        type: 'event_store.client.BadRequest',
        value: new shared.BadRequest().setMessage('no such thing').serializeBinary(),
      },
      /BadRequest: no such thing/,
    ],
    [
      'details that nobody knows',
      { code: 9, message: 'Frobnicated', type: 'event_store.client.Frobnicated', value: new Uint8Array() },
      /Frobnicated/,
    ],
    [
      'an unknown failure',
      { code: 2, message: 'Unknown', type: 'event_store.client.Unknown', value: new Uint8Array() },
      /Unknown/,
    ],
  ];
  for (const [what, refusal, words] of lasting)
    it(`fails an append at once that was rejected for ${what}, with the server's message`, async () => {
      const { store, node } = await opened({ version: '24.10.0', most: MOST, refusal });
      for (const expected of ['noStream', 'any'] as const) {
        const error = (await failureOf(store.append(stream(), expected, [event('one')]))) as Error;
        expect(error).not.to.be.instanceOf(StoreUnavailable);
        expect(error.message).to.match(words);
      }
      expect(node.appends).to.deep.equal([1, 1]);
    });

  it('knows the largest event that real servers accept, of the type Big, without metadata', () => {
    // test/vectors, append/size/limit-found, for 23.10.8; the same scenario on 24.10 gave 1,048,570.
    const recorded = readTranscripts(vectorFile('eventstoredb/recorded-23.10.8.json'))['append/size/limit-found'];
    const { largest } = recorded!.transcript as { largest: number };
    const fits = (version: string, bytes: number): boolean => {
      const one = { id: event('big').id, type: 'Big', data: new Uint8Array(bytes), meta: new Uint8Array() };
      try {
        checkSize('big-1', [one], { bytes: 1_048_576, counts: countedBy(version), isReported: true });
        return true;
      } catch {
        return false;
      }
    };
    expect([largest, largest + 1].map((bytes) => fits('23.10.8', bytes))).to.deep.equal([true, false]);
    expect([1_048_570, 1_048_571].map((bytes) => fits('24.10.0', bytes))).to.deep.equal([true, false]);
  });

  it('knows by the version what is counted, and recognises a limit in any spelling', () => {
    expect(['22.10.1', '23.10.8', '5.0.11'].map(countedBy)).to.deep.equal(['data', 'data', 'data']);
    expect(['24.2.0', '24.10.0', '25.1.3', '100.0', ''].map(countedBy)).to.deep.equal(Array(5).fill('all'));
    expect(['23.10.8', '25.0.1', '', 'next'].map(installedBytes)).to.deep.equal(Array(4).fill(1_048_576));
    expect(['25.1.0', '25.10.2', '26.0'].map(installedBytes)).to.deep.equal(Array(3).fill(268_435_456));
    expect(limitsIn([{ name: 'max-append-size', value: '7' }])).to.deep.equal({ append: 7 });
    expect(limitsIn([{ name: 'MaxAppendSize', value: '1 MiB' }, { name: 7 }])).to.deep.equal({});
    expect(limitsIn({ name: 'MaxAppendSize', value: '7' })).to.deep.equal({});
  });
});
