import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EventMeta } from '../../domain/decider.js';
import { ERASED_PHONE } from '../../domain/erasure.js';
import { derivedId } from '../../domain/ids.js';
import { type EventData, WrongExpectedRevision } from '../../engine/ports/eventStore.js';
import { ERASED_TEXT } from '../../engine/sealing/erased.js';
import { People } from '../../engine/sealing/people.js';
import { BoxUnreadable, boxesIn } from '../../engine/sealing/sealedData.js';
import { sealing } from '../../engine/sealing/sealingStore.js';
import { VaultIncomplete, VaultMissing } from '../../engine/sealing/vaultErrors.js';
import { openedBy, requireVault } from '../../service/composition/privacy/vaults.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { personal, type SealedLog, sealedLog } from './sealingStage.js';

const PHONE = '+252611000001';
const OTHER = '+252611000002';
const NAME = 'Ayaan Warsame';
const STORE = 'store-1';
const customer = {
  properties: { phone: { 'x-personal': 'phone' }, userId: { 'x-personal': 'userId' }, name: { 'x-personal': 'name' } },
};
const events = new Map([
  ['Started', personal('stream', { customer, before: customer })],
  [
    'Said',
    personal('stream', {
      content: {
        anyOf: [
          { properties: { text: { 'x-personal': 'text' } } },
          {
            properties: {
              latitude: { 'x-personal': 'place' },
              contacts: { items: customer },
              fields: { 'x-personal': 'text' },
            },
          },
        ],
      },
    }),
  ],
  ['Placed', personal('stream', { customerPhone: 'phone', conversationId: 'derivedId' })],
  [
    'Hired',
    personal(
      (stream, { data }) =>
        (data as { id?: string }).id ? { space: stream, name: (data as { id: string }).id } : undefined,
      { email: 'email', name: 'name' },
    ),
  ],
  ['Listed', personal('each', { numbers: { items: { 'x-personal': 'phone' } } })],
]);

const meta: EventMeta = {
  at: '2025-03-01T10:00:00.000Z',
  actor: { type: 'system' },
  correlationId: 'r',
  workspaceId: STORE,
};
let made = 0;
const event = (type: string, data: object, more: Partial<EventMeta> = {}): EventData => ({
  id: derivedId('sealing', ++made),
  type,
  data,
  meta: { ...meta, ...more },
});

describe('encrypted log', () => {
  let log: SealedLog;
  beforeEach(async () => {
    log = await sealedLog(events);
  });
  afterEach(() => log.close());

  const started = event('Started', { customer: { phone: PHONE, name: NAME }, numberId: 'n' });
  const dataOf = async (stream: string) => (await log.store.readStream(stream)).map(({ data }) => data);
  const stored = async (stream: string) => (await log.raw.readStream(stream)).map(({ data }) => data);
  const owner = async (stream: string) =>
    (await log.raw.readStream(stream)).map(({ data }) => (boxesIn(data) ?? []).map(([, person]) => person));
  const inFiles = (text: string): boolean =>
    ['events.db', 'events.db-wal', 'vault.db', 'vault.db-wal'].some((file) =>
      readFileSync(join(log.folder, file)).includes(text),
    );

  it('stores no personal data in plain text, and reads it back', async () => {
    const text = event('Said', { content: { type: 'text', text: 'the green one, please' } });
    await log.store.append('conversation-1', 'noStream', [started, text]);
    expect(await dataOf('conversation-1')).to.deep.equal([started.data, text.data]);
    expect([PHONE, NAME, 'the green one'].map(inFiles)).to.deep.equal([false, false, false]);
    expect((await stored('conversation-1'))[0]).to.have.nested.property('customer.phone', null);
    expect(Object.keys((await dataOf('conversation-1'))[0]!)).to.deep.equal(['customer', 'numberId']);
  });

  it('keeps the positions of values of every type', async () => {
    const content = {
      type: 'x',
      latitude: 2.5,
      contacts: [{ name: 'A', phone: OTHER }, {}],
      fields: { a: [1, null, { b: '' }] },
    };
    await log.store.append('conversation-1', 'noStream', [started, event('Said', { content })]);
    const [, read] = await dataOf('conversation-1');
    expect(read).to.deep.equal({ content });
    // Recent writes are cached as text, so each reader gets its own object.
    const contentOf = (data: unknown) => (data as { content: { fields: object } }).content;
    const [, again] = await dataOf('conversation-1');
    expect(contentOf(read).fields).not.to.equal(contentOf(again).fields);
    expect(contentOf(read).fields).not.to.equal(content.fields);
  });

  it('leaves empty values and events without subject unchanged', async () => {
    const empty = event('Placed', { customerPhone: '', lines: [1] });
    await log.store.append('order-1', 'noStream', [empty, event('Unmarked', { a: 1 })]);
    expect(await stored('order-1')).to.deep.equal([{ customerPhone: '', lines: [1] }, { a: 1 }]);
  });

  it('identifies a subject by phone and user id, in each of their streams, within their store', async () => {
    await log.store.append('conversation-1', 'noStream', [
      event('Started', { customer: { phone: PHONE, userId: 'US.1' } }),
      event('Said', { content: { text: 'hello' } }),
    ]);
    await log.store.append('conversation-2', 'noStream', [event('Started', { customer: { userId: 'US.1' } })]);
    await log.store.append('order-1', 'noStream', [event('Placed', { customerPhone: PHONE })]);
    await log.store.append('order-2', 'noStream', [event('Placed', { customerPhone: '', conversationId: '2' })]);
    const [[one]] = (await owner('conversation-1')) as [[string]];
    for (const stream of ['conversation-1', 'conversation-2', 'order-1', 'order-2'])
      for (const persons of await owner(stream)) expect(persons, stream).to.deep.equal([one]);
    await log.store.append('order-3', 'noStream', [
      event('Placed', { customerPhone: PHONE }, { workspaceId: 'store-2' }),
    ]);
    expect((await owner('order-3'))[0]).not.to.deep.equal([one]);
  });

  it('continues with the subject of a stream after reopening', async () => {
    await log.store.append('conversation-1', 'noStream', [started]);
    log = await log.reopen();
    await log.store.append('conversation-1', 0, [event('Said', { content: { text: 'again' } })]);
    const [[one], [other]] = (await owner('conversation-1')) as [[string], [string]];
    expect(other).to.equal(one);
  });

  it('encrypts each number of a list for its own subject', async () => {
    await log.store.append('order-1', 'noStream', [event('Placed', { customerPhone: PHONE })]);
    await log.store.append('numberList-1', 'noStream', [event('Listed', { numbers: [PHONE, OTHER] })]);
    const [[one, other]] = (await owner('numberList-1')) as [[string, string]];
    expect([one]).to.deep.equal((await owner('order-1'))[0]);
    expect(other).not.to.equal(one);
    await log.forget(STORE, PHONE);
    expect(await dataOf('numberList-1')).to.deep.equal([{ numbers: [ERASED_PHONE, OTHER] }]);
  });

  it('encrypts subjects found by their own names, separately per namespace and from customers', async () => {
    const { store, raw } = log;
    const hired = (id: string | undefined, name: string) =>
      event('Hired', { ...(id && { id }), email: `${name}@a.b`, name });
    await store.append('members-1', 'any', [hired('m', 'Hodan'), hired('n', 'Geedi'), hired('m', 'Hodan Ali')]);
    await store.append('members-2', 'any', [hired('m', 'Other'), hired(undefined, 'nobody')]);
    const boxes = async (stream: string) => (await raw.readStream(stream)).map(({ data }) => boxesIn(data)?.[0]?.[1]);
    const [first, second, third] = await boxes('members-1');
    expect([first === third, first === second]).to.deep.equal([true, false]);
    const [elsewhere, clear] = await boxes('members-2');
    expect([elsewhere === first, clear]).to.deep.equal([false, undefined]);
    expect(JSON.stringify(await raw.readStream('members-1'))).not.to.match(/Hodan|Geedi/);
    expect(await log.forget('m', 'members-1')).to.deep.equal([]);
    expect(await log.forget('members-1', 'm')).to.deep.equal([first]);
    expect((await store.readStream('members-1')).map(({ data }) => data)).to.deep.equal([
      { id: 'm', email: 'erased@erased.invalid', name: '' },
      { id: 'n', email: 'Geedi@a.b', name: 'Geedi' },
      { id: 'm', email: 'erased@erased.invalid', name: '' },
    ]);
    expect((await store.readStream('members-2')).map(({ data }) => (data as { name: string }).name)).to.deep.equal([
      'Other',
      'nobody',
    ]);
  });

  it('encrypts the actor if it was the customer', async () => {
    const by = { actor: { type: 'customer', id: PHONE } } as const;
    await log.store.append('conversation-1', 'noStream', [event('Started', { customer: { phone: PHONE } }, by)]);
    await log.store.append('conversation-1', 0, [event('Unmarked', { a: 1 }, by)]);
    expect(inFiles(PHONE)).to.equal(false);
    expect((await log.store.readStream('conversation-1')).map((one) => one.meta)).to.deep.equal([
      { ...meta, ...by },
      { ...meta, ...by },
    ]);
    await log.forget(STORE, PHONE);
    expect((await log.store.readStream('conversation-1'))[1]!.meta.actor.id).to.match(/^erased-/);
  });

  it('encrypts the actor of each event of a command, and of the next actor there', async () => {
    const [one, other] = [PHONE, OTHER].map((id) => ({ ...meta, actor: { type: 'customer', id } }) as const);
    const textOf = (id: number, by: typeof one) => ({ ...event('Said', { content: { text: `${id}` } }), meta: by! });
    await log.store.append('conversation-1', 'noStream', [
      textOf(1, one),
      textOf(2, one),
      textOf(3, other),
      textOf(4, one),
    ]);
    await log.store.append('conversation-2', 'noStream', [textOf(5, other)]);
    expect([inFiles(PHONE), inFiles(OTHER)]).to.deep.equal([false, false]);
    for (const from of [log.store, log.reads()]) {
      const actors = async (stream: string) => (await from.readStream(stream)).map((read) => read.meta.actor.id);
      expect(await actors('conversation-1')).to.deep.equal([PHONE, PHONE, OTHER, PHONE]);
      expect(await actors('conversation-2')).to.deep.equal([OTHER]);
    }
    expect([one!.actor.id, other!.actor.id]).to.deep.equal([PHONE, OTHER]);
  });

  it('returns an erased subject without data; others stay', async () => {
    await log.store.append('conversation-1', 'noStream', [
      started,
      event('Said', { content: { text: 'hello', latitude: 2 } }),
    ]);
    await log.store.append('order-9', 'noStream', [event('Placed', { customerPhone: OTHER })]);
    const reader = log.reads();
    for (const one of [reader, log.store])
      expect((await one.readStream('conversation-1'))[0]!.data).to.deep.equal(started.data);
    expect(await log.forget(STORE, PHONE)).to.have.length(1);
    const expected = [
      { customer: { phone: ERASED_PHONE, name: '' }, numberId: 'n' },
      { content: { text: ERASED_TEXT, latitude: 0 } },
    ];
    expect(await dataOf('conversation-1')).to.deep.equal(expected);
    expect((await reader.readStream('conversation-1')).map(({ data }) => data)).to.deep.equal(expected);
    expect(await dataOf('order-9')).to.deep.equal([{ customerPhone: OTHER }]);
    expect(await log.forget(STORE, PHONE)).to.deep.equal([]);
  });

  it('treats a subject who returns as a new one', async () => {
    await log.store.append('conversation-1', 'noStream', [started]);
    await log.forget(STORE, PHONE);
    await log.store.append('conversation-1', 0, [event('Started', { customer: { phone: PHONE } })]);
    expect(await dataOf('conversation-1')).to.deep.equal([
      { customer: { phone: ERASED_PHONE, name: '' }, numberId: 'n' },
      { customer: { phone: PHONE } },
    ]);
  });

  it('gives one key to a subject who appears in many concurrent requests', async () => {
    const streams = Array.from({ length: 50 }, (_, at) => `order-${at}`);
    await Promise.all(
      streams.map((stream) => log.store.append(stream, 'noStream', [event('Placed', { customerPhone: PHONE })])),
    );
    const persons = new Set((await Promise.all(streams.map(owner))).flat(2));
    expect(persons.size).to.equal(1);
  });

  it('continues with the subject of a stream that another instance started at the same moment', async () => {
    const text = event('Said', { content: { text: 'from elsewhere' } });
    await log.store.append('conversation-1', 'noStream', [text]);
    const [[theirs]] = (await owner('conversation-1')) as [[string]];
    const another = sealing(log.raw, { ...log.parts, people: new People(log.vault, log.box, log.parts.ring) });
    const mine = event('Said', { content: { text: 'from here' } });
    expect(await failureOf(another.append('conversation-1', 'noStream', [mine]))).to.be.instanceOf(
      WrongExpectedRevision,
    );
    await another.append('conversation-1', 0, [mine]);
    expect(await owner('conversation-1')).to.deep.equal([[theirs], [theirs]]);
  });

  it('does not mistake a lost vault for erased subjects', async () => {
    await log.store.append('conversation-1', 'noStream', [started]);
    const other = await sealedLog(events);
    const [one] = await log.raw.readStream('conversation-1');
    await other.raw.append('conversation-1', 'noStream', [one!]);
    expect(await failureOf(other.store.readStream('conversation-1'))).to.be.instanceOf(VaultIncomplete);
    await other.close();
  });

  it('is not opened with a new vault in place of a lost one, except an older log', async () => {
    const lost = { file: join(log.folder, 'nothing.db') };
    await log.store.append('order-1', 'noStream', [event('Unmarked', { a: 1 })]);
    await requireVault(log.raw, lost);
    await log.store.append('conversation-1', 'noStream', [started]);
    expect(await failureOf(requireVault(log.raw, lost))).to.be.instanceOf(VaultMissing);
    await requireVault(log.raw, { file: join(log.folder, 'vault.db') });
  });

  it('is not opened if a reader cannot open the vault', async () => {
    const file = join(log.folder, 'broken.db');
    writeFileSync(file, 'no database '.repeat(500));
    let closed = 0;
    const reads = {
      ...log.reads(),
      async close() {
        closed += 1;
      },
    };
    expect(await failureOf(openedBy(reads, { place: { file } }))).to.be.an('error');
    expect(closed).to.equal(1);
  });

  it('decrypts nothing that was changed or moved to another event', async () => {
    await log.store.append('conversation-1', 'noStream', [started]);
    const [one] = await log.raw.readStream('conversation-1');
    const [version, person, places, box] = boxesIn(one!.data)![0]!;
    const changed = [
      [version, person, places.replace('name s', 'text s'), box],
      [version, person, places, `${box.slice(0, -4)}${box.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`],
      ['2', person, places, box],
    ];
    for (const [at, boxes] of changed.entries()) {
      await log.raw.append(`copy-${at}`, 'noStream', [{ ...one!, data: { ...one!.data, '~sealed': [boxes] } }]);
      expect(await failureOf(log.store.readStream(`copy-${at}`)), String(at)).to.be.instanceOf(BoxUnreadable);
    }
    await log.raw.append('copy-a', 'noStream', [{ ...one!, id: derivedId('elsewhere') }]);
    expect(await failureOf(log.store.readStream('copy-a'))).to.be.instanceOf(BoxUnreadable);
  });

  it('delivers decrypted events to a subscriber, in order', async () => {
    await log.store.append('conversation-1', 'noStream', [started]);
    const seen: object[] = [];
    const reads = log.reads();
    await new Promise<void>((resolve) => {
      const subscription = reads.subscribe(
        -1,
        {},
        {
          batch: (batch) => void seen.push(...batch.map(({ data }) => data)),
          caughtUp: () => void subscription.stop().then(resolve),
        },
      );
    });
    expect(seen).to.deep.equal([started.data]);
  });
});
