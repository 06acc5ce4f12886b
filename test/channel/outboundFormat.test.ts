import { expect } from 'chai';
import type { OutboundMessage } from '../../application/ports/channelMessages.js';
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import type { TemplateComponent } from '../../domain/channel/templateComponents.js';
import { messagePayload } from '../../infrastructure/channel/outboundFormat.js';

// biome-ignore lint/suspicious/noExplicitAny: tests read payloads as the channel would
type Payload = any;
const MEDIA_IDS = { photo: '9001', list: '9002' };
const payload = (content: OutboundContent, more: Partial<OutboundMessage> = {}): Payload =>
  messagePayload({ to: { phone: '+252615550101' }, content, messageId: 'm-1', mediaIds: MEDIA_IDS, ...more });
/** Without what every message has. */
const body = (content: OutboundContent, more: Partial<OutboundMessage> = {}): Payload => {
  const { messaging_product, recipient_type, to, biz_opaque_callback_data, ...rest } = payload(content, more);
  expect([messaging_product, recipient_type, to, biz_opaque_callback_data]).to.deep.equal([
    'whatsapp',
    'individual',
    '+252615550101',
    'm-1',
  ]);
  return rest;
};
const options = (count: number, title = 'Team') =>
  Array.from({ length: count }, (_, n) => ({ id: `team:${n}`, title: `${title} ${n}` }));
const template = (components: readonly TemplateComponent[]): Payload =>
  body({ type: 'template', name: 'ready', language: 'so', body: [], text: '', components });

describe('outbound messages in the channel’s format', () => {
  describe('files', () => {
    const file = { fileId: 'photo', mimeType: 'image/jpeg' };
    const cases: [string, OutboundContent, object][] = [
      ['an image', { type: 'image', ...file, text: 'This one' }, { image: { id: '9001', caption: 'This one' } }],
      ['an image without a caption', { type: 'image', ...file, text: '' }, { image: { id: '9001' } }],
      ['a video', { type: 'video', ...file, text: 'See' }, { video: { id: '9001', caption: 'See' } }],
      ['an audio file', { type: 'audio', ...file, text: '' }, { audio: { id: '9001' } }],
      ['a voice note', { type: 'audio', ...file, text: '', voice: true }, { audio: { id: '9001', voice: true } }],
      ['a sticker', { type: 'sticker', ...file, text: '' }, { sticker: { id: '9001' } }],
      [
        'a document',
        { type: 'document', fileId: 'list', mimeType: 'application/pdf', text: 'Prices', filename: 'list.pdf' },
        { document: { id: '9002', caption: 'Prices', filename: 'list.pdf' } },
      ],
    ];
    for (const [name, content, expected] of cases)
      it(`send ${name} by the channel's id`, () => {
        expect(body(content)).to.deep.equal({ type: content.type, ...expected });
      });

    it("have captions up to the channel's limit", () => {
      const { image } = body({ type: 'image', ...file, text: 'x'.repeat(4_096) });
      expect(image.caption).to.equal(`${'x'.repeat(1_023)}…`);
      const whole = '🎉'.repeat(1_024);
      expect(body({ type: 'image', ...file, text: whole }).image.caption).to.equal(whole);
    });

    it('are sent only after their upload', () =>
      expect(() => payload({ type: 'image', ...file, text: '' }, { mediaIds: {} })).to.throw(/was not uploaded/));
  });

  describe('menus', () => {
    it('use buttons for up to three options', () => {
      const { interactive } = body({ type: 'menu', text: 'Whom?', options: options(3) });
      expect(interactive).to.deep.equal({
        type: 'button',
        body: { text: 'Whom?' },
        action: { buttons: options(3).map((reply) => ({ type: 'reply', reply })) },
      });
    });

    it('use a list of at most ten rows with a list button or more than three options', () => {
      const listed = body({ type: 'menu', text: 'Whom?', options: options(2), listButton: 'Choose a team of ours' });
      expect(listed.interactive).to.deep.equal({
        type: 'list',
        body: { text: 'Whom?' },
        action: { button: 'Choose a team of ou…', sections: [{ rows: options(2) }] },
      });
      const many = body({ type: 'menu', text: 'Whom?', options: options(12) }).interactive;
      expect([many.type, many.action.sections[0].rows]).to.deep.equal(['list', options(10)]);
    });

    it('cut titles to 20 and 24 characters, and keep them distinct', () => {
      const long = 'Customer support in Hodan';
      const alike = [1, 2, 3].map((n) => ({ id: `team:${n}`, title: long }));
      const { buttons } = body({ type: 'menu', text: 'Whom?', options: alike }).interactive.action;
      expect(buttons.map(({ reply }: Payload) => reply.title)).to.deep.equal([
        'Customer support in…',
        'Customer support … 2',
        'Customer support … 3',
      ]);
      const faces = [{ id: 'team:1', title: '😀'.repeat(30) }];
      const { sections } = body({ type: 'menu', text: 'Whom?', options: faces, listButton: 'x' }).interactive.action;
      expect(sections[0].rows[0].title).to.equal(`${'😀'.repeat(23)}…`);
    });

    it('send ids unchanged, since the tap returns them', () => {
      const long = [{ id: 'x'.repeat(257), title: 'Sales' }];
      expect(() => payload({ type: 'menu', text: 'Whom?', options: long })).to.throw(/too long an id/);
    });
  });

  describe('templates', () => {
    const cases: [string, TemplateComponent, object][] = [
      [
        'texts in order',
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Asha' },
            { type: 'text', text: '7' },
          ],
        },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Asha' },
            { type: 'text', text: '7' },
          ],
        },
      ],
      [
        'named texts',
        { type: 'body', parameters: [{ type: 'text', text: 'Asha', parameterName: 'first_name' }] },
        { type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Asha' }] },
      ],
      [
        'a currency',
        {
          type: 'body',
          parameters: [{ type: 'currency', currency: { amount1000: 12_500, code: 'USD', fallbackValue: '$12.50' } }],
        },
        {
          type: 'body',
          parameters: [{ type: 'currency', currency: { fallback_value: '$12.50', code: 'USD', amount_1000: 12_500 } }],
        },
      ],
      [
        'a time',
        {
          type: 'body',
          parameters: [{ type: 'date_time', dateTime: { fallbackValue: '1 May' }, parameterName: 'day' }],
        },
        {
          type: 'body',
          parameters: [{ type: 'date_time', parameter_name: 'day', date_time: { fallback_value: '1 May' } }],
        },
      ],
      [
        'an image by its link',
        { type: 'header', parameters: [{ type: 'image', media: { link: 'https://cdn.example.com/1.jpg' } }] },
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://cdn.example.com/1.jpg' } }] },
      ],
      [
        'a video by its upload',
        { type: 'header', parameters: [{ type: 'video', media: { fileId: 'photo' } }] },
        { type: 'header', parameters: [{ type: 'video', video: { id: '9001' } }] },
      ],
      [
        'a document with its name',
        { type: 'header', parameters: [{ type: 'document', media: { fileId: 'list', filename: 'list.pdf' } }] },
        { type: 'header', parameters: [{ type: 'document', document: { id: '9002', filename: 'list.pdf' } }] },
      ],
      [
        'a location',
        {
          type: 'header',
          parameters: [{ type: 'location', location: { latitude: 2.04, longitude: 45.34, name: 'Bakaara' } }],
        },
        {
          type: 'header',
          parameters: [{ type: 'location', location: { latitude: '2.04', longitude: '45.34', name: 'Bakaara' } }],
        },
      ],
      [
        'a URL suffix',
        { type: 'button', subType: 'url', index: 0, parameters: [{ type: 'text', text: 'orders/7' }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'orders/7' }] },
      ],
      [
        'a quick reply payload',
        { type: 'button', subType: 'quick_reply', index: 1, parameters: [{ type: 'payload', payload: 'yes:7' }] },
        { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'yes:7' }] },
      ],
      [
        'a code to copy',
        { type: 'button', subType: 'copy_code', index: 2, parameters: [{ type: 'coupon_code', couponCode: 'EID' }] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '2',
          parameters: [{ type: 'coupon_code', coupon_code: 'EID' }],
        },
      ],
    ];
    for (const [name, component, expected] of cases)
      it(`with ${name}`, () =>
        expect(template([component])).to.deep.equal({
          type: 'template',
          template: { name: 'ready', language: { code: 'so' }, components: [expected] },
        }));

    it('have no components if there is nothing to fill in', () => {
      const bare = { name: 'ready', language: { code: 'so' } };
      expect(template([]).template).to.deep.equal(bare);
      expect(template([{ type: 'body' }, { type: 'header', parameters: [] }]).template).to.deep.equal(bare);
    });
  });

  it('name the message that is replied to', () => {
    const reply = body({ type: 'text', text: 'Yes' }, { repliesTo: 'wamid.in.1' });
    expect(reply).to.deep.equal({
      context: { message_id: 'wamid.in.1' },
      type: 'text',
      text: { body: 'Yes', preview_url: false },
    });
  });

  it('go to the phone if known, else to the user id, else nowhere', () => {
    const content = { type: 'text', text: 'Yes' } as const;
    expect(payload(content, { to: { userId: 'SO.7' } })).to.include({ recipient: 'SO.7' });
    expect(payload(content, { to: { userId: 'SO.7', phone: '+252615550101' } })).to.not.have.property('recipient');
    expect(() => payload(content, { to: {} })).to.throw(/no recipient/);
  });
});
