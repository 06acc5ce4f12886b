/** One delivery of the channel that arrives twice, at two instances over one slow event log. */
import { expect } from 'chai';
import { createContacts } from '../../application/channel/contacts.js';
import { createInbound } from '../../application/channel/inbound.js';
import { members } from '../../domain/access/members.js';
import { putTeam } from '../../domain/access/teams.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { mergeAway } from '../../domain/channel/conversationRouting.js';
import { derivedId } from '../../domain/ids.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import { forgetfulSnapshots } from '../../engine/ports/snapshots.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';
import { lateStore } from '../support/doubles/lateStore.js';
import { type MemoryLog, memoryLog } from '../support/spec/memoryLog.js';

const NUMBER = {
  ...{ workspaceId: '00000000-0000-4000-8000-0000000000a1', numberId: 'n1', phoneNumberId: '111' },
  ...{ displayPhoneNumber: '+252610000000', businessAccountId: 'b1', catalogId: 'c1' },
};
const ASHA: ChannelCustomer = { userId: 'SO.12345', phone: '+252615550101' };
const queue = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 } as const;
const team = (name: string) => ({ name, color: 'chart-1', members: [], queue, workingHours: null }) as const;

const delivery = (id: string, customer = ASHA, sentAt = '2026-03-01T08:00:00Z') => ({
  malformed: 0,
  numbers: [
    {
      ...{ phoneNumberId: NUMBER.phoneNumberId, statuses: [], calls: [], newPhones: [], notices: [] },
      messages: [{ channelMessageId: id, sentAt, customer, content: { type: 'text' as const, text: 'hello' } }],
    },
  ],
});

describe('a message delivered to two instances', () => {
  let log: MemoryLog;
  let clock: FakeClock;
  let drawn: number;
  beforeEach(() => {
    log = memoryLog();
    clock = fakeClock();
    drawn = 0;
  });

  function instance(eventStore: EventStore) {
    const commands = createCommandHandler({ eventStore, snapshots: forgetfulSnapshots, clock, sharedStore: true });
    const newKey = () => derivedId('drawn', ++drawn);
    const receive = createInbound({
      numbers: { byPhoneNumberId: async () => NUMBER, byNumberId: async () => NUMBER },
      aliases: { byPhone: async () => [] },
      ...{ commands, clock, contacts: createContacts({ commands, clock, newKey }) },
      storeOf: async () => ({ locale: 'en', open: true }),
      log: silentLog,
      count() {},
    });
    return { commands, receive };
  }
  const conversations = () => [
    ...new Set(log.events.map(({ stream }) => stream).filter((stream) => stream.startsWith('conversation-'))),
  ];
  const received = () =>
    log.events
      .filter(({ type }) => type === 'MessageReceived')
      .map(({ data }) => (data as { channelMessageId: string }).channelMessageId);

  it('of a new customer creates one customer and one conversation, which receives later messages', async () => {
    const late = lateStore<EventStore>(log);
    const [slow, other] = [instance(late.store), instance(log)];
    // Both instances have read that the user id and the phone are free. The slow one appends second.
    const current = [late.hold('append'), late.hold('append')];
    const first = slow.receive(delivery('wamid.1'), 'r1');
    await current[0];
    await other.receive(delivery('wamid.1'), 'r2');
    for (const append of current) void append.then((one) => one.answer());
    await first;
    const keys = log.events
      .filter(({ type }) => type === 'CustomerKnown')
      .map(({ data }) => (data as { key: string }).key);
    expect(new Set(keys).size).to.equal(1);
    expect(log.events.some(({ type }) => type === 'CustomerMoved')).to.equal(false);
    expect(conversations()).to.have.length(1);
    await clock.advance(3_600_000);
    await slow.receive(delivery('wamid.2'), 'r3');
    await other.receive(delivery('wamid.3'), 'r4');
    expect(conversations()).to.have.length(1);
    expect(received()).to.deep.equal(['wamid.1', 'wamid.2', 'wamid.3']);
  });

  it('creates one customer also on one instance if an unanswered append reaches the log late', async () => {
    const late = lateStore<EventStore>(log);
    const { receive } = instance(late.store);
    const current = late.hold('append');
    const first = receive(delivery('wamid.1', { userId: 'SO.12345' }), 'r1').catch((error) => error.name);
    const append = await current;
    late.failBefore('append');
    late.failBefore('append');
    append.fail();
    expect(await first).to.equal('StoreUnavailable');
    const again = late.hold('append');
    const second = receive(delivery('wamid.1', { userId: 'SO.12345' }), 'r1');
    const repeated = await again;
    await append.takeEffect();
    await repeated.answer();
    await second;
    await instance(log).receive(delivery('wamid.2', { userId: 'SO.12345' }), 'r2');
    expect(conversations()).to.have.length(1);
    expect(received()).to.deep.equal(['wamid.1', 'wamid.2']);
  });

  it('is stored once also if two customers were merged in between', async () => {
    const { receive } = instance(log);
    const [phone, userId] = ['+252615550101', 'SO.12345'];
    const cart = delivery('wamid.2', { phone });
    await receive(delivery('wamid.1', { userId }), 'r1');
    await receive(cart, 'r2');
    await clock.advance(61_000);
    await receive(delivery('wamid.3', { userId, phone }), 'r3');
    await clock.advance(61_000);
    await receive(cart, 'r2');
    expect(received()).to.deep.equal(['wamid.1', 'wamid.2', 'wamid.3']);
  });

  it('is stored once also by an instance that has not yet read the merge of two customers', async () => {
    const [one, other] = [instance(log), instance(log)];
    const [phone, userId] = ['+252615550101', 'SO.12345'];
    const cart = delivery('wamid.2', { phone });
    await other.receive(delivery('wamid.1', { userId }), 'r1');
    await one.receive(cart, 'r2');
    // From here on the instance has the customer cached.
    await one.receive(delivery('wamid.2b', { phone }), 'r2');
    await other.receive(delivery('wamid.3', { userId, phone }), 'r3');
    const [survivor, merged] = conversations().map((stream) => stream.slice('conversation-'.length));
    const by = { actor: { type: 'system' }, correlationId: 'r', workspaceId: NUMBER.workspaceId } as const;
    await other.commands.decide({ ...by, commandId: 'merge' }, conversation, merged!, mergeAway(survivor));
    await one.receive(cart, 'r2');
    await one.receive(delivery('wamid.4', { phone }), 'r4');
    expect(received()).to.deep.equal(['wamid.1', 'wamid.2', 'wamid.2b', 'wamid.3', 'wamid.4']);
    expect(log.events.at(-1)!.stream).to.equal(`conversation-${survivor}`);
  });

  it('has one deadline for its menu, whichever instance handles it', async () => {
    const late = lateStore<EventStore>(log);
    const [slow, other] = [instance(late.store), instance(log)];
    for (const [at, name] of ['Sales', 'Service'].entries())
      await other.commands.decide(
        { commandId: `team ${at}`, actor: { type: 'system' }, correlationId: 'r', workspaceId: NUMBER.workspaceId },
        members,
        NUMBER.workspaceId,
        putTeam(team(name), derivedId('team', name)),
      );
    // The slow instance appends its conversation second, with an earlier deadline.
    const current = late.hold('append');
    const behind = slow.receive(delivery('wamid.1', { phone: '+252615550102' }), 'r1');
    let append = await current;
    for (; !String(append.args[0]).startsWith('conversation-'); ) {
      const next = late.hold('append');
      await append.answer();
      append = await next;
    }
    await clock.advance(30);
    await other.receive(delivery('wamid.1', { phone: '+252615550102' }), 'r2');
    await append.answer();
    await behind;
    const offered = log.events.filter(({ type }) => type === 'RoutingMenuOffered');
    expect(offered).to.have.length(1);
    const { stream: requested, data } = offered[0]!;
    const deadlineAt = ({ commands }: ReturnType<typeof instance>) =>
      commands.query(conversation, requested.slice('conversation-'.length), ({ menu }) => menu?.deadline);
    const { deadline } = data as { deadline: string };
    expect([await deadlineAt(slow), await deadlineAt(other)]).to.deep.equal([deadline, deadline]);
  });
});
