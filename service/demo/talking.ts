/** The demo's chapters on talk: a member answers a customer's photo, and writes to another customer after a day. */
import { randomUUID } from 'node:crypto';
import { expect, holds } from './client.js';
import { Customer, type Received } from './customer.js';
import type { Member } from './signingIn.js';
import { eventually } from './stage.js';
import type { Scene } from './story.js';

const NIMCO = '252615550104';
const FARAH = '252615550105';
const HOUR_MS = 3_600_000;
/** A picture of one pixel, and another. */
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ANSWER = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC',
  'base64',
);

interface Message {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly status: string;
  readonly media?: { readonly status: string; readonly fileId?: string };
  readonly reactions: readonly { readonly emoji: string }[];
  readonly replyToMessageId?: string;
  readonly sentByMemberId?: string;
}

/** The conversation with a customer, and its messages as the session sees them. */
async function chatWith({ W }: Scene, { client }: Member, phone: string) {
  const id = await eventually(
    'the conversation is listed',
    async () => {
      const { conversations } = (await client.get(`${W}/conversations`)).body;
      return (conversations as { id: string; contact: { phone: string } }[]).find(
        ({ contact }) => contact.phone === `+${phone}`,
      )?.id;
    },
    (found) => found !== undefined,
  );
  const path = `${W}/conversations/${id}`;
  const messages = async (): Promise<Message[]> => (await client.get(`${path}/messages`)).body.messages;
  return {
    path,
    get: async () => (await client.get(path)).body,
    message: (what: string, good: (message: Message) => boolean) =>
      eventually(
        what,
        async () => (await messages()).find(good),
        (found) => found !== undefined,
      ).then((found) => found!),
    send: (body: object) => client.post(`${path}/messages`, { clientMsgId: randomUUID(), ...body }),
  };
}

/** A customer asks with a photo and is answered with another. */
export async function answerPhoto(scene: Scene, member: Member): Promise<void> {
  const { stage, channel, W, tell } = scene;
  tell('# A customer sends a photo, and is answered');
  const nimco = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, NIMCO, 'Nimco');
  const image = { base64: PHOTO.toString('base64'), mimeType: 'image/png', caption: 'Do you have this one?' };
  const wamid = await nimco.send({ image });
  const chat = await chatWith(scene, member, NIMCO);
  const photo = await chat.message('the photo is copied', ({ media }) => media?.status === 'ready');
  expect('the photo', [photo.type, photo.text], ['image', image.caption]);
  const file = await member.client.bytes(`${W}/files/${photo.media?.fileId}`);
  expect('getFile', [file.status, file.type], [200, 'image/png']);
  holds("getFile gives the customer's bytes", file.bytes.equals(PHOTO), file.bytes.length);
  tell(`  listMessages: an image, "${photo.text}"; getFile gives its ${file.bytes.length} bytes`);

  const clientMsgId = randomUUID();
  const reply = { clientMsgId, type: 'text', text: 'Yes, in S and M.', replyToMessageId: photo.id };
  const sent = await chat.send(reply);
  expect('sendMessage', sent.status, 202);
  const once = await chat.send(reply);
  expect('sent once', [once.body.id, sent.body.sentByMemberId], [sent.body.id, member.memberId]);
  const [answer] = await nimco.reads('the answer', 1);
  expect('what she reads', [answer?.text, answer?.replyTo], [reply.text, wamid]);
  const uploaded = await member.client.upload(`${W}/files`, 'dress.png', 'image/png', ANSWER);
  expect('uploadFile', uploaded.status, 201);
  await chat.send({ type: 'image', text: 'Like this', media: { fileId: uploaded.body.id } });
  const [picture] = await nimco.reads('a picture', 1);
  expect('its caption', picture?.text, 'Like this');
  holds('the picture is the one that was uploaded', (await nimco.opens(picture as Received)).equals(ANSWER), picture);
  tell('  she gets the answer as a reply to her photo, once for two equal requests, and a picture back');

  await nimco.send({ reaction: { to: answer?.wamid, emoji: '👍' } });
  const delivered = await chat.message(
    'her reaction arrives',
    ({ id, status, reactions }) =>
      id === sent.body.id && status !== 'pending' && status !== 'sent' && reactions.length === 1,
  );
  await nimco.calls();
  await chat.message('the missed call', ({ type }) => type === 'call');
  tell(
    `  the answer is ${delivered.status}, with ${delivered.reactions[0]?.emoji}; then she calls, and nobody answers`,
  );
}

/** What the partner's endpoint hears of it. */
export async function checkMessageWebhooks({ receiver, tell }: Scene): Promise<void> {
  const wanted = ['message.received', 'message.updated', 'call.missed'];
  const events = await eventually(
    'the endpoint hears of messages',
    async () => receiver.events.filter(({ type }) => wanted.includes(type)),
    (list) => wanted.every((type) => list.some((one) => one.type === type)),
  );
  expect('wrongly signed deliveries', receiver.wronglySigned.length, 0);
  const [received] = events.filter(
    ({ type, data }) => type === 'message.received' && (data.message as Message).type === 'image',
  );
  holds(
    'message.received carries the message',
    received !== undefined,
    events.map(({ type }) => type),
  );
  tell('  the endpoint got message.received, message.updated and call.missed, each rightly signed');
}

const OFFER = {
  name: 'back_in_stock',
  language: 'en',
  category: 'utility',
  definition: {
    header: { format: 'text', text: 'Good news' },
    body: {
      text: 'Hi {{1}}, {{2}} is here again.',
      examples: [{ value: 'Farah' }, { value: 'the indigo dress' }],
    },
    footer: { text: 'Reply to buy it' },
    buttons: [{ type: 'quick_reply', text: 'Keep one for me' }],
  },
};

/** A day after a customer's last message only an approved template may go: it is written, reviewed, previewed and sent. */
export async function writeLater(scene: Scene, member: Member): Promise<void> {
  const { stage, channel, W, tell } = scene;
  tell('# The store writes to a customer after a day');
  const farah = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, FARAH, 'Farah');
  await farah.send({ text: 'Is the indigo dress back?', at: Date.now() - 25 * HOUR_MS });
  const chat = await chatWith(scene, member, FARAH);
  const late = await chat.send({ type: 'text', text: 'It is' });
  expect('a text after 24 hours', [late.status, late.body.code], [409, 'window_closed']);

  const created = await member.client.post(`${W}/templates`, OFFER);
  expect('createTemplate', created.status, 201);
  const path = `${W}/templates/${created.body.id}`;
  const approved = await eventually(
    'the template is approved',
    async () => (await member.client.get(path)).body,
    ({ status }) => status === 'approved',
  );
  const components = [
    { type: 'body', parameters: ['Farah', 'the indigo dress'].map((text) => ({ type: 'text', text })) },
  ];
  const [tooFew] = components.map((one) => ({ ...one, parameters: one.parameters.slice(1) }));
  const wrong = await member.client.post(`${path}/preview`, { components: [tooFew] });
  expect('a preview with a value missing', [wrong.status, wrong.body.code], [422, 'template_parameters_invalid']);
  const preview = await member.client.post(`${path}/preview`, { components });
  expect('previewTemplate', preview.status, 200);
  tell(`  a text is refused (${late.body.code}); the template ${approved.name} is ${approved.status}`);
  tell(`  previewTemplate: "${preview.body.text.replaceAll('\n', ' ')}"`);

  const sent = await chat.send({ type: 'template', template: { templateId: created.body.id, components } });
  expect('the message shows what the preview did', sent.body.text, preview.body.text);
  const [notice] = await farah.reads('the template', 1);
  expect('what he reads', notice?.text, preview.body.body);
  await farah.send({ button: { text: 'Keep one for me' } });
  await chat.message('his answer', ({ text, type }) => type === 'interactive' && text === 'Keep one for me');
  const open = (await chat.send({ type: 'text', text: 'Done!' })).status;
  expect('a text after his answer', open, sent.status);
  await farah.reads('the text', 1);
  tell('  he reads it, taps its button, and the window is open again');
}
