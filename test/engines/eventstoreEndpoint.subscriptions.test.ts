/** Subscriptions to a stream through the protocol endpoint: history, the switch to live events, deletion while subscribed. */
import { randomUUID } from 'node:crypto';
import { binaryEvent, jsonEvent, StreamDeletedError } from '@eventstore/db-client';
import { expect } from 'chai';
import { until } from '../support/doubles/fakeClock.js';
import { type RawRead, Reading } from '../support/protocol/endpointReads.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

describe('protocol endpoint: subscriptions to a stream', () => {
  let stage: EndpointStage;
  let open: Reading[] = [];
  before(async () => {
    stage = await endpointStage();
  });
  afterEach(() => {
    for (const reading of open) reading.close();
    open = [];
  });
  after(() => stage.close());

  const write = (stream: string, count: number) =>
    stage.client.appendToStream(
      stream,
      Array.from({ length: count }, (_, n) => jsonEvent({ id: randomUUID(), type: 'Noted', data: { n } })),
    );
  const subscribe = (stream: string, more: RawRead = {}): Reading => {
    const reading = new Reading(stage.address, { stream, ...more });
    open.push(reading);
    return reading;
  };

  it('from the start: the history, then new events', async () => {
    await write('a', 3);
    const reading = subscribe('a');
    await reading.has('caught up');
    await write('a', 2);
    await reading.count(5);
    expect(reading.words).to.deep.equal(['confirmed', 'a/0', 'a/1', 'a/2', 'caught up', 'a/3', 'a/4']);
  });

  it('from a revision: later events, also future ones', async () => {
    await write('b', 4);
    const [middle, beyond] = [subscribe('b', { from: 1 }), subscribe('b', { from: 5 })];
    await middle.has('caught up');
    await beyond.has('caught up');
    await write('b', 4);
    await middle.count(6);
    await beyond.count(2);
    expect(middle.words).to.deep.equal(['confirmed', 'b/2', 'b/3', 'caught up', 'b/4', 'b/5', 'b/6', 'b/7']);
    expect(beyond.words).to.deep.equal(['confirmed', 'caught up', 'b/6', 'b/7']);
  });

  it('from the end: only new events', async () => {
    await write('c', 3);
    const reading = subscribe('c', { from: 'end' });
    await reading.has('caught up');
    await write('c', 1);
    await reading.count(1);
    expect(reading.words).to.deep.equal(['confirmed', 'caught up', 'c/3']);
  });

  it('to a missing stream: its first events once they are written', async () => {
    const [start, end] = [subscribe('d'), subscribe('d', { from: 'end' })];
    await start.has('confirmed');
    await end.has('caught up');
    await write('other', 1);
    await write('d', 2);
    await start.has('caught up');
    await end.count(2);
    expect(start.words).to.deep.equal(['confirmed', 'd/0', 'd/1', 'caught up']);
    expect(end.words).to.deep.equal(['confirmed', 'caught up', 'd/0', 'd/1']);
  });

  it('truncation affects the history, not new events', async () => {
    await write('e', 5);
    await stage.client.setStreamMetadata('e', { maxCount: 1 });
    const reading = subscribe('e');
    await reading.has('caught up');
    await write('e', 3);
    await reading.count(4);
    expect(reading.words).to.deep.equal(['confirmed', 'e/4', 'caught up', 'e/5', 'e/6', 'e/7']);
  });

  it('a soft deletion is not reported; events of the recreated stream follow', async () => {
    await write('f', 2);
    const reading = subscribe('f');
    await reading.has('caught up');
    await stage.client.deleteStream('f');
    const later = subscribe('f');
    await later.has('confirmed');
    await write('f', 1);
    await reading.count(3);
    await later.has('caught up');
    expect(reading.words).to.deep.equal(['confirmed', 'f/0', 'f/1', 'caught up', 'f/2']);
    expect(later.words).to.deep.equal(['confirmed', 'f/2', 'caught up']);
  });

  it('a tombstone is the last event, and ends the subscription; a new one is rejected', async () => {
    await write('g', 1);
    const [reading, unborn] = [subscribe('g'), subscribe('unborn')];
    await reading.has('caught up');
    await unborn.has('confirmed');
    await stage.client.tombstoneStream('g');
    await stage.client.tombstoneStream('unborn');
    expect(await reading.ended()).to.equal("FAILED_PRECONDITION: Event stream 'g' is deleted.");
    expect(reading.words.slice(2)).to.deep.equal(['caught up', 'g/9223372036854775807']);
    expect(await unborn.ended()).to.equal("FAILED_PRECONDITION: Event stream 'unborn' is deleted.");
    expect(await subscribe('g').ended()).to.match(/^FAILED_PRECONDITION/);
  });

  it('links are followed on request, in the history and live', async () => {
    await write('h', 2);
    const link = (target: string) =>
      stage.client.appendToStream('links', binaryEvent({ type: '$>', data: Buffer.from(target) }));
    await link('0@h');
    const [followed, plain] = [subscribe('links', { links: true }), subscribe('links')];
    await followed.has('caught up');
    await plain.has('caught up');
    await link('1@h');
    await link('7@h');
    await until('the links', () => followed.messages.length === 5 && plain.messages.length === 5);
    expect(followed.words.slice(1)).to.deep.equal([
      'h/0 via links/0',
      'caught up',
      'h/1 via links/1',
      'none via links/2',
    ]);
    expect(plain.words.slice(1)).to.deep.equal(['links/0', 'caught up', 'links/1', 'links/2']);
  });

  it('UUIDs have the requested form', async () => {
    await write('i', 1);
    const reading = subscribe('i', { uuid: 'structured' });
    await reading.count(1);
    expect(reading.events[0]!.getId()!.hasStructured()).to.equal(true);
  });

  it('backwards, filtered, or from an invalid position are rejected', async () => {
    const combination = /^INVALID_ARGUMENT: The combination of \(Stream, Subscription, \w+, \w+\) is invalid\.$/;
    expect(await subscribe('j', { backwards: true }).ended()).to.match(combination);
    expect(await subscribe('j', { filter: { on: 'type', prefixes: ['A'] } }).ended()).to.match(combination);
  });

  it("the client's subscription: confirmed, caught up, events, and an end when it unsubscribes", async () => {
    await write('k', 2);
    const subscription = stage.client.subscribeToStream('k', { fromRevision: 'start' });
    const reported: string[] = [];
    for (const notice of ['confirmation', 'caughtUp', 'end'] as const)
      subscription.on(notice, () => reported.push(notice));
    subscription.on('data', ({ event }) => reported.push(`event ${event!.revision}`));
    await until('the history', () => reported.includes('caughtUp'));
    await write('k', 1);
    await until('the new event', () => reported.includes('event 2'));
    await subscription.unsubscribe();
    await until('the end', () => reported.includes('end'));
    expect(reported.filter((notice) => notice.startsWith('event'))).to.deep.equal(['event 0', 'event 1', 'event 2']);
    expect(reported).to.include('confirmation');
  });

  it("the client's subscription to a tombstoned stream fails with StreamDeletedError", async () => {
    await write('l', 1);
    const subscription = stage.client.subscribeToStream('l', { fromRevision: 'start' });
    let failure: unknown;
    let caughtUp = false;
    subscription.on('caughtUp', () => {
      caughtUp = true;
    });
    subscription.on('error', (error) => {
      failure = error;
    });
    subscription.on('data', () => {});
    await until('the history', () => caughtUp);
    await stage.client.tombstoneStream('l');
    await until('the failure', () => failure !== undefined);
    expect(failure).to.be.instanceOf(StreamDeletedError);
  });
});
