import { expect } from 'chai';
import { clientMessageId } from '../../domain/channel/conversationIds.js';
import {
  AMINA,
  chat,
  conversationId,
  fileId,
  messageId,
  NUMBER,
  SALES,
  STORE,
  SUPPORT,
  templateId,
} from '../support/stages/sendingHistory.js';
import { type Answer, type Body, type SendingStage, sendingStage } from '../support/stages/sendingStage.js';

const UNKNOWN = '00000000-0000-4000-8000-00000000dead';
let count = 0;
const text = (words = 'Yes, in blue.', more: object = {}): Body => ({
  clientMsgId: `c-${++count}`,
  type: 'text',
  text: words,
  ...more,
});
const template = (name = 'ready', components: object[] = [named('Asha')]): Body => ({
  clientMsgId: `c-${++count}`,
  type: 'template',
  template: { templateId: templateId(name), components },
});
const named = (name: string): object => ({ type: 'body', parameters: [{ type: 'text', text: name }] });
const refusal = ({ status, body }: Answer): [number, string] => [status, body.code];
const places = ({ body }: Answer): string[] => (body.errors ?? []).map(({ location }: Body) => location);

describe('inbox sending', () => {
  let stage: SendingStage;
  before(async () => {
    stage = await sendingStage();
  });
  after(() => stage.close());
  const send = (name: string, body: object, options = {}) =>
    stage.post(`/conversations/${conversationId(name)}/messages`, body, options);
  const start = (body: object, options = {}) => stage.post('/conversations', body, options);

  describe('sendMessage', () => {
    it('queues a text and returns it as pending, as the views show it', async () => {
      const answer = await send('hodan', text('Yes, in blue.', { clientMsgId: 'blue:1' }));
      const id = clientMessageId(conversationId('hodan'), 'blue:1');
      expect(answer.status).to.equal(202);
      const { createdAt, ...rest } = answer.body;
      expect(rest).to.deep.equal({
        id,
        conversationId: conversationId('hodan'),
        direction: 'outbound',
        type: 'text',
        text: 'Yes, in blue.',
        status: 'pending',
        reactions: [],
        deleted: false,
        clientMsgId: 'blue:1',
      });
      expect(await stage.message(id)).to.deep.equal(answer.body);
      expect((await stage.conversation(conversationId('hodan'))).unreadCount).to.equal(0);
    });

    it('queues one message for twenty concurrent requests on two instances, with the same response', async () => {
      const body = text('Only once', { clientMsgId: 'once' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => send('ladan', body, { instance: (n % 2) as 0 | 1 })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 202));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).to.equal(1);
      const queued = await stage.events(conversationId('ladan'), 'MessageQueued');
      expect(queued.filter(({ data }) => data.clientMsgId === 'once')).to.have.length(1);
    });

    it('returns the queued message to a repeat with another body, also if it could not be sent now', async () => {
      const first = await send('ladan', text('The first', { clientMsgId: 'again' }));
      for (const other of [text('Another'), { ...template('theirs') }, { type: 'image' }]) {
        const answer = await send('ladan', { ...other, clientMsgId: 'again' });
        expect([answer.status, answer.body]).to.deep.equal([202, first.body]);
      }
    });

    it('recognises a message long after the conversation has dropped it', async () => {
      const id = conversationId('ladan');
      const first = await send('ladan', text('The first of many', { clientMsgId: 'old' }));
      const old = first.body.id as string;
      const accepted = (messageId: string) => ({
        type: 'MessageAccepted',
        data: { messageId, channelMessageId: `wamid.out.${messageId}` },
      });
      const many = Array.from({ length: 320 }, (_, n) => ({
        type: 'MessageQueued',
        data: {
          messageId: messageId(`later ${n}`),
          numberId: first.body.numberId,
          to: { phone: '+252611000004' },
          content: { type: 'text', text: `${n}` },
        },
      }));
      await stage.append(`conversation-${id}`, [
        accepted(old),
        ...many.flatMap((event) => [event, accepted(event.data.messageId)]),
      ]);
      const answers = await Promise.all(
        [0, 1, 0, 1].map((instance) => send('ladan', text('Once more', { clientMsgId: 'old' }), { instance })),
      );
      for (const { status, body } of answers) {
        expect([status, body.id, body.text, body.status]).to.deep.equal([202, old, 'The first of many', 'sent']);
      }
      const queued = await stage.events(id, 'MessageQueued');
      expect(queued.filter(({ data }) => data.clientMsgId === 'old')).to.have.length(1);
      const fresh = await send('ladan', text('New'));
      expect([fresh.status, fresh.body.status]).to.deep.equal([202, 'pending']);
    });

    it('sends files by their type, with a caption and a name, and any file as a document', async () => {
      const media = (type: string, name: string, more: object = {}) => ({
        clientMsgId: `c-${++count}`,
        type,
        media: { fileId: fileId(name) },
        ...more,
      });
      const pdf = { fileId: fileId('list.pdf') };
      const photo = await send('hodan', media('image', 'shirt.jpg', { text: 'This one' }));
      expect(photo.body).to.include({ type: 'image', text: 'This one', status: 'pending' });
      expect(photo.body.media).to.deep.equal({
        status: 'ready',
        fileId: fileId('shirt.jpg'),
        mimeType: 'image/jpeg',
        caption: 'This one',
      });
      const named = { media: { fileId: fileId('shirt.jpg').toUpperCase(), filename: 'Shirt.jpg' } };
      const asDocument = await send('hodan', media('document', 'shirt.jpg', named));
      expect(asDocument.body.media).to.include({ fileId: fileId('shirt.jpg'), filename: 'Shirt.jpg' });
      expect((await send('hodan', media('document', 'list.pdf'))).body.media.filename).to.equal('list.pdf');
      for (const [given, shown] of [
        ['../../prices\u0001/2026\r\n.pdf', '2026.pdf'],
        ['C:\\stock\\list', 'list.pdf'],
        ['price\u202Efdp.exe', 'price fdp.exe.pdf'],
        ['\u202E\u0007/', 'list.pdf'],
      ] as const) {
        const { body } = await send('hodan', media('document', 'list.pdf', { media: { ...pdf, filename: given } }));
        expect(body.media?.filename, given).to.equal(shown);
      }
      for (const [type, name] of [
        ['video', 'shirt.jpg'],
        ['image', 'list.pdf'],
        ['sticker', 'shirt.jpg'],
        ['image', 'never-uploaded.jpg'],
      ] as const) {
        const answer = await send('hodan', media(type, name));
        expect(refusal(answer), type).to.deep.equal([422, 'validation_failed']);
        expect(places(answer), type).to.deep.equal(['body.media.fileId']);
      }
    });

    it('requires exactly the content of each type', async () => {
      const media = { fileId: fileId('hello.ogg') };
      for (const [body, ...at] of [
        [{ type: 'text' }, 'body.text'],
        [{ type: 'text', text: ' \n ' }, 'body.text'],
        [{ type: 'text', text: 'x', media }, 'body.media'],
        [{ type: 'text', text: 'x', template: { templateId: UNKNOWN } }, 'body.template'],
        [{ type: 'image', text: 'x' }, 'body.media'],
        [{ type: 'audio', media, text: 'no caption' }, 'body.text'],
        [{ type: 'template' }, 'body.template'],
        [{ type: 'template', text: 'x', template: { templateId: templateId('ready') } }, 'body.text'],
        [{ type: 'sticker', text: 'x' }, 'body.media', 'body.text'],
        [{ type: 'image', media: { fileId: fileId('shirt.jpg') }, text: 'é'.repeat(1_025) }, 'body.text'],
        [{ type: 'document', media: { fileId: fileId('list.pdf') }, text: 'x'.repeat(4_096) }, 'body.text'],
      ] as const) {
        const answer = await send('hodan', { clientMsgId: `c-${++count}`, ...body });
        expect(refusal(answer), JSON.stringify(body)).to.deep.equal([422, 'validation_failed']);
        expect(places(answer), JSON.stringify(body)).to.deep.equal(at);
      }
    });

    it("accepts a caption up to the channel's number of characters", async () => {
      const text = '🎉'.repeat(1_024);
      const image = { clientMsgId: `c-${++count}`, type: 'image', media: { fileId: fileId('shirt.jpg') }, text };
      const { status, body } = await send('hodan', image);
      expect([status, body.text]).to.deep.equal([202, text]);
    });

    it('sends a template as shown, with its parameters', async () => {
      const { status, body } = await send('sahra', template());
      expect(status).to.equal(202);
      expect(body).to.include({ type: 'template', text: 'Hello Asha, your order is ready.' });
      expect(body.template).to.deep.equal({ templateId: templateId('ready'), name: 'ready', language: 'en' });
      const photo = { type: 'header', parameters: [{ type: 'image', media: { fileId: fileId('shirt.jpg') } }] };
      expect((await send('sahra', template('photo', [photo, named('Asha')]))).status).to.equal(202);
    });

    it('rejects templates that are not approved, not the store’s, or incomplete', async () => {
      expect(refusal(await send('sahra', template('refused')))).to.deep.equal([409, 'template_not_approved']);
      for (const name of ['theirs', 'unknown']) {
        const answer = await send('sahra', template(name));
        expect([...refusal(answer), ...places(answer)]).to.deep.equal([
          422,
          'validation_failed',
          'body.template.templateId',
        ]);
      }
      const empty = await send('sahra', template('ready', []));
      expect(refusal(empty)).to.deep.equal([422, 'template_parameters_invalid']);
      const photo = { type: 'header', parameters: [{ type: 'image', media: { fileId: fileId('list.pdf') } }] };
      const wrong = await send('sahra', template('photo', [photo, named('Asha')]));
      expect([...refusal(wrong), ...places(wrong)]).to.deep.equal([
        422,
        'validation_failed',
        'body.template.components[0].parameters[0].media.fileId',
      ]);
    });

    it('accepts only templates outside the 24 hours', async () => {
      expect(refusal(await send('sahra', text()))).to.deep.equal([409, 'window_closed']);
    });

    it("replies only to a message of the conversation, with the channel's id", async () => {
      const reply = await send('hodan', text('Yes', { replyToMessageId: messageId('hodan 1') }));
      expect(reply.body.replyToMessageId).to.equal(messageId('hodan 1'));
      const [queued] = (await stage.events(conversationId('hodan'), 'MessageQueued')).filter(
        ({ data }) => data.messageId === reply.body.id,
      );
      expect(queued.data.repliesTo).to.equal('wamid.hodan 1');
      for (const id of [messageId('ladan 1'), UNKNOWN]) {
        const answer = await send('hodan', text('Yes', { replyToMessageId: id }));
        expect([...refusal(answer), ...places(answer)]).to.deep.equal([
          422,
          'validation_failed',
          'body.replyToMessageId',
        ]);
      }
    });

    it('finds the channel’s id of a message that the conversation has dropped', async () => {
      const target = messageId('later 3');
      const reply = await send('ladan', text('About that', { replyToMessageId: target }));
      const queued = (await stage.events(conversationId('ladan'), 'MessageQueued')).at(-1);
      expect([reply.status, queued.data.repliesTo]).to.deep.equal([202, `wamid.out.${target}`]);
    });

    it('reaches no conversation of another store, or of a team that is not the member’s', async () => {
      for (const options of [{ caller: 'bilal' }, { caller: 'other', store: STORE }])
        expect((await send('hodan', text(), options)).status, options.caller).to.equal(404);
      expect((await send('nobody', text())).status).to.equal(404);
      expect((await send('hodan', text(), { caller: 'cabdi' })).status).to.equal(202);
    });

    it('assigns an unassigned chat to the member who writes in it', async () => {
      const first = await send('ubax', text('I am on it'), { caller: 'cabdi' });
      const { assigneeMemberId } = await stage.conversation(conversationId('ubax'));
      expect(assigneeMemberId).to.equal(first.body.sentByMemberId);
      await send('ubax', text('Me too'), { caller: 'bilal' });
      expect((await stage.conversation(conversationId('ubax'))).assigneeMemberId).to.equal(assigneeMemberId);
    });
  });

  describe('startConversation', () => {
    it('opens a conversation with a customer who never wrote, for the default team', async () => {
      const answer = await start({ phone: '252 61 555 0101', message: template() }, { caller: 'amina' });
      expect(answer.status).to.equal(202);
      const { conversation, message } = answer.body;
      expect(conversation.contact).to.include({ phone: '+252615550101', language: 'so' });
      expect(conversation).to.include({
        routingState: 'routed',
        teamId: SALES,
        status: 'open',
        assigneeMemberId: AMINA,
        unreadCount: 0,
      });
      expect(message).to.include({
        conversationId: conversation.id,
        type: 'template',
        status: 'pending',
        sentByMemberId: AMINA,
      });
      const again = await start({ phone: '+252 61 555 0101', message: template() });
      expect(again.body.conversation.id).to.equal(conversation.id);
    });

    it('starts once for twenty concurrent requests on two instances', async () => {
      const body = { phone: '+252615550102', message: template() };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => start(body, { instance: (n % 2) as 0 | 1 })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 202));
      const ids = new Set(answers.map(({ body: { conversation, message } }) => `${conversation.id} ${message.id}`));
      expect(ids.size).to.equal(1);
      const events = await stage.events(answers[0]!.body.conversation.id);
      expect(events.map(({ type }) => type)).to.deep.equal([
        'ConversationStarted',
        'ConversationRouted',
        'MessageQueued',
      ]);
    });

    it('uses the given team, and reopens a closed conversation', async () => {
      const body = { phone: '+252615550103', message: template(), teamId: SUPPORT };
      const { conversation } = (await start(body)).body;
      expect(conversation.teamId).to.equal(SUPPORT);
      await stage.append(`conversation-${conversation.id}`, [
        { type: 'ConversationStatusChanged', data: { status: 'closed', before: 'open' } },
      ]);
      const again = await start({ phone: '+252615550103', message: template() });
      expect(again.body.conversation).to.include({ id: conversation.id, teamId: SUPPORT, status: 'open' });
      const moved = await start({ phone: '+252615550103', message: template(), teamId: SALES });
      expect(moved.body.conversation).to.include({ id: conversation.id, teamId: SALES });
    });

    it('allows a member only their own teams', async () => {
      const phone = '+252615550104';
      const named = await start({ phone, message: template(), teamId: SALES }, { caller: 'bilal' });
      expect(refusal(named)).to.deep.equal([403, 'permission_denied']);
      const own = await start({ phone, message: template() }, { caller: 'bilal' });
      expect(own.body.conversation.teamId).to.equal(SUPPORT);
      const theirs = await start({ phone, message: template() }, { caller: 'amina' });
      expect(refusal(theirs)).to.deep.equal([403, 'permission_denied']);
      const none = await start({ phone: '+252615550105', message: template() }, { caller: 'dahir' });
      expect([none.status, none.body.conversation?.teamId]).to.deep.equal([202, undefined]);
      const unknown = await start({ phone, message: template(), teamId: UNKNOWN });
      expect([...refusal(unknown), ...places(unknown)]).to.deep.equal([422, 'validation_failed', 'body.teamId']);
    });

    it('requires a template and a valid number', async () => {
      const words = await start({ phone: '+252615550106', message: text() });
      expect([...refusal(words), ...places(words)]).to.deep.equal([422, 'validation_failed', 'body.message.type']);
      for (const phone of ['nobody', '12', '+252', '+252615550106 ext. 5', '061 555 0106', '+999615550106']) {
        const answer = await start({ phone, message: template() });
        expect([...refusal(answer), ...places(answer)], phone).to.deep.equal([422, 'validation_failed', 'body.phone']);
      }
      const empty = await start({ phone: '+252615550106', message: template('ready', []) });
      expect(refusal(empty)).to.deep.equal([422, 'template_parameters_invalid']);
      expect(places(empty)[0]).to.match(/^body\.message\.template\.components/);
    });

    it('needs a connected number', async () => {
      const options = { caller: 'other', store: '00000000-0000-4000-8000-0000000000a2' };
      const answer = await start({ phone: '+252615550107', message: template('theirs') }, options);
      expect(refusal(answer)).to.deep.equal([409, 'no_channel_number']);
    });
  });

  describe('the limit of pending messages', () => {
    const waiting = (name: string, size: number) =>
      Array.from({ length: size }, (_, n) => ({
        type: 'MessageQueued',
        data: {
          messageId: messageId(`${name} waits ${n}`),
          numberId: NUMBER,
          to: { phone: '+252611000001' },
          content: { type: 'text', text: `${n}` },
        },
      }));
    const stream = (name: string) => `conversation-${conversationId(name)}`;

    it('is 1,000 per conversation; the response contains the time of a retry', async () => {
      const { events } = chat('farah', '+252611000005', 1);
      await stage.append(stream('farah'), [...events, ...waiting('farah', 999)]);
      await stage.shown();
      expect((await send('farah', text())).status).to.equal(202);
      const full = await send('farah', text());
      expect([...refusal(full), full.headers.get('retry-after')]).to.deep.equal([503, 'unavailable', '60']);
      expect((await send('hodan', text())).status).to.equal(202);
    });

    it('is 10,000 per store, counted as they are sent', async () => {
      for (let n = 1; n <= 9; n++) await stage.append(stream(`crowd ${n}`), waiting(`crowd ${n}`, 1_000));
      await stage.shown();
      const full = await send('hodan', text());
      expect([...refusal(full), full.headers.get('retry-after')]).to.deep.equal([503, 'unavailable', '60']);
      const ids = waiting('crowd 1', 1_000).map(({ data }) => data.messageId);
      const gone = ids.map((messageId) => ({
        type: 'MessageAccepted',
        data: { messageId, channelMessageId: `wamid.${messageId}` },
      }));
      await stage.append(stream('crowd 1'), gone);
      await stage.shown();
      expect((await send('hodan', text())).status).to.equal(202);
    });
  });
});
