/** Every kind of message of the channel, as a conversation keeps it; and each of them malformed. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { inboundUpdates } from '../../infrastructure/channel/inboundFormat.js';
import { type ChannelStage, change, channelStage, delivery, NUMBER, PHONE_NUMBER_ID } from '../support/channelStage.js';

const PHONE = '252615550101';
const NOW = Date.parse('2026-03-01T08:00:10Z');
const part = (more: object) => ({ from: PHONE, id: 'wamid.1', timestamp: '1772352000', ...more });

describe('channel contents', () => {
  const read = (more: object) => inboundUpdates(delivery({ messages: [part(more)] }), NOW).numbers[0]!.messages[0]!;
  const contentOf = (type: string, body: object) => read({ type, [type]: body }).content;

  const FILE = { id: '4711', mime_type: 'image/jpeg', sha256: 'abc=', url: 'https://x.example/1' };
  const kept = { channelMediaId: '4711', mimeType: 'image/jpeg', sha256: 'abc=' };
  const interactive = (kind: string, body: object) => ({ type: kind, [kind]: body });
  const KINDS: readonly (readonly [string, string, object, object])[] = [
    ['a text', 'text', { body: 'hi' }, { type: 'text', text: 'hi' }],
    ['a photo', 'image', { ...FILE, caption: 'This one' }, { type: 'image', ...kept, caption: 'This one' }],
    ['a video', 'video', FILE, { type: 'video', ...kept }],
    ['a voice note', 'audio', { ...FILE, voice: true }, { type: 'audio', ...kept, voice: true }],
    ['a sound', 'audio', { ...FILE, voice: false }, { type: 'audio', ...kept }],
    ['a document', 'document', { ...FILE, filename: 'a.pdf' }, { type: 'document', ...kept, filename: 'a.pdf' }],
    [
      'a document with a name that misleads',
      'document',
      { ...FILE, filename: '../..\\in\r\nvoice\u202efdp.exe' },
      { type: 'document', ...kept, filename: 'in voice fdp.exe' },
    ],
    [
      'a document that is called nothing',
      'document',
      { ...FILE, filename: '../\u202e' },
      { type: 'document', ...kept },
    ],
    ['a sticker', 'sticker', { ...FILE, animated: true }, { type: 'sticker', ...kept }],
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
      'a reaction taken back',
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
      'a message taken back',
      'revoke',
      { original_message_id: 'wamid.0' },
      { type: 'revoke', channelMessageId: 'wamid.0' },
    ],
    ['an edit', 'edit', { original_message_id: 'wamid.0' }, { type: 'unsupported', channelType: 'edit' }],
    ['what the channel cannot show', 'unsupported', {}, { type: 'unsupported', channelType: 'unsupported' }],
  ];
  for (const [what, type, body, content] of KINDS)
    it(`reads ${what}`, () => {
      expect(contentOf(type, body)).to.deep.equal(content);
    });

  it('reads address cards, with the phones as the channel knows them or as they are written', () => {
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

  it('says what is answered and what is forwarded', () => {
    const context = (fields: object) => read({ type: 'text', text: { body: 'hi' }, context: fields });
    expect(context({ from: '1555', id: 'wamid.0' }))
      .to.include({ repliesTo: 'wamid.0' })
      .and.not.have.property('forwarded');
    expect(context({ forwarded: true })).to.include({ forwarded: true });
    expect(context({ frequently_forwarded: true })).to.include({ forwarded: true });
    expect(context({ forwarded: 'yes', id: 7 })).to.not.have.any.keys('forwarded', 'repliesTo');
  });

  it('reads a new phone of a customer, and of other news of the system only that there were some', () => {
    const system = { type: 'user_changed_number', body: 'Asha changed', wa_id: '252615550199' };
    const [number] = inboundUpdates(delivery({ messages: [part({ type: 'system', system })] }), NOW).numbers;
    expect(number).to.deep.include({
      messages: [],
      newPhones: [{ customer: { phone: `+${PHONE}` }, phone: '+252615550199' }],
    });
    for (const other of [{ type: 'customer_identity_changed' }, { ...system, wa_id: '1' }])
      expect(contentOf('system', other)).to.deep.equal({ type: 'unsupported', channelType: 'system' });
  });

  it('reads calls that have ended, and why they were missed', () => {
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

  it('reads something of every malformed part, and never throws', () => {
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
        expect(malformed + found.messages.length + found.newPhones.length).to.equal(1);
        if (found.messages[0]?.content.type === 'unsupported') return;
        // What is kept can be stored: no NUL, no half characters, nothing without an end.
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

  it('are reactions, replies and deletions of what was said before', async () => {
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

  it('are missed calls, each once', async () => {
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
