import { at, CURSOR, IDS } from './ids.js';

export const conversation = {
  id: IDS.conversation,
  numberId: IDS.number,
  contact: {
    id: IDS.contact,
    phone: '+252615550101',
    name: 'Hodan Ali',
    language: 'so',
    tags: ['wholesale'],
    channelName: 'Hodan',
  },
  routingState: 'routed',
  status: 'open',
  unreadCount: 1,
  lastMessageAt: at('08:29:11.000'),
  pinned: false,
  teamId: IDS.team,
  assigneeMemberId: IDS.member,
  windowExpiresAt: '2026-11-22T08:29:11Z',
  lastMessage: { direction: 'inbound', type: 'text', text: 'Do you have it in M?', status: 'received', deleted: false },
  createdAt: '2026-11-02T15:04:05.120Z',
  updatedAt: at('08:29:11.364'),
};

export const received = {
  id: IDS.message,
  conversationId: IDS.conversation,
  direction: 'inbound',
  type: 'text',
  text: 'Do you have it in M?',
  status: 'received',
  reactions: [],
  deleted: false,
  createdAt: at('08:29:11.000'),
};

const reply = { clientMsgId: 'reply-1042-1', type: 'text', text: 'Yes, in S and M.', replyToMessageId: IDS.message };
export const queued = {
  id: IDS.answer,
  conversationId: IDS.conversation,
  direction: 'outbound',
  ...reply,
  status: 'pending',
  reactions: [],
  deleted: false,
  sentByMemberId: IDS.member,
  createdAt: at('08:29:58.730'),
};
export const delivered = {
  ...queued,
  status: 'delivered',
  sentAt: at('08:29:59.000'),
  deliveredAt: at('08:30:00.000'),
};

const components = [
  {
    type: 'body',
    parameters: [
      { type: 'text', text: 'Hodan' },
      { type: 'text', text: '20 %' },
    ],
  },
];
const offer = { clientMsgId: 'offer-hodan-1', type: 'template', template: { templateId: IDS.template, components } };

const definition = {
  body: {
    text: 'Hello {{1}}, indigo dirac is {{2}} off until Friday.',
    examples: [{ value: 'Asha' }, { value: '10 %' }],
  },
  footer: { text: 'Reply STOP to hear no more' },
  buttons: [{ type: 'url', text: 'See it', url: 'https://shop.example.com/dirac' }],
};
const template = {
  id: IDS.template,
  name: 'indigo_offer',
  language: 'en_US',
  category: 'marketing',
  definition,
  parameterFormat: 'positional',
  status: 'approved',
  editPending: false,
  quality: 'GREEN',
  syncedAt: at('07:00:00.000'),
  createdAt: '2026-11-10T09:00:00.000Z',
  updatedAt: '2026-11-10T11:42:00.000Z',
};

const recording = {
  id: IDS.recording,
  name: 'While you wait',
  kind: 'hold',
  source: 'uploaded',
  status: 'ready',
  playable: true,
  isDefault: false,
  createdBy: 'operator',
  createdAt: '2026-11-03T10:00:00.000Z',
  updatedAt: '2026-11-03T10:00:04.000Z',
  uses: [{ kind: 'team_queue', teamId: IDS.team, field: 'hold' }],
  language: 'so',
  durationMs: 42_000,
  size: 171_008,
};

/** Samples by the name of the schema. */
export const inboxSamples: Readonly<Record<string, unknown>> = {
  ConversationBody: conversation,
  UpdateConversationInputBody: { pinned: true, read: true },
  ConversationListOutputBody: { conversations: [conversation], next: CURSOR },
  StartInputBody: { phone: '+252615550101', message: offer, teamId: IDS.team },
  StartOutputBody: {
    conversation,
    message: {
      id: IDS.answer,
      conversationId: IDS.conversation,
      direction: 'outbound',
      type: 'template',
      text: 'Hello Hodan, indigo dirac is 20 % off until Friday.',
      status: 'pending',
      clientMsgId: offer.clientMsgId,
      template: { templateId: IDS.template, name: template.name, language: template.language },
      reactions: [],
      deleted: false,
      createdAt: at('08:15:00.000'),
    },
  },
  SendBody: reply,
  MessageBody: queued,
  ThreadOutputBody: { messages: [queued, received], next: CURSOR },
  FileBody: {
    id: IDS.file,
    name: 'dress.png',
    mimeType: 'image/png',
    size: 48_213,
    kind: 'image',
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    createdAt: at('08:29:40.000'),
  },
  RecordingBody: recording,
  RecordingsBody: { recordings: [recording], count: 1, limit: 20, unlimited: false },
  CreateInputBody2: { name: template.name, language: template.language, category: template.category, definition },
  EditInputBody: { definition: { ...definition, footer: { text: 'Reply STOP to end' } } },
  TemplateBody: template,
  ListOutputBody3: { templates: [template], next: CURSOR, syncedAt: template.syncedAt },
  PreviewInputBody: { components },
  PreviewOutputBody: {
    templateId: IDS.template,
    body: 'Hello Hodan, indigo dirac is 20 % off until Friday.',
    buttons: [{ type: 'url', text: 'See it', url: 'https://shop.example.com/dirac' }],
    text: 'Hello Hodan, indigo dirac is 20 % off until Friday.\nReply STOP to hear no more',
    footer: definition.footer.text,
  },
};
