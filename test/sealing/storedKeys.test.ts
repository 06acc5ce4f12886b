import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import { appendSurely } from '../../engine/commandHandler/appending.js';
import { type EventData, StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { PersonVault } from '../../engine/ports/personVault.js';
import { boxesIn } from '../../engine/sealing/sealedData.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { type LateStore, lateStore } from '../support/doubles/lateStore.js';
import { personal, type SealedLog, sealedLog } from './sealingStage.js';

const PHONES = ['+252611000001', '+252611000002'];
const events = new Map([
  ['Listed', personal('each', { numbers: { items: { 'x-personal': 'phone' } } })],
  ['Started', personal('stream', { customer: { properties: { phone: { 'x-personal': 'phone' } } }, note: 'text' })],
]);
let made = 0;
const event = (type: string, data: object): EventData => ({
  id: derivedId('stored keys', ++made),
  type,
  data,
  meta: { at: '2025-03-01T10:00:00.000Z', actor: { type: 'system' }, correlationId: 'r', workspaceId: 'store-1' },
});
const listed = (): EventData => event('Listed', { numbers: PHONES });

describe('keys used for encryption', () => {
  let log: SealedLog;
  let late: LateStore<PersonVault>;
  beforeEach(async () => {
    log = await sealedLog(events, undefined, (vault) => {
      late = lateStore(vault);
      return late.store;
    });
    await log.people.keyed('the secret of lookups is there');
  });
  afterEach(() => log.close());

  /** Reads with the vault's keys alone, as after a restart. */
  const readable = async () => (await log.reads().readAll(-1)).events.map(({ data }) => data);
  const boxes = async () => (await log.raw.readAll(-1)).events.flatMap(({ data }) => boxesIn(data) ?? []);

  it('are in the vault when a command is repeated after the vault rejected its new lookups', async () => {
    late.failBefore('add');
    const list = listed();
    await appendSurely(log.store, 'numberList-1', -1, [list]);
    expect(await readable()).to.deep.equal([list.data]);
  });

  it('are those that the vault stored when it failed after writing', async () => {
    late.failAfter('add');
    const list = listed();
    await appendSurely(log.store, 'numberList-1', -1, [list]);
    expect(await readable()).to.deep.equal([list.data]);
    expect(await log.people.everyone('store-1', PHONES[0]!)).to.have.length(1);
  });

  it('are never shared from a command whose keys are not yet in the vault', async () => {
    const current = late.hold('add');
    const first = failureOf(log.store.append('numberList-1', 'noStream', [listed()]));
    const add = await current;
    const started = event('Started', { customer: { phone: PHONES[0] } });
    await log.store.append('conversation-1', 'noStream', [started]);
    expect(await readable()).to.deep.equal([started.data]);
    add.fail();
    expect(await first).to.be.instanceOf(StoreUnavailable);
    expect(await readable()).to.deep.equal([started.data]);
  });

  it('are all in the vault, also for a list that a second command uses while the first one waits', async () => {
    const current = late.hold('add');
    const first = log.store.append('numberList-1', 'noStream', [listed()]);
    const add = await current;
    await log.store.append('numberList-2', 'noStream', [listed()]);
    const keys = await log.vault.keys((await boxes()).map(([, person]) => person));
    expect(keys.size).to.equal(PHONES.length);
    await add.answer();
    await first;
    expect(await readable()).to.have.length(2);
  });

  it('are new if the vault did not store an anonymous subject', async () => {
    late.failBefore('add');
    const started = event('Started', { customer: {}, note: 'call me' });
    expect(await failureOf(log.store.append('conversation-1', 'noStream', [started]))).to.be.instanceOf(
      StoreUnavailable,
    );
    await log.store.append('conversation-1', 'noStream', [started]);
    expect(await readable()).to.deep.equal([started.data]);
  });
});
