/** Reads of $all through the protocol endpoint: directions, positions, filters. */
import { randomUUID } from 'node:crypto';
import { BACKWARDS, binaryEvent, END, jsonEvent } from '@eventstore/db-client';
import { expect } from 'chai';
import { regexOf } from '../../infrastructure/eventstoreEndpoint/reading/dotnetRegex.js';
import { type RawFilter, type RawRead, readRaw } from '../support/protocol/endpointReads.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

describe('protocol endpoint: reads of $all', () => {
  let stage: EndpointStage;
  const write = (stream: string, type: string, count: number) =>
    stage.client.appendToStream(
      stream,
      Array.from({ length: count }, (_, n) => jsonEvent({ id: randomUUID(), type, data: { n } })),
    );
  /** Positions 1 to 6, after the server's own event. */
  before(async () => {
    stage = await endpointStage();
    await write('order-1', 'OrderPlaced', 3);
    await write('cart-7', 'CartOpened', 2);
    await write('order-1', 'OrderPaid', 1);
  });
  after(() => stage.close());

  const EVERY = ['$$$scavenges/0', 'order-1/0', 'order-1/1', 'order-1/2', 'cart-7/0', 'cart-7/1', 'order-1/3'];
  const ORDERS = EVERY.filter((place) => place.startsWith('order'));
  const raw = (read: RawRead) => readRaw(stage.address, { count: 1_000, ...read });
  const through = (filter: RawFilter, more: RawRead = {}) => raw({ filter, ...more });

  describe('directions and positions', () => {
    it('forwards from the start, backwards from the end', async () => {
      expect(await raw({})).to.deep.equal(EVERY);
      expect(await raw({ backwards: true, from: 'end' })).to.deep.equal(EVERY.toReversed());
      expect(await raw({ from: 'end' })).to.deep.equal([]);
      expect(await raw({ backwards: true })).to.deep.equal([]);
    });

    it('a position is included forwards, and excluded backwards', async () => {
      expect(await raw({ from: 3 })).to.deep.equal(EVERY.slice(3));
      expect(await raw({ from: 3, backwards: true })).to.deep.equal(EVERY.slice(0, 3).toReversed());
    });

    it('an append returns the position of its last event', async () => {
      const { position } = await write('later-1', 'Later', 2);
      expect(await raw({ from: String(position!.commit) })).to.deep.equal(['later-1/1']);
      await stage.client.tombstoneStream('later-1');
    });

    it('a count limits the result; a count of 0 returns nothing', async () => {
      expect(await raw({ from: 1, count: 2 })).to.deep.equal(EVERY.slice(1, 3));
      expect(await raw({ count: 0 })).to.deep.equal([]);
    });

    it('beyond the end: nothing forwards, an error backwards; invalid positions are errors too', async () => {
      expect(await raw({ from: 2 ** 50 })).to.deep.equal([]);
      expect(await raw({ from: 2 ** 50, backwards: true })).to.deep.equal(['UNKNOWN: Unexpected ReadAllResult: Error']);
      expect((await raw({ from: { commit: 1, prepare: 2 } })).join()).to.match(/^UNKNOWN: the prepare position/);
      expect((await raw({ from: '9223372036854775808' })).join()).to.match(/^UNKNOWN: 9223372036854775808 is larger/);
    });

    it("the client's own reads, with positions", async () => {
      const seen = [];
      for await (const { event } of stage.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 2 }))
        seen.push(event!.position);
      expect(seen).to.deep.equal([
        { commit: 8n + 1n, prepare: 8n + 1n },
        { commit: 8n, prepare: 8n },
      ]);
    });
  });

  describe('filters', () => {
    it('by prefixes of the stream or of the type', async () => {
      expect(await through({ on: 'stream', prefixes: ['order-'] })).to.deep.equal(ORDERS);
      expect(await through({ on: 'stream', prefixes: ['cart', 'order-1'] })).to.deep.equal(EVERY.slice(1));
      expect(await through({ on: 'type', prefixes: ['OrderPa', 'Cart'] })).to.deep.equal(EVERY.slice(4));
      expect(await through({ on: 'type', prefixes: ['Nothing'] })).to.deep.equal([]);
      expect(await through({ on: 'type' })).to.deep.equal([]);
    });

    it('by a regular expression on the stream or on the type', async () => {
      expect(await through({ on: 'stream', regex: '^(order|cart)-1$' })).to.deep.equal(ORDERS);
      expect(await through({ on: 'type', regex: 'Op' })).to.deep.equal(['cart-7/0', 'cart-7/1']);
      expect(await through({ on: 'stream', regex: '^ORDER' })).to.deep.equal([]);
      expect(await through({ on: 'stream', regex: '(?i)^ORDER' })).to.deep.equal(ORDERS);
    });

    it('backwards, from a position, and with a count of matching events', async () => {
      const orders: RawFilter = { on: 'stream', prefixes: ['order'] };
      expect(await through(orders, { backwards: true, from: 'end' })).to.deep.equal(ORDERS.toReversed());
      expect(await through(orders, { from: 3 })).to.deep.equal(['order-1/2', 'order-1/3']);
      expect(await through(orders, { from: 2, count: 3 })).to.deep.equal(['order-1/1', 'order-1/2', 'order-1/3']);
    });

    it('without system events, as the client requests it', async () => {
      await stage.client.setStreamMetadata('order-1', { maxCount: 100 });
      expect(await through({ on: 'type', regex: '^[^$].*' })).to.not.include('$$order-1/0');
    });

    it('a link is filtered by its own name and type, and followed on request', async () => {
      await stage.client.appendToStream('links', binaryEvent({ type: '$>', data: Buffer.from('1@cart-7') }));
      await stage.client.appendToStream('links', binaryEvent({ type: '$>', data: Buffer.from('9@cart-7') }));
      expect(await through({ on: 'stream', prefixes: ['links'] }, { links: true })).to.deep.equal([
        'cart-7/1 via links/0',
        'none via links/1',
      ]);
      expect(await through({ on: 'stream', prefixes: ['links'] })).to.deep.equal(['links/0', 'links/1']);
      expect(await through({ on: 'type', prefixes: ['Cart'] }, { links: true })).to.deep.equal([
        'cart-7/0',
        'cart-7/1',
      ]);
    });

    it('invalid filters are rejected', async () => {
      expect((await through({ on: 'stream', regex: '(' })).join()).to.match(/^UNKNOWN: .*regular expression/);
      expect((await through({ on: 'stream', regex: 'a'.repeat(5_000) })).join()).to.match(/^INVALID_ARGUMENT: /);
      expect((await through({ on: 'stream', prefixes: ['a'], window: 0 })).join()).to.match(
        /^INVALID_ARGUMENT: .*window/,
      );
    });

    it('an endless expression is stopped, while other requests are answered', async () => {
      await write(`${'a'.repeat(60)}!`, 'Trap', 1);
      const [trapped, others] = await Promise.all([
        through({ on: 'stream', regex: '^(a+)+$' }),
        through({ on: 'type', prefixes: ['CartOpened'] }),
      ]);
      expect(trapped.at(-1)).to.match(/^RESOURCE_EXHAUSTED: .*too long/);
      expect(others).to.have.length(2);
    });
  });

  describe('deletions', () => {
    it('deleted, truncated and tombstoned events stay, and deletions are events themselves', async () => {
      const { position } = await write('soft', 'Noted', 2);
      await stage.client.deleteStream('soft');
      await write('hard', 'Noted', 1);
      await stage.client.tombstoneStream('hard');
      expect(await raw({ from: String(position!.commit) })).to.deep.equal([
        'soft/1',
        '$$soft/0',
        'hard/0',
        'hard/9223372036854775807',
      ]);
    });
  });
});

describe('protocol endpoint: regular expressions of .NET', () => {
  const matches = (source: string, text: string): boolean => {
    const regex = regexOf(source);
    if (regex instanceof Error) throw regex;
    return regex.test(text);
  };

  it('translates anchors, options and escapes to JavaScript', () => {
    expect(matches('\\Aorder\\z', 'order')).to.equal(true);
    expect(matches('\\Aorder\\z', 'an order')).to.equal(false);
    expect(matches('order\\Z', 'order\n')).to.equal(true);
    expect(matches('(?i)^ORDER', 'order')).to.equal(true);
    expect(matches('order\\ \\#1', 'order #1')).to.equal(true);
    expect(matches('^\\p{Lu}\\p{Ll}+$', 'Ñandú')).to.equal(true);
    expect(matches('^\\$>$', '$>')).to.equal(true);
    expect(matches('^(?<kind>\\w+)-\\k<kind>$', 'a-a')).to.equal(true);
  });

  it('rejects what has no counterpart', () => {
    for (const source of ['(?x)a b', '\\Ga', '(', '(?>a+)b', '[a'])
      expect(regexOf(source), source).to.be.instanceOf(Error);
  });
});
