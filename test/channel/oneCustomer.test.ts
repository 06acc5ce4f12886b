/** One customer stays one: numbers written in two forms, and numbers and user ids that change. */
import { expect } from 'chai';
import fc from 'fast-check';
import { learnForm } from '../../application/channel/customerClaims.js';
import { knownKey, phonesOf } from '../../application/channel/customerIdentity.js';
import { customerFrom, send } from '../../application/channel/customerMessages.js';
import { withMerged } from '../../application/channel/mergedConversations.js';
import { routing } from '../../application/channel/routingProcessor.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { formsOf } from '../../domain/channel/phoneForms.js';
import type { SetAsideEvent } from '../../domain/channel/setAsideUpdates.js';
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import type { Cause, Task } from '../../engine/processors/processor.js';
import { type ChannelStage, channelStage, delivery, NUMBER, textMessage } from '../support/stages/channelStage.js';

type UpdateSetAside = Extract<SetAsideEvent, { type: 'UpdateSetAside' }>['data'];

/** Numbers in the form of the current numbering plan, and in the other form. */
const FORMS = {
  Mexico: ['525512345678', '5215512345678'],
  Brazil: ['5511987654321', '551187654321'],
  Argentina: ['5491123456789', '541123456789'],
  Benin: ['2290197123456', '22997123456'],
  "Côte d'Ivoire": ['2250708091011', '22508091011'],
} as const;
const [SHORT, LONG] = FORMS.Mexico;

describe('spellings of a number', () => {
  for (const [country, [current, other]] of Object.entries(FORMS))
    it(`of ${country} are two, found from either`, () => {
      expect(formsOf(`+${current}`)).to.deep.equal([`+${current}`, `+${other}`]);
      expect(formsOf(`+${other}`)).to.deep.equal([`+${current}`, `+${other}`]);
    });

  it('are the number itself elsewhere, for fixed lines, and for numbers that never had another', () => {
    for (const phone of ['+252615550101', '+551130001234', '+2250108091011', '+4915112345678', '+12025550123'])
      expect(formsOf(phone)).to.deep.equal([phone]);
  });

  it('are consistent for any digits', () => {
    const digits = fc
      .array(fc.constantFrom(...'0123456789'), { minLength: 6, maxLength: 12 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.constantFrom('52', '521', '55', '54', '549', '229', '225', '252'), digits, (code, rest) => {
        const forms = formsOf(`+${code}${rest}`);
        expect(forms).to.include(`+${code}${rest}`);
        for (const form of forms) expect(formsOf(form)).to.deep.equal(forms);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('one customer on the channel', () => {
  let stage: ChannelStage;
  before(async () => {
    stage = await channelStage();
  });
  after(() => stage.close());

  const commands = () => stage.test.services.commandHandler;
  const { workspaceId, numberId } = NUMBER;
  const keyOf = (customer: ChannelCustomer) => knownKey(commands(), workspaceId, customer);
  const conversationOf = async (customer: ChannelCustomer): Promise<string> =>
    conversationOfKey(numberId, (await keyOf(customer))!);
  const stateOf = async (customer: ChannelCustomer) =>
    commands().query(conversation, await conversationOf(customer), ({ merged, status, customer: now }) => ({
      ...{ merged, status, customer: { ...now } },
    }));
  const texts = async (customer: ChannelCustomer): Promise<string[]> => {
    const stream = `conversation-${await conversationOf(customer)}`;
    const events = (await stage.test.services.eventStore.readStream(stream)) as unknown as ConversationEvent[];
    return events.flatMap(({ type, data }) => (type === 'MessageReceived' ? [data.channelMessageId] : []));
  };
  const merging = routing({ numbersOf: async () => [numberId] });
  let through: Position = BEFORE_ALL;
  /** Runs the tasks that merge customers who are the same, until none is left. */
  async function settle(): Promise<void> {
    const { eventStore } = stage.test.services;
    for (;;) {
      const page = await eventStore.readAll(through);
      through = page.through;
      for (const event of page.events) {
        if (event.type !== 'CustomerMoved') continue;
        const streamId = event.stream.slice('customer-'.length);
        const [task] = merging.on.CustomerMoved!({ ...event, streamId } as never, {} as never) as Task<Cause>[];
        if (task === undefined) continue;
        const contextFor = () => context();
        await merging.perform.merge!(task as never, { commands: commands(), contextFor } as never);
      }
      if (page.end && page.events.length === 0) return;
    }
  }
  const deliver = async (...messages: object[]): Promise<void> => {
    expect((await stage.deliver(delivery({ messages }))).status).to.equal(200);
    await settle();
  };
  const print = (id: string, from: string, userId?: string) =>
    deliver({ ...textMessage(id, id, from), ...(userId && { from_user_id: userId }) });
  const news = (id: string, from: string, system: object) =>
    deliver({ from, id, timestamp: '1772352000', type: 'system', system });
  let count = 0;
  const context = () => ({
    commandId: `spec ${count++}`,
    actor: { type: 'system' } as const,
    correlationId: 'spec',
    workspaceId,
  });

  for (const [country, [current, other]] of Object.entries(FORMS))
    it(`writes with both spellings of a number of ${country}`, async () => {
      await print(`${country} 1`, other);
      await print(`${country} 2`, current);
      expect(await texts({ phone: `+${other}` })).to.deep.equal([`${country} 1`, `${country} 2`]);
      expect(await texts({ phone: `+${current}` })).to.have.length(2);
    });

  it('gets the statuses of a message under either spelling, and only for its own number', async () => {
    await print('status 1', '252615550301');
    const conversationId = await conversationOf({ phone: '+252615550301' });
    const to = { phone: '+252615550301' };
    const content = { type: 'text', text: 'hi' } as const;
    const queued = queueMessage({ messageId: 'ours', numberId, to, content });
    await commands().decide(context(), conversation, conversationId, queued);
    const status = (name: string, data: string) => ({
      ...{ id: 'wamid.ours', timestamp: '1772352000', status: name, recipient_id: '252999999999' },
      biz_opaque_callback_data: data,
    });
    await stage.deliver(delivery({ statuses: [status('sent', `ours/${conversationId}`)] }));
    const sentTo = () => commands().query(conversation, conversationId, ({ outbound }) => outbound.get('ours')?.status);
    expect(await sentTo()).to.equal('sent');
    const { recipient_id: _, ...nobody } = status('delivered', `ours/${conversationId}`);
    await stage.deliver(delivery({ statuses: [nobody] }));
    expect(await sentTo()).to.equal('delivered');
  });

  it('is one also for spellings that only the channel knows', async () => {
    await print('alias 1', '252615550401');
    await learnForm(commands(), context(), { phone: '+252615550401' }, '+252615550402');
    await print('alias 2', '252615550402');
    expect(await texts({ phone: '+252615550402' })).to.deep.equal(['alias 1', 'alias 2']);
    expect(await phonesOf(commands(), workspaceId, '+252615550402')).to.have.members([
      '+252615550401',
      '+252615550402',
    ]);
  });

  it('stays in the conversation they write in when a message to another spelling reached them', async () => {
    await print('heard 1', '252615550501');
    // The store wrote to another form of the number first. The send response names this form.
    await print('heard 2', '252615550502');
    await learnForm(commands(), context(), { phone: '+252615550502' }, '+252615550501');
    await settle();
    expect(await keyOf({ phone: '+252615550502' })).to.equal(await keyOf({ phone: '+252615550501' }));
    await print('heard 3', '252615550502');
    expect(await texts({ phone: '+252615550501' })).to.deep.equal(['heard 1', 'heard 3']);
    expect(await withMerged(commands(), workspaceId, await conversationOf({ phone: '+252615550501' }))).to.have.length(
      2,
    );
  });

  it('keeps their conversation through every kind of change', async () => {
    await print('change 1', '252615550601', 'SO.601');
    await news('change 2', '252615550601', { type: 'user_changed_number', wa_id: '252615550602' });
    await news('change 3', '252615550602', { type: 'user_changed_number', new_wa_id: '252615550603' });
    await news('change 4', '252615550604', {
      ...{ type: 'customer_changed_number', customer: '252615550603', wa_id: '252615550604' },
    });
    await news('change 5', 'SO.602', { type: 'user_changed_user_id', user_id: 'SO.602', previous_user_id: 'SO.601' });
    await deliver({ id: 'change 6', timestamp: '1772352000', type: 'text', text: { body: '6' }, from: 'SO.602' });
    await print('change 7', '252615550604');
    expect(await texts({ userId: 'SO.601' })).to.deep.equal(['change 1', 'change 6', 'change 7']);
    expect(await phonesOf(commands(), workspaceId, '+252615550604')).to.have.members(
      [1, 2, 3, 4].map((last) => `+25261555060${last}`),
    );
  });

  it('has the number that they changed back to', async () => {
    await print('back 1', '252615550701');
    const change = (id: string, from: string, to: string) => news(id, from, { type: 'user_changed_number', wa_id: to });
    await change('back 2', '252615550701', '252615550702');
    await change('back 3', '252615550702', '252615550701');
    await change('back 4', '252615550701', '252615550702');
    expect((await stateOf({ phone: '+252615550702' })).customer.phone).to.equal('+252615550702');
    expect(await phonesOf(commands(), workspaceId, '+252615550701')).to.have.length(2);
  });

  it('is not moved by a repeated report of a change, also after a later change', async () => {
    await print('again 1', '252615551301', 'SO.1301');
    const change = (id: string, from: string, to: string) => news(id, from, { type: 'user_changed_number', wa_id: to });
    const head = async () =>
      (await stage.test.services.eventStore.readAll(BEFORE_ALL, { limit: 10_000 })).events.length;
    const reported = [
      ['again 2', '252615551301', '252615551302'],
      ['again 3', '252615551302', '252615551303'],
    ] as const;
    for (const [id, from, to] of reported) await change(id, from, to);
    const before = await head();
    for (const [id, from, to] of reported) await change(id, from, to);
    expect(await head()).to.equal(before);
    expect((await stateOf({ userId: 'SO.1301' })).customer.phone).to.equal('+252615551303');
  });

  it('keeps their conversation open when a number goes to somebody else and returns', async () => {
    await print('hands 1', '252615550801');
    await print('hands 2', '252615550811');
    const change = (id: string, from: string, to: string) => news(id, from, { type: 'user_changed_number', wa_id: to });
    await change('hands 3', '252615550801', '252615550802');
    // The other customer now has the first customer's previous number.
    await change('hands 4', '252615550811', '252615550801');
    expect(await stateOf({ phone: '+252615550802' })).to.include({ merged: false, status: 'open' });
    expect(await phonesOf(commands(), workspaceId, '+252615550802')).to.deep.equal(['+252615550802']);
    await change('hands 5', '252615550802', '252615550801');
    await print('hands 6', '252615550801');
    expect(await texts({ phone: '+252615550801' })).to.deep.equal(['hands 1', 'hands 6']);
    expect(await stateOf({ phone: '+252615550801' })).to.include({ merged: false, status: 'open' });
    expect(await stateOf({ phone: '+252615550811' })).to.include({ merged: false, status: 'open' });
  });

  it('does not get stuck in a closed conversation when two customers are merged both ways', async () => {
    await print('cycle 1', '252615550901');
    await print('cycle 2', '252615550902', 'SO.902');
    // The number now belongs to both the user and the customer who had only the number.
    await news('cycle 3', '252615550902', { type: 'user_changed_number', wa_id: '252615550901' });
    await news('cycle 4', '252615550901', { type: 'user_changed_number', wa_id: '252615550902' });
    await print('cycle 5', '252615550901');
    await print('cycle 6', '252615550902');
    for (const phone of ['+252615550901', '+252615550902'])
      expect(await stateOf({ phone }), phone).to.include({ merged: false, status: 'open' });
    expect(await texts({ phone: '+252615550901' })).to.deep.equal(['cycle 2', 'cycle 5', 'cycle 6']);
  });

  it('deletes and reacts to messages from before a merge in the conversation that has them', async () => {
    const from = '252615551101';
    await print('earlier 1', from);
    await print('earlier 2', from);
    const earlier = `conversation-${await conversationOf({ phone: `+${from}` })}`;
    await deliver({ ...textMessage('earlier 3', '3', 'SO.1101'), from: undefined, from_user_id: 'SO.1101' });
    await print('earlier 4', from, 'SO.1101');
    expect(await texts({ phone: `+${from}` })).to.deep.equal(['earlier 3', 'earlier 4']);
    const about = (id: string, type: string, content: object) => ({
      ...{ id, timestamp: '1772352000', from, from_user_id: 'SO.1101', type },
      [type]: content,
    });
    const revoke = about('earlier 5', 'revoke', { original_message_id: 'earlier 1' });
    const reaction = about('earlier 6', 'reaction', { message_id: 'earlier 2', emoji: '❤️' });
    for (let time = 0; time < 2; time++) await deliver(revoke, reaction);
    const noted = (await stage.test.services.eventStore.readStream(earlier)).slice(-2);
    expect(noted.map(({ type }) => type)).to.deep.equal(['MessageDeleted', 'MessageReactionChanged']);
    expect(await texts({ phone: `+${from}` })).to.deep.equal(['earlier 3', 'earlier 4']);
  });

  it('gets a message once when its task runs again, also after two changes of their number', async () => {
    const numbers = ['252615551201', '252615551202', '252615551203'] as const;
    const ids: string[] = [];
    for (const from of numbers) {
      await print(`twice ${from}`, from);
      ids.push(await conversationOf({ phone: `+${from}` }));
    }
    const task = { id: 'answer', payload: { workspaceId, correlationId: 'spec' } } as never;
    const perform = () =>
      send(
        {
          dependencies: { customerOf: customerFrom(commands()) },
          context: { commands: commands(), contextFor: () => context() } as never,
          task,
        },
        { conversationId: ids[0]! },
        { type: 'text', text: 'Welcome back' },
        { kind: 'order_help' },
      );
    const queuedTo = async () => {
      const streams = await Promise.all(
        ids.map((id) => stage.test.services.eventStore.readStream(`conversation-${id}`)),
      );
      return streams.map((events) => events.filter(({ type }) => type === 'MessageQueued').length);
    };
    await news('twice 2', numbers[1], { type: 'user_changed_number', wa_id: numbers[0] });
    await perform();
    expect(await queuedTo()).to.deep.equal([0, 1, 0]);
    await news('twice 3', numbers[2], { type: 'user_changed_number', wa_id: numbers[0] });
    await perform();
    expect(await queuedTo()).to.deep.equal([0, 1, 0]);
  });

  it('is the first known of two spellings, also if both were separate customers before', async () => {
    const { customerKey, claimPhone } = await import('../../domain/channel/customerKey.js');
    const { customerStreamId } = await import('../../application/channel/customerIdentity.js');
    const [short, long] = [`+${SHORT.slice(0, -1)}0`, `+${LONG.slice(0, -1)}0`];
    for (const phone of [short, long])
      await commands().decide(
        context(),
        customerKey,
        customerStreamId(workspaceId, 'phone', phone),
        claimPhone({ key: phone }),
      );
    await print('two 1', long.slice(1));
    expect(await keyOf({ phone: long })).to.equal(short);
    expect(await texts({ phone: short })).to.deep.equal(['two 1']);
  });

  it('does not receive group messages or messages without sender, which are stored once for an operator', async () => {
    const group = { ...textMessage('group 1', 'hello all', '252615551001'), group_id: 'G1' };
    const nobody = { id: 'nobody 1', timestamp: '1772352000', type: 'text', text: { body: 'who am I?' } };
    await deliver(group, nobody);
    await deliver(group, nobody);
    expect(await keyOf({ phone: '+252615551001' })).to.equal(undefined);
    const { events } = await stage.test.services.eventStore.readAll(BEFORE_ALL, {
      filter: { categories: ['setAside'] },
    });
    const retained = events.map(({ data, meta }) => ({ ...(data as UpdateSetAside), of: meta.workspaceId }));
    expect(retained.map(({ reason, customer, of }) => [reason, customer, of])).to.deep.equal([
      ['group', { phone: '+252615551001' }, workspaceId],
      ['no_sender', undefined, workspaceId],
    ]);
    expect(retained.map(({ update }) => JSON.parse(update))).to.deep.equal([group, nobody]);
    expect(stage.counts.set_aside).to.equal(2);
  });
});
