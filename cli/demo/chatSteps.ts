/** The demo's chapters on talk: a member answers a customer's photo, and writes to another customer after a day. */
import { randomUUID } from 'node:crypto';
import type { Events, Schemas, WebhookEvent } from '../../client/src/index.js';
import { check, expect, refusal } from './client.js';
import { Customer, type Received } from './customer.js';
import type { Member } from './signIn.js';
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

type Message = Schemas['MessageBody'];

/** The conversation with a customer, and its messages as the session sees them. */
async function chatWith({ workspaceId }: Scene, { client }: Member, phone: string) {
  const conversationId = await eventually(
    'the conversation is listed',
    async () => {
      const { conversations } = await client.listConversations({ workspaceId });
      return conversations.find(({ contact }) => contact.phone === `+${phone}`)?.id;
    },
    (found) => found !== undefined,
  );
  const chat = { workspaceId, conversationId: conversationId! };
  return {
    message: (what: string, good: (message: Message) => boolean) =>
      eventually(
        what,
        async () => (await client.listMessages(chat)).messages.find(good),
        (found) => found !== undefined,
      ).then((found) => found!),
    send: (body: Omit<Schemas['SendBody'], 'clientMsgId'> & { readonly clientMsgId?: string }) =>
      client.sendMessage({ ...chat, body: { clientMsgId: randomUUID(), ...body } }),
  };
}

/** A customer sends a photo, and the store replies with another. */
export async function answerPhoto(scene: Scene, member: Member): Promise<void> {
  const { stage, channel, workspaceId, print } = scene;
  print('# A customer sends a photo and gets an answer');
  const nimco = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, NIMCO, 'Nimco');
  const image = { base64: PHOTO.toString('base64'), mimeType: 'image/png', caption: 'Do you have this one?' };
  const wamid = await nimco.send({ image });
  const chat = await chatWith(scene, member, NIMCO);
  const photo = await chat.message('the photo is copied', ({ media }) => media?.status === 'ready');
  expect('the photo', [photo.type, photo.text], ['image', image.caption]);
  const file = await member.client.getFile({ workspaceId, fileId: photo.media?.fileId ?? '' });
  expect('getFile', [file.status, file.mimeType], [200, 'image/png']);
  const bytes = await file.bytes();
  check("getFile gives the customer's bytes", PHOTO.equals(bytes), bytes.length);
  print(`  listMessages: an image, "${photo.text}"; getFile gives its ${bytes.length} bytes`);

  const clientMsgId = randomUUID();
  const reply = { clientMsgId, type: 'text', text: 'Yes, in S and M.', replyToMessageId: photo.id } as const;
  const sent = await chat.send(reply);
  const once = await chat.send(reply);
  expect('sent once', [once.id, sent.sentByMemberId], [sent.id, member.memberId]);
  const [answer] = await nimco.reads('the answer', 1);
  expect('what she reads', [answer?.text, answer?.replyTo], [reply.text, wamid]);
  const picked = { content: ANSWER, filename: 'dress.png', mimeType: 'image/png' };
  const { id: fileId } = await member.client.uploadFile({ workspaceId, file: picked });
  await chat.send({ type: 'image', text: 'Like this', media: { fileId } });
  const [picture] = await nimco.reads('a picture', 1);
  expect('its caption', picture?.text, 'Like this');
  check('the picture is the one that was uploaded', (await nimco.opens(picture as Received)).equals(ANSWER), picture);
  print('  she gets the answer as a reply to her photo, once for two equal requests, and a picture back');

  await nimco.send({ reaction: { to: answer?.wamid, emoji: '👍' } });
  const delivered = await chat.message(
    'her reaction arrives',
    ({ id, status, reactions }) =>
      id === sent.id && status !== 'pending' && status !== 'sent' && reactions.length === 1,
  );
  await nimco.calls();
  await chat.message('the missed call', ({ type }) => type === 'call');
  print(
    `  the answer is ${delivered.status}, with ${delivered.reactions[0]?.emoji}; then she calls, and nobody answers`,
  );
}

/** Checks the webhooks of the partner's endpoint. */
export async function checkMessageWebhooks({ receiver, print }: Scene): Promise<void> {
  const requested: string[] = ['message.received', 'message.updated', 'call.missed'];
  const events = await eventually(
    'the endpoint receives message events',
    async () => receiver.events.filter(({ type }) => requested.includes(type)),
    (list) => requested.every((type) => list.some((one) => one.type === type)),
  );
  expect('wrongly signed deliveries', receiver.wronglySigned.length, 0);
  const isPhoto = (event: WebhookEvent): event is Events['message.received'] =>
    event.type === 'message.received' && event.data.message.type === 'image';
  const [received] = events.filter(isPhoto);
  check(
    'message.received carries the message',
    received !== undefined,
    events.map(({ type }) => type),
  );
  print('  the endpoint got message.received, message.updated and call.missed, each with a valid signature');
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
} as const;

/** A day after a customer's last message only an approved template may go: it is written, reviewed, previewed and sent. */
export async function writeLater(scene: Scene, member: Member): Promise<void> {
  const { stage, channel, workspaceId, print } = scene;
  print('# The store writes to a customer after a day');
  const farah = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, FARAH, 'Farah');
  await farah.send({ text: 'Is the indigo dress back?', at: Date.now() - 25 * HOUR_MS });
  const chat = await chatWith(scene, member, FARAH);
  const late = await refusal(chat.send({ type: 'text', text: 'It is' }));
  expect('a text after 24 hours', late, 'window_closed');

  const { id: templateId } = await member.client.createTemplate({ workspaceId, body: OFFER });
  const template = { workspaceId, templateId };
  const approved = await eventually(
    'the template is approved',
    () => member.client.getTemplate(template),
    ({ status }) => status === 'approved',
  );
  const components = [
    { type: 'body', parameters: ['Farah', 'the indigo dress'].map((text) => ({ type: 'text', text }) as const) },
  ] as const;
  const tooFew = components.map((one) => ({ ...one, parameters: one.parameters.slice(1) }));
  const wrong = member.client.previewTemplate({ ...template, body: { components: tooFew } });
  expect('a preview without a value', await refusal(wrong), 'template_parameters_invalid');
  const preview = await member.client.previewTemplate({ ...template, body: { components } });
  print(`  a text is refused (${late}); the template ${approved.name} is ${approved.status}`);
  print(`  previewTemplate: "${preview.text.replaceAll('\n', ' ')}"`);

  const sent = await chat.send({ type: 'template', template: { templateId, components } });
  expect('the message equals the preview', sent.text, preview.text);
  const [notice] = await farah.reads('the template', 1);
  expect('what he reads', notice?.text, preview.body);
  await farah.send({ button: { text: 'Keep one for me' } });
  await chat.message('his answer', ({ text, type }) => type === 'interactive' && text === 'Keep one for me');
  await chat.send({ type: 'text', text: 'Done!' });
  await farah.reads('the text', 1);
  print('  he reads it, taps its button, and the window is open again');
}
