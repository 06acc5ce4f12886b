/** Changes of a conversation while one of its messages is being sent. */
import { expect } from 'chai';
import { receiveMessages } from '../../domain/channel/conversationReceiving.js';
import { updateStatus } from '../../domain/channel/conversationSending.js';
import { ERASED_PHONE } from '../../domain/erasure.js';
import { NUMBER } from '../support/stages/channelStage.js';
import { type OutboxStage, outboxStage, refusal } from '../support/stages/outboxStage.js';

const SECOND = 1_000;
const HOUR = 3_600_000;
const FILE = 'f11e0000-0000-4000-8000-000000000001';

describe('outbox: changes while a message is being sent', () => {
  let stage: OutboxStage;
  beforeEach(async () => {
    stage = await outboxStage();
    stage.files.set(FILE, { name: 'price.pdf', mimeType: 'application/pdf', size: 1 } as never);
  });
  afterEach(() => stage.close());

  /** Records a message of the customer, sent `ago` ms ago. */
  function writes(messageId: string, ago = 0): Promise<unknown> {
    const sentAt = new Date(stage.processors.clock.now() - ago).toISOString();
    const customer = { phone: '+252615550101' };
    const content = { type: 'text', text: messageId } as const;
    const message = { messageId, channelMessageId: `wamid.${messageId}`, sentAt, content, customer };
    return stage.decide(messageId, receiveMessages({ numberId: NUMBER.numberId, messages: [message] }));
  }
  const file = { type: 'document', fileId: FILE, mimeType: 'application/pdf', text: '' } as const;

  it('retries within the window that the customer opened during the attempt', async () => {
    await writes('yesterday', 24 * HOUR - SECOND);
    stage.play = async () => {
      stage.play = () => undefined;
      await writes('is it ready?');
      return refusal('timeout');
    };
    await stage.start();
    await stage.queue('ready');
    await stage.pass('the customer has it', SECOND, async () => (await stage.fate('ready')) !== undefined);
    expect(await stage.fate('ready')).to.include({ type: 'MessageAccepted' });
  });

  it('does so also if the upload of its file fails', async () => {
    await writes('yesterday', 24 * HOUR - SECOND);
    stage.uploadTroubles.push(refusal('timeout'));
    stage.duringUpload = async () => {
      stage.duringUpload = async () => undefined;
      await writes('and the price list?');
    };
    await stage.start();
    await stage.queue('list', 'one', file);
    await stage.pass('the customer has it', SECOND, async () => (await stage.fate('list')) !== undefined);
    expect(await stage.fate('list')).to.include({ type: 'MessageAccepted' });
  });

  it('sends nothing to a customer who was erased during the upload', async () => {
    stage.duringUpload = async () => stage.forgotten.add('one');
    await stage.start();
    await stage.queue('list', 'one', file);
    await stage.pass('it has failed', 10, async () => (await stage.fate('list')) !== undefined);
    expect(await stage.fate('list')).to.deep.include({ type: 'MessageFailed' });
    expect(stage.sent).to.deep.equal([]);
  });

  it('sends nothing from a member to an erased customer', async () => {
    await stage.start();
    await stage.queue('late', 'one', undefined, { to: { phone: ERASED_PHONE, name: '' } });
    await stage.pass('it has failed', 10, async () => (await stage.fate('late')) !== undefined);
    expect(await stage.fate('late')).to.have.nested.property('data.errorCode', 'customer_forgotten');
    expect(stage.sent).to.deep.equal([]);
  });

  it('resends nothing whose status arrives during the upload', async () => {
    stage.duringUpload = () => {
      const at = new Date(stage.processors.clock.now()).toISOString();
      const status = { messageId: 'list', channelMessageId: 'wamid.first', status: 'delivered', at } as const;
      return stage.decide('status', updateStatus(status));
    };
    await stage.start();
    await stage.queue('list', 'one', file);
    await stage.pass('the file is uploaded', 10, () => stage.uploaded.length === 1);
    await stage.pass('nothing is pending', SECOND, async () => (await stage.processors.pending('outbox')) === 0);
    expect(stage.sent).to.deep.equal([]);
  });
});
