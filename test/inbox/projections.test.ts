import { expect } from 'chai';
import type { ConversationEvent, InboundContent, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { derivedId } from '../../domain/ids.js';
import { type MessageBody, messageAsOf } from '../../projections/messages.js';
import {
  accepted,
  CHAT,
  chatAfter,
  deleted,
  FILE,
  failed,
  hello,
  history,
  MEMBER,
  message,
  moved,
  PHONE,
  queued,
  reaction,
  received,
} from '../support/stages/inboxEvents.js';
import { atMinute, messageId, started } from '../support/stages/inboxStage.js';

/** Returns a message without its ids and times. Expects no reactions and no deletion. */
function shown(body: MessageBody | undefined): object {
  const {
    id: _,
    conversationId: _c,
    direction,
    status,
    reactions,
    deleted,
    createdAt: _a,
    sentAt: _s,
    ...rest
  } = body!;
  expect([reactions, deleted]).to.deep.equal([[], false]);
  return { direction, status, ...rest };
}
const inbound = (content: InboundContent): object => shown(message('in', received(content)));
const outbound = (content: OutboundContent): object => shown(message('out', queued(content)));

describe('messages of a customer', () => {
  const of = (type: string, text: string, contents: object = {}): object => ({
    direction: 'inbound',
    status: 'received',
    type,
    text,
    ...contents,
  });

  it('have the shape of their kind', () => {
    expect(inbound({ type: 'text', text: 'hi' })).to.deep.equal(of('text', 'hi'));
    expect(inbound({ type: 'choice', id: 'team:1', title: 'Sales', description: 'we sell' })).to.deep.equal(
      of('interactive', 'Sales', { choice: { id: 'team:1', title: 'Sales', description: 'we sell' } }),
    );
    expect(inbound({ type: 'location', latitude: 2.04, longitude: 45.34, name: 'Port' })).to.deep.equal(
      of('location', '', { location: { latitude: 2.04, longitude: 45.34, name: 'Port' } }),
    );
    expect(
      inbound({
        type: 'contacts',
        contacts: [
          { name: 'Ali', phones: ['+1', '+2'] },
          { name: 'Bo', phones: [] },
        ],
      }),
    ).to.deep.equal(of('contacts', 'Ali, +1, +2\nBo'));
    expect(inbound({ type: 'reaction', emoji: '👍', channelMessageId: 'wamid.lost' })).to.deep.equal(
      of('reaction', '👍'),
    );
    expect(inbound({ type: 'unsupported', channelType: 'edit' })).to.deep.equal(of('unsupported', ''));
  });

  it("show a cart with its note, and only the channel's prices", () => {
    const items = [{ productRetailerId: 'P1', quantity: 2, itemPrice: '15.5', currency: 'USD' }];
    expect(inbound({ type: 'order', catalogId: 'C', text: 'please', items, remark: 'cut' })).to.deep.equal(
      of('order', 'please', { order: { items, catalogId: 'C', text: 'please' } }),
    );
  });

  it('show the answers of a form by name, without empty ones', () => {
    const fields = { town: 'Hamar', age: 30, agree: true, sizes: ['M', 'L'], at: { street: 'x' }, more: null };
    expect(inbound({ type: 'flow_reply', name: 'checkout', fields })).to.deep.equal(
      of('interactive', '', {
        flowReply: {
          name: 'checkout',
          fields: [
            { name: 'age', value: 30 },
            { name: 'agree', value: true },
            { name: 'at', value: { street: 'x' } },
            { name: 'sizes', value: ['M', 'L'] },
            { name: 'town', value: 'Hamar' },
          ],
        },
      }),
    );
  });

  it('show what they reply to, and that they are forwarded', () => {
    const body = message(
      'in',
      received({ type: 'text', text: 'yes' }, { forwarded: true, replyToMessageId: messageId('out') }),
    );
    expect(body).to.include({ forwarded: true, replyToMessageId: messageId('out') });
    expect(body).to.include({ sentAt: atMinute(1), createdAt: atMinute(1), conversationId: CHAT });
  });

  const photo = received({ type: 'image', channelMediaId: 'M', caption: 'this one', mimeType: 'image/png' });
  const stored: ConversationEvent = {
    type: 'MessageMediaStored',
    data: { messageId: messageId('in'), fileId: FILE, mimeType: 'image/jpeg', size: 9 },
  };

  it('have their file once it is copied, with its actual type, or the reason of a failure', () => {
    expect(message('in', photo)).to.deep.include({
      type: 'image',
      text: 'this one',
      media: { status: 'pending', mimeType: 'image/png', caption: 'this one' },
    });
    expect(message('in', photo, stored)?.media).to.deep.equal({
      status: 'ready',
      fileId: FILE,
      mimeType: 'image/jpeg',
      caption: 'this one',
    });
    const lost: ConversationEvent = {
      type: 'MessageMediaFailed',
      data: { messageId: messageId('in'), errorCode: 'media_expired', reason: 'The channel has it no more.' },
    };
    expect(message('in', photo, lost)).to.deep.include({
      status: 'received',
      media: { status: 'failed', mimeType: 'image/png', caption: 'this one' },
      errorCode: 'media_expired',
      errorMessage: 'The channel has it no more.',
    });
  });

  it('keep nothing of a deleted message, also if its file arrives later', () => {
    for (const events of [
      [photo, stored, deleted()],
      [photo, deleted(), stored],
    ]) {
      const body = message('in', ...events)!;
      expect(body).to.include({ type: 'image', text: '', deleted: true, status: 'received' });
      expect(JSON.stringify(body)).to.not.include('this one').and.not.include(FILE);
      expect(body).to.not.have.property('media');
    }
  });

  it('that are redelivered much later keep their state', () => {
    const text = received({ type: 'text', text: 'secret' });
    expect(message('in', text, deleted(), text)).to.include({ text: '', deleted: true, createdAt: atMinute(1) });
  });

  it('include calls', () => {
    const call: ConversationEvent = {
      type: 'CallReceived',
      data: {
        messageId: messageId('call'),
        callId: derivedId('call'),
        channelCallId: 'wacid.1',
        missed: true,
        reason: 'no_answer',
        at: atMinute(1),
        customer: { phone: PHONE },
      },
    };
    expect(shown(message('call', call))).to.deep.equal(
      of('call', '', { call: { callId: derivedId('call'), missed: true, reason: 'no_answer' } }),
    );
    expect(chatAfter(call).chat).to.deep.include({
      unreadCount: 1,
      lastMessage: { direction: 'inbound', type: 'call', text: '', status: 'received', deleted: false },
    });
  });
});

describe('messages of the business', () => {
  const of = (type: string, text: string, contents: object = {}): object => ({
    direction: 'outbound',
    status: 'pending',
    type,
    text,
    ...contents,
  });

  it('have the shape of their kind', () => {
    const options = [{ id: 'team:1', title: 'Sales' }];
    expect(outbound({ type: 'menu', text: 'Which?', options, listButton: 'Teams' })).to.deep.equal(
      of('interactive', 'Which?', { menu: { body: 'Which?', options, listButton: 'Teams' } }),
    );
    const flow = { type: 'flow', flowName: 'f', cta: 'Order', token: 't', screen: 's', data: {} } as const;
    expect(outbound({ ...flow, text: 'Fill in' })).to.deep.equal(
      of('interactive', 'Fill in', { flow: { cta: 'Order' } }),
    );
    expect(outbound({ type: 'location_request', text: 'Where?' })).to.deep.equal(
      of('interactive', 'Where?', { locationRequest: true }),
    );
    expect(
      outbound({
        type: 'template',
        name: 'back',
        language: 'en',
        body: ['x'],
        text: 'We are back, x',
        templateId: FILE,
      }),
    ).to.deep.equal(of('template', 'We are back, x', { template: { templateId: FILE, name: 'back', language: 'en' } }));
    expect(
      outbound({ type: 'document', fileId: FILE, mimeType: 'application/pdf', text: '', filename: 'bill.pdf' }),
    ).to.deep.equal(
      of('document', '', {
        media: { status: 'ready', fileId: FILE, filename: 'bill.pdf', mimeType: 'application/pdf' },
      }),
    );
  });

  it('show their author', () => {
    const by = { clientMsgId: 'c-1', sentByMemberId: MEMBER, replyToMessageId: messageId('in') };
    expect(message('out', queued({ type: 'text', text: 'Yes' }, by))).to.deep.include(by);
  });

  it('have no status time before the previous status, whatever the channel’s clock', () => {
    expect(message('out', hello, accepted, moved('delivered', 1), moved('read', 0))).to.include({
      status: 'read',
      sentAt: atMinute(2),
      deliveredAt: atMinute(2),
      readAt: atMinute(2),
    });
  });

  it('advance from status to status with its time, and never back', () => {
    expect(message('out', hello, accepted)).to.include({ status: 'sent', sentAt: atMinute(2) });
    const read = message('out', hello, accepted, moved('sent', 3), moved('delivered', 4), moved('read', 5));
    expect(read).to.include({
      status: 'read',
      sentAt: atMinute(2),
      deliveredAt: atMinute(4),
      readAt: atMinute(5),
    });
    expect(message('out', hello, accepted, moved('read', 5), moved('delivered', 6), failed)).to.deep.equal(
      message('out', hello, accepted, moved('read', 5)),
    );
    expect(message('out', hello, failed, moved('read', 7))).to.include({
      status: 'failed',
      failedAt: atMinute(2),
      errorCode: '131026',
      errorMessage: 'The number is not on the channel.',
    });
  });

  it('have one reaction of the customer, the last', () => {
    expect(message('out', hello, reaction('👍'), reaction('❤️'))?.reactions).to.deep.equal([
      { by: 'contact', emoji: '❤️' },
    ]);
    expect(message('out', hello, reaction('👍'), reaction())?.reactions).to.deep.equal([]);
  });

  it('are reported with the state at each status, whatever came later', () => {
    const events = [hello, accepted, moved('delivered', 3), moved('read', 4)];
    const now = message('out', ...events)!;
    const recorded = history(started(PHONE), ...events);
    for (const length of [2, 3, 4])
      expect(messageAsOf(now, recorded[length]!)).to.deep.equal(message('out', ...events.slice(0, length)));
    const lost = message('out', hello, accepted, failed)!;
    expect(messageAsOf(lost, recorded[2]!)).to.deep.equal(message('out', hello, accepted));
  });
});
