/** Every kind of message of the channel as a conversation stores it, and malformed messages of each kind. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { inboundUpdates } from '../../infrastructure/channel/inboundFormat.js';
import {
  type ChannelStage,
  change,
  channelStage,
  delivery,
  NUMBER,
  PHONE_NUMBER_ID,
} from '../support/stages/channelStage.js';

const PHONE = '252615550101';
const NOW = Date.parse('2026-03-01T08:00:10Z');
const part = (more: object) => ({ from: PHONE, id: 'wamid.1', timestamp: '1772352000', ...more });

describe('channel contents', () => {
  const read = (more: object) => inboundUpdates(delivery({ messages: [part(more)] }), NOW).numbers[0]!.messages[0]!;
  const contentOf = (type: string, body: object) => read({ type, [type]: body }).content;

  const FILE = { id: '4711', mime_type: 'image/jpeg', sha256: 'abc=', url: 'https://x.example/1' };
  const retained = { channelMediaId: '4711', mimeType: 'image/jpeg', sha256: 'abc=' };
  const interactive = (kind: string, body: object) => ({ type: kind, [kind]: body });
  const KINDS: readonly (readonly [string, string, object, object])[] = [
    ['a text', 'text', { body: 'hi' }, { type: 'text', text: 'hi' }],
    ['a photo', 'image', { ...FILE, caption: 'This one' }, { type: 'image', ...retained, caption: 'This one' }],
    ['a video', 'video', FILE, { type: 'video', ...retained }],
    ['a voice note', 'audio', { ...FILE, voice: true }, { type: 'audio', ...retained, voice: true }],
    ['a sound', 'audio', { ...FILE, voice: false }, { type: 'audio', ...retained }],
    ['a document', 'document', { ...FILE, filename: 'a.pdf' }, { type: 'document', ...retained, filename: 'a.pdf' }],
    [
      'a document with a misleading name',
      'document',
      { ...FILE, filename: '../..\\in\r\nvoice\u202efdp.exe' },
      { type: 'document', ...retained, filename: 'in voice fdp.exe' },
    ],
    ['a document without a name', 'document', { ...FILE, filename: '../\u202e' }, { type: 'document', ...retained }],
    ['a sticker', 'sticker', { ...FILE, animated: true }, { type: 'sticker', ...retained }],
    [
      'a place',
      'location',
      { latitude: 2.04, longitude: 45.34, name: 'Shop', address: 'Maka', url: 'https://x.example' },
      { type: 'location', latitude: 2.04, longitude: 45.34, name: 'Shop', address: 'Maka' },
    ],
    [
      'a reaction',
      'reaction',
      { message_id: 'wamid.0', emoji: '👍' },
      { type: 'reaction', emoji: '👍', channelMessageId: 'wamid.0' },
    ],
    [
      'a removed reaction',
      'reaction',
      { message_id: 'wamid.0' },
      { type: 'reaction', emoji: '', channelMessageId: 'wamid.0' },
    ],
    [
      "a template's button",
      'button',
      { payload: 'yes', text: 'Yes, please' },
      { type: 'choice', id: 'yes', title: 'Yes, please' },
    ],
    [
      'a button',
      'interactive',
      interactive('button_reply', { id: 'b1', title: 'Sales' }),
      { type: 'choice', id: 'b1', title: 'Sales' },
    ],
    [
      'a row of a list',
      'interactive',
      interactive('list_reply', { id: 'r1', title: 'Sales', description: 'All you want to buy' }),
      { type: 'choice', id: 'r1', title: 'Sales', description: 'All you want to buy' },
    ],
    [
      'a form',
      'interactive',
      interactive('nfm_reply', { name: 'flow', body: 'Sent', response_json: '{"size":"M"}' }),
      { type: 'flow_reply', name: 'flow', fields: { size: 'M' } },
    ],
    [
      'a permission to call',
      'interactive',
      interactive('call_permission_reply', { response: 'accept' }),
      { type: 'unsupported', channelType: 'call_permission_reply' },
    ],
    [
      'a deleted message',
      'revoke',
      { original_message_id: 'wamid.0' },
      { type: 'revoke', channelMessageId: 'wamid.0' },
    ],
    ['an edit without text', 'edit', { original_message_id: 'wamid.0' }, { type: 'unsupported', channelType: 'edit' }],
    ['unsupported messages', 'unsupported', {}, { type: 'unsupported', channelType: 'unsupported' }],
  ];
  for (const [what, type, body, content] of KINDS)
    it(`reads ${what}`, () => {
      expect(contentOf(type, body)).to.deep.equal(content);
    });

  it("reads address cards, with phones in the channel's form or as written", () => {
    const cards = [
      {
        name: { formatted_name: 'Abdi' },
        phones: [{ phone: '061 555 0102', wa_id: '252615550102' }, { phone: '12-34' }],
      },
      { name: {}, phones: [] },
    ];
    expect(contentOf('contacts', cards)).to.deep.equal({
      type: 'contacts',
      contacts: [{ name: 'Abdi', phones: ['+252615550102', '12-34'] }],
    });
    expect(contentOf('contacts', [])).to.deep.equal({ type: 'unsupported', channelType: 'contacts' });
  });

  it('reports what a message replies to and whether it is forwarded', () => {
    const context = (fields: object) => read({ type: 'text', text: { body: 'hi' }, context: fields });
    expect(context({ from: '1555', id: 'wamid.0' }))
      .to.include({ repliesTo: 'wamid.0' })
      .and.not.have.property('forwarded');
    expect(context({ forwarded: true })).to.include({ forwarded: true });
    expect(context({ frequently_forwarded: true })).to.include({ forwarded: true });
    expect(context({ forwarded: 'yes', id: 7 })).to.not.have.any.keys('forwarded', 'repliesTo');
  });

  it("reads a customer's new phone, and only counts other system messages", () => {
    const system = { type: 'user_changed_number', body: 'Asha changed', wa_id: '252615550199' };
    const { wa_id: _, ...unnamed } = system;
    const from = { phone: `+${PHONE}` };
    const changes: readonly (readonly [object, object, object])[] = [
      [system, from, { phone: '+252615550199' }],
      [{ ...unnamed, new_wa_id: '252615550199' }, from, { phone: '+252615550199' }],
      [
        { ...system, type: 'customer_changed_number', customer: '252615550100' },
        { phone: '+252615550100' },
        { phone: '+252615550199' },
      ],
      [
        { type: 'user_changed_user_id', user_id: 'SO.2', previous_user_id: 'SO.1' },
        { ...from, userId: 'SO.1' },
        { userId: 'SO.2' },
      ],
      [
        { ...system, user_id: 'SO.2', previous_user_id: 'SO.1' },
        { ...from, userId: 'SO.1' },
        { phone: '+252615550199', userId: 'SO.2' },
      ],
    ];
    for (const [text, customer, now] of changes) {
      const [number] = inboundUpdates(delivery({ messages: [part({ type: 'system', system: text })] }), NOW).numbers;
      expect(number).to.deep.include({ messages: [], newPhones: [{ channelMessageId: 'wamid.1', customer, ...now }] });
    }
    const sentAt = '2026-03-01T08:00:00.000Z';
    const notice = { channelMessageId: 'wamid.1', sentAt, customer: { phone: `+${PHONE}` } };
    const noticeOf = (more: object) => {
      const [found] = inboundUpdates(delivery({ messages: [part(more)] }), NOW).numbers;
      return [found!.messages, found!.notices];
    };
    expect(noticeOf({ type: 'system', system: { type: 'customer_identity_changed', body: 'New code' } })).to.deep.equal(
      [[], [{ ...notice, notice: 'customer_identity_changed', text: 'New code' }]],
    );
    expect(noticeOf({ type: 'system', system: {} })).to.deep.equal([[], [{ ...notice, notice: 'system' }]]);
    expect(noticeOf({ type: 'request_welcome' })).to.deep.equal([[], [{ ...notice, notice: 'request_welcome' }]]);
  });

  describe('additional content', () => {
    const detailsOf = (more: object) => read(more).details;
    const KEPT: readonly (readonly [string, object, object])[] = [
      [
        'the product that a message is about',
        { type: 'text', text: { body: 'hi' }, context: { id: 'w0', referred_product: { product_retailer_id: 'A1' } } },
        { context: { referred_product: { product_retailer_id: 'A1' } } },
      ],
      [
        'the advertisement that led to it',
        { type: 'text', text: { body: 'hi' }, referral: { source_id: '7', headline: 'Shoes' } },
        { referral: { source_id: '7', headline: 'Shoes' } },
      ],
      [
        'why the channel does not pass a message on',
        { type: 'unsupported', errors: [{ code: 131051, title: 'Unknown' }], unsupported: { type: 'poll' } },
        { errors: [{ code: 131051, title: 'Unknown' }], unsupported: { type: 'poll' } },
      ],
      [
        'all of a message of a kind that is not known',
        { type: 'gift', gift: { to: 'Asha', cents: 100 } },
        { gift: { to: 'Asha', cents: 100 } },
      ],
      [
        'the address of a place',
        { type: 'location', location: { latitude: 2, longitude: 45, url: 'https://x.example' } },
        { location: { url: 'https://x.example' } },
      ],
      [
        'all of an address card',
        { type: 'contacts', contacts: [{ name: { formatted_name: 'Abdi' }, emails: [{ email: 'a@x.example' }] }] },
        { contacts: [{ name: { formatted_name: 'Abdi' }, emails: [{ email: 'a@x.example' }] }] },
      ],
    ];
    for (const [what, message, channel] of KEPT)
      it(`describes ${what}`, () => {
        expect(detailsOf(message)).to.deep.equal({ channel });
      });

    it('does not contain the URL of a file, which needs the store’s key', () => {
      expect(detailsOf({ type: 'image', image: FILE })).to.equal(undefined);
      expect(detailsOf({ type: 'image', image: { url: 'https://x.example', tint: 1 } })).to.deep.equal({
        channel: { image: { tint: 1 } },
      });
    });

    it('is limited in size, with a note', () => {
      const { cut, channel } = detailsOf({ type: 'gift', gift: Array.from({ length: 100 }, () => 'x'.repeat(1_000)) })!;
      expect(cut).to.deep.equal(['channel']);
      expect(JSON.stringify(channel).length).to.be.within(16_000, 20_000);
    });

    it('includes the id and the new text of an edited message', () => {
      const edit = (message: object) => read({ type: 'edit', edit: { original_message_id: 'w0', message } });
      expect(edit({ type: 'text', text: { body: 'two' }, context: { id: 'w9' } })).to.deep.include({
        content: { type: 'text', text: 'two' },
        repliesTo: 'w9',
        details: { edits: 'w0' },
      });
      expect(edit({ type: 'image', image: { ...FILE, caption: 'new' } })).to.deep.include({
        content: { type: 'image', ...retained, caption: 'new' },
        details: { edits: 'w0' },
      });
    });
  });

  it('counts characters without splitting them, and notes what was cut', () => {
    const emoji = '🧅'.repeat(4_096);
    expect(read({ type: 'text', text: { body: emoji } })).to.deep.include({ content: { type: 'text', text: emoji } });
    expect(read({ type: 'text', text: { body: emoji } })).to.not.have.property('details');
    expect(read({ type: 'text', text: { body: `${emoji}!` } })).to.deep.include({
      content: { type: 'text', text: emoji },
      details: { cut: ['body'] },
    });
    const payload = 'p'.repeat(1_024);
    expect(contentOf('button', { payload, text: 'Yes' })).to.deep.equal({ type: 'choice', id: payload, title: 'Yes' });
    expect(contentOf('button', { text: 'Yes' })).to.deep.equal({ type: 'choice', id: 'Yes', title: 'Yes' });
  });

  it('reads the sender from every place the channel uses', () => {
    const sent = (fields: object, ...contacts: object[]) => {
      const { from: _, ...message } = part({ type: 'text', text: { body: 'hi' } }) as { from?: string };
      const value = { contacts, messages: [{ ...message, ...fields }] };
      return inboundUpdates(delivery(value), NOW).numbers[0]!.messages[0]?.customer;
    };
    const user = { userId: 'SO.1349' };
    expect(sent({ from: 'SO.1349' })).to.deep.equal(user);
    expect(sent({ from_user_id: 'SO.1349' })).to.deep.equal(user);
    expect(sent({}, { user_id: 'SO.1349' })).to.deep.equal(user);
    expect(sent({}, { wa_id: PHONE, user_id: 'SO.1349' })).to.deep.equal({ phone: `+${PHONE}`, ...user });
    expect(sent({ from: PHONE }, { user_id: 'SO.1349' })).to.deep.equal({ phone: `+${PHONE}`, ...user });
    expect(sent({ from: '5215512345678' }, { wa_id: '525512345678', profile: { name: 'Ana' } })).to.deep.equal({
      ...{ phone: '+5215512345678', name: 'Ana' },
    });
    expect(sent({ from: PHONE }, { wa_id: '252615550102', user_id: 'SO.2' })).to.deep.equal({ phone: `+${PHONE}` });
    expect(sent({}, { user_id: 'SO.1' }, { user_id: 'SO.2' })).to.equal(undefined);
  });

  it('reads ended calls, and why they were missed', () => {
    const call = (more: object) => ({ id: 'c1', from: PHONE, event: 'terminate', timestamp: '1772352000', ...more });
    const calls = (...all: object[]) =>
      inboundUpdates({ entry: [{ changes: [{ ...change({ calls: all }), field: 'calls' }] }] }, NOW);
    const [number] = calls(
      call({ event: 'connect' }),
      call({}),
      call({ status: 'REJECTED' }),
      call({ status: 'CANCELED' }),
      call({ status: 'COMPLETED', duration: 12 }),
      call({ direction: 'BUSINESS_INITIATED' }),
    ).numbers;
    expect(number!.calls.map(({ missed, reason }) => [missed, reason])).to.deep.equal([
      [true, 'no_answer'],
      [true, 'rejected'],
      [true, 'cancelled'],
      [false, undefined],
    ]);
    expect(calls({}, call({ id: 7 }), call({ from: 'nobody' }), call({ event: 1 })).malformed).to.equal(4);
  });

  it('reads something from every malformed part, and never throws', () => {
    const types = [...new Set([...KINDS.map(([, type]) => type), 'contacts', 'system'])];
    const json = fc.jsonValue({ maxDepth: 3 });
    const body = fc.oneof(
      json,
      ...KINDS.map(([, , one]) => fc.dictionary(fc.constantFrom(...Object.keys(one), 'id'), json)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...types), body, json, (type, one, context) => {
        const { numbers, malformed } = inboundUpdates(
          delivery({ messages: [part({ type, [type]: one, context })] }),
          NOW,
        );
        const found = numbers[0]!;
        expect(malformed + found.messages.length + found.newPhones.length + found.notices.length).to.equal(1);
        // The result can be stored: no NUL, no lone surrogates, and a bounded size.
        const text = JSON.stringify(found);
        expect(text).to.not.match(/\\u0000|\\ud[89a-f]/);
        expect(text.length).to.be.below(100_000);
      }),
      { numRuns: 500 },
    );
  });
});

describe('channel contents in a conversation', () => {
  let stage: ChannelStage;
  beforeEach(async () => {
    stage = await channelStage();
  });
  afterEach(() => stage.close());
  const ASHA = { phone: `+${PHONE}` };
  const deliver = async (...messages: object[]) => {
    const answer = await stage.deliver(delivery({ messages: messages.map(part) }));
    expect(answer.status).to.equal(200);
  };
  const last = async (): Promise<ConversationEvent> => (await stage.events(ASHA)).at(-1)!;

  it('are reactions, replies and deletions of earlier messages', async () => {
    await deliver({ id: 'w1', type: 'text', text: { body: 'hi' } });
    await deliver({ id: 'w2', type: 'text', text: { body: 'ho' }, context: { id: 'w1' } });
    const events = await stage.events(ASHA);
    const [first, second] = events.flatMap((event) => (event.type === 'MessageReceived' ? [event.data] : []));
    expect(second!.replyToMessageId).to.equal(first!.messageId);
    await deliver({ id: 'r1', type: 'reaction', reaction: { message_id: 'w1', emoji: '👍' } });
    expect((await last()).data).to.deep.include({ messageId: first!.messageId, emoji: '👍' });
    await deliver({ id: 'd1', type: 'revoke', revoke: { original_message_id: 'w2' } });
    expect(await last()).to.deep.include({ type: 'MessageDeleted' });
    expect((await last()).data).to.include({ messageId: second!.messageId });
    const before = (await stage.events(ASHA)).length;
    await deliver(
      { id: 'r1', type: 'reaction', reaction: { message_id: 'w1', emoji: '👍' } },
      { id: 'd1', type: 'revoke', revoke: { original_message_id: 'w2' } },
    );
    expect(await stage.events(ASHA)).to.have.lengthOf(before);
  });

  it('are missed calls, each stored once', async () => {
    const calls = [{ id: 'c1', from: PHONE, event: 'terminate', timestamp: '1772352000' }];
    const body = { entry: [{ id: NUMBER.businessAccountId, changes: [{ ...change({ calls }), field: 'calls' }] }] };
    await stage.deliver(body);
    await stage.deliver(body);
    const taken = (await stage.events(ASHA)).filter(({ type }) => type === 'CallReceived');
    expect(taken).to.have.lengthOf(1);
    expect(taken[0]!.data).to.deep.include({ missed: true, reason: 'no_answer', channelCallId: 'c1' });
    expect(stage.counts).to.include({ received: 1, duplicate: 1 });
  });

  it('follow a customer to a new phone', async () => {
    await deliver({ id: 'w1', type: 'text', text: { body: 'hi' } });
    const system = { type: 'user_changed_number', body: 'changed', wa_id: '252615550199' };
    await deliver({ id: 's1', type: 'system', system });
    expect((await last()).data).to.deep.include({ customer: { phone: '+252615550199' } });
    await deliver({ id: 'w2', from: '252615550199', type: 'text', text: { body: 'from the new one' } });
    expect((await last()).data).to.deep.include({ channelMessageId: 'w2' });
    expect(await stage.events({ phone: '+252615550199' })).to.deep.equal([]);
  });

  it('belong to their own number', async () => {
    await deliver({ id: 'w1', type: 'text', text: { body: 'hi' } });
    expect(PHONE_NUMBER_ID).to.equal(NUMBER.phoneNumberId);
    await stage.deliver(delivery({ messages: [part({ id: 'w2', type: 'text', text: { body: 'hi' } })] }, '999'));
    expect((await stage.events(ASHA)).filter(({ type }) => type === 'MessageReceived')).to.have.lengthOf(1);
  });
});
