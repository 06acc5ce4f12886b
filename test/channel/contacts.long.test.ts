/** Customers known by phone and user id, in any order of messages, and merges of two customers who are the same. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createContacts } from '../../application/channel/contacts.js';
import type { StoreContext } from '../../application/channel/customerClaims.js';
import type { ChannelCustomer, ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { claimPhone, claimUser, customerKey } from '../../domain/channel/customerKey.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { given } from '../support/spec/given.js';
import { type ChannelStage, channelStage, delivery, NUMBER } from '../support/stages/channelStage.js';

const P = '252615550101';
const U = 'SO.1349';

describe('customer key', () => {
  const known = { type: 'CustomerKnown', data: { kind: 'phone', key: `+${P}` } } as const;
  const bound = { type: 'CustomerUserKnown', data: { userId: U } } as const;

  it('is the first one claimed', () => {
    given(customerKey)
      .when(claimUser(U))
      .then([{ type: 'CustomerKnown', data: { kind: 'user', key: U } }]);
    given(customerKey, { type: 'CustomerKnown', data: { kind: 'user', key: U } })
      .when(claimUser('other'))
      .then([]);
    given(customerKey, known)
      .when(claimPhone({ key: 'other' }))
      .then([]);
  });

  it("of a phone gets a user id, moves to the user's own phone, and away from another user", () => {
    given(customerKey, known)
      .when(claimPhone({ key: `+${P}`, userId: U }))
      .then([bound]);
    given(customerKey, known, bound)
      .when(claimPhone({ key: `+${P}`, userId: U }))
      .then([]);
    const moved = (key: string, userId: string, reason: string) => [
      { type: 'CustomerMoved', data: { key, before: `+${P}`, userId, reason } } as never,
    ];
    given(customerKey, known)
      .when(claimPhone({ key: U, userId: U }))
      .then(moved(U, U, 'same_customer'));
    given(customerKey, known, bound)
      .when(claimPhone({ key: 'SO.2', userId: 'SO.2' }))
      .then(moved('SO.2', 'SO.2', 'other_customer'));
  });
});

describe('contacts', () => {
  let stage: ChannelStage;
  before(async () => {
    stage = await channelStage();
  });
  after(() => stage.close());

  let count = 0;
  type Names = { readonly phone: boolean; readonly userId: boolean };
  /** Returns a customer that no other test uses. */
  const customer = () => {
    count += 1;
    const phone = `2526${String(1_000_000 + count)}`;
    return { phone, userId: `SO.${count}` };
  };
  const textOf = ({ phone, userId }: { phone: string; userId: string }, names: Names, id: string) => ({
    id,
    timestamp: '1772352000',
    type: 'text',
    text: { body: id },
    ...(names.phone ? { from: phone } : {}),
    ...(names.userId ? { from_user_id: userId } : {}),
  });
  const text = (events: readonly ConversationEvent[]): string[] =>
    events.flatMap((event) => (event.type === 'MessageReceived' ? [event.data.channelMessageId] : []));
  const PHONE_ONLY = { phone: true, userId: false };
  const USER_ONLY = { phone: false, userId: true };
  const BOTH = { phone: true, userId: true };

  /** Returns the conversations that messages with the phone, the user id, and both now reach. */
  async function places(who: { phone: string; userId: string }): Promise<string[]> {
    const contacts = createContacts({ commands: stage.test.services.commandHandler, clock: stage.clock });
    const found = await Promise.all(
      [{ phone: `+${who.phone}` }, { userId: who.userId }, { phone: `+${who.phone}`, userId: who.userId }].map((one) =>
        contacts.find(NUMBER.workspaceId, one),
      ),
    );
    return [...new Set(found.map((key) => key ?? 'nobody'))];
  }

  it('are one in whichever order phone and user id become known', async () => {
    const order = fc.shuffledSubarray([PHONE_ONLY, USER_ONLY, BOTH], { minLength: 3 });
    const more = fc.array(fc.constantFrom(PHONE_ONLY, USER_ONLY, BOTH), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(order, more, fc.boolean(), async (first, then, isOneDelivery) => {
        const who = customer();
        const messages = [...first, ...then].map((names, i) => textOf(who, names, `w${count}.${i}`));
        for (const batch of isOneDelivery ? [messages] : messages.map((one) => [one]))
          expect((await stage.deliver(delivery({ messages: batch }))).status).to.equal(200);
        const [key, ...others] = await places(who);
        expect(others).to.deep.equal([]);
        // New messages reach one conversation. Redelivered ones are neither lost nor duplicated.
        await stage.deliver(delivery({ messages: [...messages].reverse() }));
        await stage.deliver(
          delivery({ messages: [PHONE_ONLY, USER_ONLY].map((names, i) => textOf(who, names, `z${count}.${i}`)) }),
        );
        const retained = text(await eventsOf(key!));
        expect(retained.slice(-2)).to.deep.equal([`z${count}.0`, `z${count}.1`]);
        const all = [...new Set([who.userId, `+${who.phone}`])].map(async (one) => text(await eventsOf(one)));
        expect((await Promise.all(all)).flat().sort()).to.deep.equal(
          [...messages.map(({ id }) => id), `z${count}.0`, `z${count}.1`].sort(),
        );
      }),
      { numRuns: 40 },
    );
  });

  const eventsOf = async (key: string): Promise<ConversationEvent[]> => {
    const stream = `conversation-${conversationOfKey(NUMBER.numberId, key)}`;
    return (await stage.test.services.eventStore.readStream(stream)) as unknown as ConversationEvent[];
  };

  it('keep the first conversation of a customer whose user id arrives later', async () => {
    const who = customer();
    await stage.deliver(delivery({ messages: [textOf(who, PHONE_ONLY, 'a1')] }));
    await stage.deliver(delivery({ messages: [textOf(who, BOTH, 'a2')] }));
    await stage.deliver(delivery({ messages: [textOf(who, USER_ONLY, 'a3')] }));
    expect(text(await eventsOf(`+${who.phone}`))).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('are two when a number has a new owner', async () => {
    const who = customer();
    const heir = { phone: who.phone, userId: 'SO.heir' };
    await stage.deliver(delivery({ messages: [textOf(who, BOTH, 'b1')] }));
    await stage.deliver(delivery({ messages: [textOf(heir, BOTH, 'b2')] }));
    await stage.deliver(delivery({ messages: [textOf(heir, PHONE_ONLY, 'b3'), textOf(who, USER_ONLY, 'b4')] }));
    expect(text(await eventsOf(who.userId))).to.deep.equal(['b1', 'b4']);
    expect(text(await eventsOf(heir.userId))).to.deep.equal(['b2', 'b3']);
  });

  it('find the statuses of a message that was sent to the other name', async () => {
    const who = customer();
    await stage.deliver(delivery({ messages: [textOf(who, PHONE_ONLY, 'c1'), textOf(who, BOTH, 'c2')] }));
    const key = (await places(who))[0]!;
    const { commandHandler } = stage.test.services;
    const { conversation } = await import('../../domain/channel/conversation.js');
    const { queueMessage } = await import('../../domain/channel/conversationSending.js');
    const message = {
      messageId: 'ours',
      numberId: NUMBER.numberId,
      to: {},
      content: { type: 'text', text: 'hi' },
    } as const;
    const context = { commandId: 'c', actor: { type: 'system' }, correlationId: 'c' } as const;
    await commandHandler.decide(context, conversation, conversationOfKey(NUMBER.numberId, key), queueMessage(message));
    for (const recipient of [{ recipient_id: who.phone }, { recipient_user_id: who.userId }]) {
      const status = { id: 'wamid.ours', timestamp: '1772352000', biz_opaque_callback_data: 'ours', ...recipient };
      await stage.deliver(
        delivery({ statuses: [{ ...status, status: 'recipient_id' in recipient ? 'sent' : 'read' }] }),
      );
    }
    const changes = (await eventsOf(key)).flatMap(({ type, data }) =>
      type === 'MessageStatusChanged' ? [data.status] : [],
    );
    expect(changes).to.deep.equal(['sent', 'read']);
  });

  it('are one for two instances that meet a new customer at the same time', async () => {
    const { eventStore } = stage.test.services;
    const snapshots = { load: async () => undefined, save: async () => undefined };
    const instance = () => {
      const commands = createCommandHandler({ eventStore, snapshots, clock: stage.clock, sharedStore: true });
      return createContacts({ commands, clock: stage.clock });
    };
    for (let round = 0; round < 20; round++) {
      const { phone, userId } = customer();
      const names: ChannelCustomer[] = [{ phone: `+${phone}`, userId }, { phone: `+${phone}`, userId }, { userId }];
      const context = (i: number): StoreContext => ({
        commandId: `claim ${count} ${i}`,
        actor: { type: 'customer' },
        correlationId: 'spec',
        workspaceId: NUMBER.workspaceId,
      });
      const keys = await Promise.all(names.map((one, i) => instance().claim(context(i), NUMBER.numberId, one)));
      expect(new Set(keys).size, keys.join()).to.equal(1);
    }
  });

  it('have one start for two deliveries of a new customer at the same time', async () => {
    const who = customer();
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => stage.deliver(delivery({ messages: [textOf(who, BOTH, `d${i % 3}`)] }))),
    );
    const events = await eventsOf(who.userId);
    expect(events.filter(({ type }) => type === 'ConversationStarted')).to.have.lengthOf(1);
    expect(text(events).sort()).to.deep.equal(['d0', 'd1', 'd2']);
  });
});
