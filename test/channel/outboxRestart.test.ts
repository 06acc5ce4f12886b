import { expect } from 'chai';
import { updateStatus } from '../../domain/channel/conversationSending.js';
import { StorageFull } from '../../engine/ports/eventStore.js';
import { type HandLeases, handLeases } from '../support/doubles/handLeases.js';
import { type OutboxStage, outboxStage } from '../support/stages/outboxStage.js';

const SECOND = 1_000;
const HOUR = 3_600_000;

describe('outbox after a crash', () => {
  let stage: OutboxStage;
  beforeEach(async () => {
    stage = await outboxStage();
  });
  afterEach(() => stage.close());

  /** The channel takes `a` in the moment of the kill; then another process begins. */
  async function killedWhileSending() {
    stage.play = () => 'hang';
    const first = await stage.start();
    await stage.queue('a');
    await stage.pass('the channel has it', 10, () => stage.sent.length === 1);
    first.crash();
    stage.play = () => undefined;
    stage.sent.length = 0;
    await stage.processors.clock.advance(SECOND);
    await stage.start();
  }

  it('resends nothing whose status arrives soon after the start', async () => {
    await killedWhileSending();
    await stage.queue('b', 'two');
    await stage.pass('what is new is sent at once', 10, () => stage.sent.length === 1);
    const at = new Date(stage.processors.clock.now()).toISOString();
    await stage.decide(
      'status',
      updateStatus({ messageId: 'a', channelMessageId: 'wamid.first', status: 'delivered', at }),
    );
    await stage.pass('nothing is pending', SECOND, async () => (await stage.processors.pending('outbox')) === 0);
    expect(stage.sent.map(({ messageId }) => messageId)).to.deep.equal(['b']);
  });

  it('waits for a status just as long if an instance takes over that started long before', async () => {
    const owners = [handLeases(), handLeases(10)] as const;
    const takeOver = async (by: HandLeases): Promise<void> => {
      await by.take('shard:00');
      await by.take('processor:outbox');
      await stage.processors.clock.advance(SECOND);
    };
    stage.play = () => 'hang';
    const first = await stage.start({ leases: owners[0], shards: 1 });
    await stage.start({ leases: owners[1], shards: 1 });
    await takeOver(owners[0]);
    await stage.processors.clock.advance(60 * SECOND);
    await stage.queue('a');
    await stage.pass('the channel has it', 10, () => stage.sent.length === 1);
    first.crash();
    stage.play = () => undefined;
    stage.sent.length = 0;
    await stage.processors.clock.advance(10 * SECOND);
    const begin = stage.processors.clock.now();
    await takeOver(owners[1]);
    await stage.pass('it is sent', 500, () => stage.sent.length === 1);
    expect(stage.sent[0]).to.include({ messageId: 'a' });
    expect(stage.sent[0]!.at - begin).to.be.within(5 * SECOND, 10 * SECOND);
  });

  it('does not wait longer if it took over with a clock that was ahead and has been corrected', async () => {
    await stage.processors.clock.set(3 * HOUR);
    await stage.start();
    await stage.processors.clock.advance(SECOND);
    await stage.processors.clock.set(-3 * HOUR);
    const begin = stage.processors.clock.now();
    await stage.queue('a');
    await stage.pass('it is sent', 500, () => stage.sent.length === 1);
    expect(stage.sent[0]!.at - begin).to.be.within(0, 10 * SECOND);
  });

  it('resends after a few seconds if no status arrives', async () => {
    await killedWhileSending();
    const begin = stage.processors.clock.now();
    await stage.pass('it is sent', 500, () => stage.sent.length === 1);
    expect(stage.sent[0]).to.include({ messageId: 'a' });
    expect(stage.sent[0]!.at - begin).to.be.within(5 * SECOND, 10 * SECOND);
  });
});

describe('outbox when the event store accepts no writes', () => {
  let stage: OutboxStage;
  let isFull = false;
  beforeEach(async () => {
    stage = await outboxStage();
    const { eventStore } = stage.processors;
    const { append } = eventStore;
    isFull = false;
    eventStore.append = (...args) =>
      isFull ? Promise.reject(new StorageFull('no room')) : append.apply(eventStore, args);
    // In the moment in which the channel has taken a message.
    stage.play = () => {
      isFull = true;
      return undefined;
    };
  });
  afterEach(() => stage.close());

  async function sentAndNotRecorded() {
    const running = await stage.start();
    await stage.queue('a');
    await stage.pass('the channel has it', 10, () => stage.sent.length === 1);
    await stage.processors.clock.advance(180 * SECOND);
    return running;
  }
  async function recorded() {
    isFull = false;
    await stage.pass('nothing is pending', SECOND, async () => (await stage.processors.pending('outbox')) === 0);
    expect(await stage.fate('a')).to.deep.include({ type: 'MessageAccepted' });
    expect((await stage.fate('a'))!.data).to.include({ channelMessageId: 'wamid.a.1' });
    expect(stage.sent).to.have.lengthOf(1);
  }

  it('sends a message once, and records it when it can', async () => {
    await sentAndNotRecorded();
    await recorded();
  });

  it('records it after a restart, and resends nothing', async () => {
    (await sentAndNotRecorded()).crash();
    await stage.start();
    await stage.processors.clock.advance(60 * SECOND);
    await recorded();
  });
});
