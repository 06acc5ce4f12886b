import { expect } from 'chai';
import { customerStreamId } from '../../application/channel/customerIdentity.js';
import { Retaining } from '../../application/privacy/retentionWalks.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { derivedId } from '../../domain/ids.js';
import { DEFAULT_RULE, retention, setRetention } from '../../domain/privacy/retention.js';
import { ClockEvidence } from '../../engine/clockEvidence.js';
import { numberListPhones } from '../../projections/numberLists.js';
import { stores } from '../../projections/stores.js';
import { commandsOf } from '../../service/composition/privacy/erasureWatch.js';
import { settle, until } from '../support/doubles/fakeClock.js';
import { DAY, type ForgettingStage, forgettingStage } from '../support/privacy/forgettingStage.js';
import { given } from '../support/spec/given.js';

const HOUR = 3_600_000;
const [ASHA, BILE, CAWO, DEEQ] = ['+252615550101', '+252615550102', '+252615550103', '+252615550104'];
const [SHOP, OTHER] = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2'];

describe('a retention rule for customers', () => {
  it('is stored once, and has whole days within limits', () => {
    given(retention)
      .when(setRetention(30))
      .then([{ type: 'RetentionSet', data: { days: 30 } }]);
    given(retention, { type: 'RetentionSet', data: { days: 30 } })
      .when(setRetention(30))
      .then([]);
    given(retention, { type: 'RetentionSet', data: { days: 30 } })
      .when(setRetention('forever'))
      .then([{ type: 'RetentionSet', data: {} }]);
    for (const days of [29, 0, -1, 30.5, 36_501, Number.NaN])
      given(retention).when(setRetention(days)).thenRefused('validation_failed');
  });
});

describe('inactive customers', () => {
  let stage: ForgettingStage;
  beforeEach(async () => {
    stage = await forgettingStage();
    await stage.store(SHOP);
    await stage.store(OTHER);
  });
  afterEach(() => stage.close());

  /** Advances the clock day by day, and waits for the read models each day. */
  async function pass(ms: number): Promise<void> {
    for (let rest = ms; rest > 0; rest -= DAY) {
      await stage.stage.shown();
      await stage.clock.advance(Math.min(rest, DAY));
      await settle(50);
    }
  }
  async function take(of?: string) {
    await stage.stage.shown();
    return stage.retaining.take(commandsOf(stage.stage.commands), { of });
  }

  it('are erased after the configured days to the millisecond, with the rule logged', async () => {
    await stage.writes(SHOP, { phone: ASHA });
    await stage.clock.advance(1);
    await stage.writes(SHOP, { phone: BILE });
    await stage.rule(40);
    await pass(40 * DAY - 2);
    expect(await take()).to.deep.equal({ stores: [], more: false });
    await stage.clock.advance(1);
    expect(await stage.retaining.wouldTake()).to.deep.equal({
      stores: [{ workspaceId: SHOP, days: 40, customers: 1 }],
      more: false,
    });
    expect(await stage.known(SHOP, ASHA, BILE), 'a dry run forgets nobody').to.deep.equal([true, true]);
    await take();
    expect(await stage.known(SHOP, ASHA, BILE)).to.deep.equal([false, true]);
    const [text, ...more] = await stage.forgotten();
    expect(more).to.deep.equal([]);
    expect(text!.data).to.include({ rule: 'default', days: 40 });
    expect(text!.meta.actor).to.deep.equal({ type: 'system' });
    expect(text!.meta.workspaceId).to.equal(SHOP);
    expect(await stage.underWay()).to.equal(0);
  });

  it('are kept if they write again during the search', async () => {
    await stage.writes(SHOP, { phone: ASHA });
    await stage.clock.advance(1);
    await stage.writes(SHOP, { phone: BILE });
    await stage.rule(40);
    await stage.clock.advance(41 * DAY);
    await stage.stage.shown();
    const { everyone } = stage.people;
    // The check has already found Asha.
    stage.people.everyone = async (store, value) => {
      if (value === BILE) await stage.writes(SHOP, { phone: ASHA }, 'I am back');
      return everyone(store, value);
    };
    const shown = (): Promise<unknown> => stage.stage.shown();
    await stage.retaining.take(commandsOf(stage.stage.commands), { shown });
    expect(await stage.known(SHOP, ASHA, BILE)).to.deep.equal([true, false]);
  });

  it('are erased by a timer, which starts an hour after the rule and runs once a day', async () => {
    await stage.writes(SHOP, { phone: ASHA });
    await stage.clock.advance(50 * DAY);
    await stage.writes(SHOP, { phone: BILE });
    await stage.stage.shown();
    await stage.rule(30);
    await stage.start();
    await stage.clock.advance(HOUR - 1);
    await settle(50);
    expect(await stage.known(SHOP, ASHA)).to.deep.equal([true]);
    await stage.clock.advance(1);
    await until('Asha is erased', async () => !(await stage.known(SHOP, ASHA))[0]);
    expect(await stage.known(SHOP, BILE)).to.deep.equal([true]);
    for (let day = 0; day < 31 && (await stage.known(SHOP, BILE))[0]; day += 1) {
      await until('nothing is in progress', async () => (await stage.underWay()) === 0);
      await pass(DAY);
    }
    await until('Bile is erased', async () => !(await stage.known(SHOP, BILE))[0]);
  });

  it('are not erased after one start with a wrong clock, and are after a second check with the right one', async () => {
    await stage.writes(SHOP, { phone: ASHA });
    await stage.rule(730);
    await stage.stage.shown();
    const { clock } = stage;
    const written = clock.now();
    await clock.set(800 * DAY);
    await stage.start({ clock: { ...clock, evidence: new ClockEvidence(clock, [written]) } });
    await clock.advance(55 * 60_000);
    await settle(50);
    expect(await stage.known(SHOP, ASHA)).to.deep.equal([true]);
    await clock.set(-800 * DAY);
    for (let hours = 0; hours < 3; hours += 1) await clock.advance(HOUR);
    await settle(50);
    expect(await stage.known(SHOP, ASHA), 'the clock was set right').to.deep.equal([true]);
    // The clock is right again, after 800 days without activity.
    await clock.set(800 * DAY);
    for (let hours = 0; hours < 26; hours += 1) await clock.advance(HOUR);
    await until('Asha is erased', async () => !(await stage.known(SHOP, ASHA))[0]);
  });

  it('are kept while an order or a snoozed conversation is open, and for the full period afterwards', async () => {
    const order = await stage.orders(SHOP, ASHA);
    const unpaid = await stage.orders(SHOP, BILE);
    await stage.moved(SHOP, unpaid, 'new', 'awaiting_payment');
    const resting = await stage.writes(SHOP, { phone: CAWO });
    await stage.happens(SHOP, resting, 'ConversationStatusChanged', {
      ...{ from: 'open', status: 'snoozed', until: new Date(stage.clock.now() + 200 * DAY).toISOString() },
    });
    await stage.writes(SHOP, { phone: DEEQ });
    await stage.rule(30);
    await pass(100 * DAY);
    await take();
    expect(await stage.known(SHOP, ASHA, BILE, CAWO, DEEQ)).to.deep.equal([true, true, true, false]);
    await stage.moved(SHOP, order, 'preparing', 'delivered');
    await pass(30 * DAY - 1);
    await take();
    expect(await stage.known(SHOP, ASHA)).to.deep.equal([true]);
    await stage.clock.advance(1);
    await take();
    expect(await stage.known(SHOP, ASHA, BILE, CAWO)).to.deep.equal([false, true, true]);
  });

  it('stay inactive when software sends messages, but not when a member writes', async () => {
    const [one, two] = [await stage.writes(SHOP, { phone: ASHA }), await stage.writes(SHOP, { phone: BILE })];
    await stage.rule(30);
    await pass(29 * DAY);
    const queued = (phone: string) => ({ numberId: 'n', to: { phone }, content: { type: 'text', text: 'Sale!' } });
    await stage.happens(SHOP, one, 'MessageQueued', { ...queued(ASHA), messageId: 'm1' });
    await stage.happens(SHOP, two, 'MessageQueued', { ...queued(BILE), messageId: 'm2', sentByMemberId: 'member-1' });
    await pass(DAY);
    await take();
    expect(await stage.known(SHOP, ASHA, BILE)).to.deep.equal([false, true]);
  });

  it("of two stores are erased by each store's rule, and never in one without a rule", async () => {
    for (const shop of [SHOP, OTHER]) await stage.writes(shop, { phone: ASHA });
    await stage.rule(30);
    await stage.rule(60, OTHER);
    await pass(45 * DAY);
    await take();
    expect(await stage.known(SHOP, ASHA)).to.deep.equal([false]);
    expect(await stage.known(OTHER, ASHA)).to.deep.equal([true]);
    await stage.rule('forever', OTHER);
    await pass(100 * DAY);
    await take();
    expect(await stage.known(OTHER, ASHA)).to.deep.equal([true]);
    await stage.rule(90, OTHER);
    expect((await take()).stores).to.deep.equal([{ workspaceId: OTHER, days: 90, customers: 1 }]);
    const text = (await stage.forgotten()).map(({ data }) => (data as { rule: string }).rule);
    expect(text).to.deep.equal(['default', 'store']);
  });

  it('of one store are erased by its rule, and those of others stay', async () => {
    for (const shop of [SHOP, OTHER]) await stage.writes(shop, { phone: ASHA });
    await stage.rule(30);
    await pass(31 * DAY);
    const took = { stores: [{ workspaceId: SHOP, days: 30, customers: 1 }], more: false };
    expect(await stage.retaining.wouldTake({ of: SHOP })).to.deep.equal(took);
    expect(await take(SHOP)).to.deep.equal(took);
    expect([...(await stage.known(SHOP, ASHA)), ...(await stage.known(OTHER, ASHA))]).to.deep.equal([false, true]);
    expect((await stage.forgotten()).at(-1)!.data).to.include({ rule: 'default', days: 30 });
    await stage.rule(60, OTHER);
    expect((await take(OTHER)).stores, 'its own rule takes the place of the default').to.deep.equal([]);
    await pass(30 * DAY);
    expect((await take(OTHER)).stores).to.deep.equal([{ workspaceId: OTHER, days: 60, customers: 1 }]);
    expect((await stage.forgotten()).at(-1)!.data).to.include({ rule: 'store', days: 60 });
  });

  it('of stores with their own rule are not affected by the default, nor the others by those rules', async () => {
    for (const shop of [SHOP, OTHER]) await stage.writes(shop, { phone: ASHA });
    await stage.rule(30);
    await stage.rule(40, OTHER);
    await pass(50 * DAY);
    expect((await take(DEFAULT_RULE)).stores).to.deep.equal([{ workspaceId: SHOP, days: 30, customers: 1 }]);
    expect(await stage.known(OTHER, ASHA)).to.deep.equal([true]);
    await stage.rule('forever');
    expect((await take(DEFAULT_RULE)).stores).to.deep.equal([]);
    expect((await take(SHOP)).stores).to.deep.equal([]);
    expect((await take(OTHER)).stores).to.deep.equal([{ workspaceId: OTHER, days: 40, customers: 1 }]);
  });

  it('of one store are found without scanning the others', async () => {
    await stage.writes(OTHER, { phone: ASHA });
    await stage.rule(30);
    await pass(31 * DAY);
    await stage.stage.shown();
    const { reads, commands, work } = stage.stage;
    const walked: string[] = [];
    const find: typeof reads.find = (of, query) => {
      walked.push(of.name);
      return reads.find(of, query);
    };
    const { people, forgetting, clock } = stage;
    const retaining = new Retaining({ reads: { ...reads, find }, commands, people, forgetting, work, clock });
    expect((await retaining.wouldTake({ of: OTHER })).stores).to.have.length(1);
    expect(walked).not.to.include(stores.name);
  });

  it('are found by a user id too, and by an older order only without newer activity', async () => {
    await stage.writes(SHOP, { userId: 'user-of-nobody-else' });
    const order = await stage.orders(SHOP, BILE);
    await stage.moved(SHOP, order, 'preparing', 'delivered');
    await stage.rule(30, SHOP);
    await pass(29 * DAY);
    await stage.writes(SHOP, { phone: BILE });
    await pass(2 * DAY);
    await take();
    expect(await stage.known(SHOP, 'user-of-nobody-else', BILE)).to.deep.equal([false, true]);
    await pass(28 * DAY);
    await take();
    expect(await stage.known(SHOP, BILE)).to.deep.equal([false]);
  });

  it('are kept for an order under a phone they gave to another number of the store', async () => {
    const numbers = ['n1', 'n2'].map((name) => derivedId('number', name));
    for (const [at, numberId] of numbers.entries())
      await stage.happens(SHOP, `store-${SHOP}`, 'ChannelNumberConnected', {
        ...{ numberId, phoneNumberId: `p${at}`, businessAccountId: 'b', displayPhone: '+252610000000', catalogId: 'c' },
      });
    const user = 'user-with-two-numbers';
    await stage.happens(SHOP, `customer-${customerStreamId(SHOP, 'user', user)}`, 'CustomerKnown', {
      ...{ kind: 'user', key: user },
    });
    for (const [numberId, customer] of [
      [numbers[0]!, { userId: user }],
      [numbers[1]!, { userId: user, phone: CAWO }],
    ] as const)
      await stage.happens(SHOP, `conversation-${conversationOfKey(numberId, user)}`, 'ConversationStarted', {
        ...{ numberId, customer, contact: { contactId: derivedId('contact', user), language: 'en' } },
      });
    const order = await stage.orders(SHOP, CAWO);
    await stage.rule(30);
    await pass(100 * DAY);
    await take();
    expect(await stage.known(SHOP, user, CAWO)).to.deep.equal([true, true]);
    await stage.moved(SHOP, order, 'new', 'cancelled');
    await pass(30 * DAY);
    await take();
    expect(await stage.known(SHOP, user, CAWO)).to.deep.equal([false, false]);
  });

  it('are erased if they are only on a number list, so many days after they were added', async () => {
    const list = `numberList-${derivedId('list', SHOP)}`;
    const terms = { name: 'Regulars', kind: 'uploaded' };
    await stage.happens(SHOP, list, 'NumberListCreated', { ...terms, phones: [ASHA, BILE, CAWO] });
    await stage.rule(30);
    await pass(20 * DAY);
    const revised = (added: string[], removed: string[]) =>
      stage.happens(SHOP, list, 'NumberListRevised', { changes: {}, before: {}, added, removed });
    await revised([DEEQ], [BILE, CAWO]);
    await revised([CAWO], []);
    await pass(10 * DAY - 1);
    expect((await take()).stores).to.deep.equal([]);
    await stage.clock.advance(1);
    expect((await take()).stores).to.deep.equal([{ workspaceId: SHOP, days: 30, customers: 2 }]);
    expect(
      await stage.known(SHOP, ASHA, BILE, CAWO, DEEQ),
      'who left the list is in the log too; who came back is new',
    ).to.deep.equal([false, false, true, true]);
    await until('the lists are rebuilt', async () => {
      const shown = await stage.stage.reads.get(numberListPhones, list.slice('numberList-'.length));
      return shown !== undefined && !shown.body.includes(ASHA);
    });
    await pass(20 * DAY);
    expect((await take()).stores).to.deep.equal([{ workspaceId: SHOP, days: 30, customers: 2 }]);
  });

  it('are kept if they were recently added to a list', async () => {
    await stage.writes(SHOP, { phone: ASHA });
    await stage.rule(30);
    await pass(29 * DAY);
    await stage.happens(SHOP, `numberList-${derivedId('list', SHOP)}`, 'NumberListCreated', {
      ...{ name: 'Regulars', kind: 'uploaded', phones: [ASHA] },
    });
    await pass(DAY);
    expect((await take()).stores).to.deep.equal([]);
    await pass(29 * DAY);
    expect((await take()).stores).to.deep.equal([{ workspaceId: SHOP, days: 30, customers: 1 }]);
  });

  it('are counted for a rule before it is set', async () => {
    for (const phone of [ASHA, BILE]) await stage.writes(SHOP, { phone });
    await stage.writes(OTHER, { phone: ASHA });
    await pass(50 * DAY);
    await stage.stage.shown();
    const would = (of: string, days: number) => stage.retaining.wouldTake({ of, days }).then(({ stores }) => stores);
    expect((await would(DEFAULT_RULE, 50)).map(({ customers }) => customers).sort()).to.deep.equal([1, 2]);
    expect(await would(SHOP, 50)).to.deep.equal([{ workspaceId: SHOP, days: 50, customers: 2 }]);
    expect(await would(SHOP, 51)).to.deep.equal([]);
    expect(await stage.known(SHOP, ASHA, BILE)).to.deep.equal([true, true]);
  });
});
