import { expect } from 'chai';
import { updateStatus } from '../../domain/channel/conversationSending.js';
import { type OutboxStage, outboxStage } from '../support/outboxStage.js';

const SECOND = 1_000;

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
    await stage.start(stage.processors.clock.now());
  }

  it('sends nothing twice of which a status comes soon after the start', async () => {
    await killedWhileSending();
    await stage.queue('b', 'two');
    await stage.pass('what is new is sent at once', 10, () => stage.sent.length === 1);
    const at = new Date(stage.processors.clock.now()).toISOString();
    await stage.decide(
      'status',
      updateStatus({ messageId: 'a', channelMessageId: 'wamid.first', status: 'delivered', at }),
    );
    await stage.pass('nothing is owed', SECOND, async () => (await stage.processors.owed('outbox')) === 0);
    expect(stage.sent.map(({ messageId }) => messageId)).to.deep.equal(['b']);
  });

  it('sends again what nobody tells of, a few seconds later', async () => {
    await killedWhileSending();
    const begin = stage.processors.clock.now();
    await stage.pass('it is sent', 500, () => stage.sent.length === 1);
    expect(stage.sent[0]).to.include({ messageId: 'a' });
    expect(stage.sent[0]!.at - begin).to.be.within(5 * SECOND, 10 * SECOND);
  });
});
