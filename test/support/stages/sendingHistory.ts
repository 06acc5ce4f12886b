/** History before the tests of sending: a store with a number, teams, files and templates, and conversations. */
import type { MemberAccess } from '../../../application/access/principal.js';
import type { MemberEvent } from '../../../domain/access/memberEvents.js';
import type { ConversationEvent } from '../../../domain/channel/conversationEvents.js';
import type { DomainEvent } from '../../../domain/decider.js';
import type { StoredRecord } from '../../../domain/files/file.js';
import { derivedId } from '../../../domain/ids.js';
import type { TemplateEvent } from '../../../domain/templates/templateEvents.js';

export const STORE = '00000000-0000-4000-8000-0000000000a1';
export const OTHER_STORE = '00000000-0000-4000-8000-0000000000a2';
export const NUMBER = '00000000-0000-4000-8000-0000000000f1';
export const SALES = '00000000-0000-4000-8000-000000000101';
export const SUPPORT = '00000000-0000-4000-8000-000000000102';
export const AMINA = '00000000-0000-4000-8000-000000000201';
export const BILAL = '00000000-0000-4000-8000-000000000202';
const CABDI = '00000000-0000-4000-8000-000000000203';

/** amina: in the default team; bilal: in another; cabdi: sees every team; dahir: in none. */
export const MEMBERS: ReadonlyMap<string, MemberAccess> = new Map([
  ['amina', { memberId: AMINA, role: 'agent', teamIds: [SALES], seesEveryTeam: false }],
  ['bilal', { memberId: BILAL, role: 'agent', teamIds: [SUPPORT], seesEveryTeam: false }],
  ['cabdi', { memberId: CABDI, role: 'supervisor', teamIds: [], seesEveryTeam: true }],
  ['dahir', { memberId: derivedId('dahir'), role: 'agent', teamIds: [], seesEveryTeam: false }],
]);

export const conversationId = (name: string): string => derivedId('sending conversation', name);
export const templateId = (name: string): string => derivedId('sending template', name);
export const fileId = (name: string): string => derivedId('sending file', name);
export const messageId = (name: string): string => derivedId('sending message', name);

const file = (name: string, mimeType: string, kind: StoredRecord['kind']): [string, StoredRecord] => [
  fileId(name),
  {
    name,
    mimeType,
    size: 5,
    sha256: '00',
    kind,
    contentId: fileId(name),
    source: 'upload',
    workspaceId: STORE,
    createdAt: '',
  },
];

export const FILES: ReadonlyMap<string, StoredRecord> = new Map([
  file('shirt.jpg', 'image/jpeg', 'image'),
  file('list.pdf', 'application/pdf', 'document'),
  file('hello.ogg', 'audio/ogg', 'audio'),
]);

const team = (teamId: string, name: string, isDefault: boolean): MemberEvent => ({
  type: 'TeamCreated',
  data: {
    teamId,
    isDefault,
    name,
    color: 'chart-1',
    members: [{ memberId: AMINA }],
    queue: { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 },
    workingHours: null,
  },
});

const template = (name: string, status: 'approved' | 'rejected', more: object = {}): TemplateEvent => ({
  type: 'TemplateFound',
  data: {
    name,
    language: 'en',
    category: 'utility',
    parameterFormat: 'positional',
    definition: {
      body: {
        text: 'Hello {{1}}, your order is ready.',
        examples: [{ value: 'Asha' }],
      },
      ...more,
    },
    providerId: '1',
    status,
    at: '2026-03-01T00:00:00.000Z',
  },
});

/** `hoursAgo`: when the customer last wrote; undefined: never. `teamOf`: team of the chat. */
export const chat = (name: string, phone: string, hoursAgo?: number, teamOf?: string) => ({
  stream: `conversation-${conversationId(name)}`,
  events: [
    {
      type: 'ConversationStarted',
      data: {
        numberId: NUMBER,
        customer: { phone, name: 'Hodan' },
        contact: { contactId: derivedId('contact', phone), language: 'so' },
      },
    },
    { type: 'ConversationRouted', data: { by: 'default', ...(teamOf === undefined ? {} : { teamId: teamOf }) } },
    ...(hoursAgo === undefined ? [] : [texted(`${name} 1`, hoursAgo, phone)]),
  ] satisfies ConversationEvent[] as ConversationEvent[],
});

export const texted = (name: string, hoursAgo: number, phone: string): ConversationEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: messageId(name),
    channelMessageId: `wamid.${name}`,
    sentAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
    content: { type: 'text', text: 'Is it still there?' },
    customer: { phone },
  },
});

interface Happened {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
  readonly store?: string;
}

export const history = (): readonly Happened[] => [
  {
    stream: `store-${STORE}`,
    events: [
      {
        type: 'ChannelNumberConnected',
        data: {
          numberId: NUMBER,
          phoneNumberId: '106500000000001',
          displayPhoneNumber: '+15550001111',
          businessAccountId: '200300400500600',
          catalogId: '900800700600500',
        },
      } as DomainEvent,
    ],
  },
  { stream: `members-${STORE}`, events: [team(SALES, 'Sales', true), team(SUPPORT, 'Support', false)] },
  ...[...FILES].map(([id, { workspaceId: _, createdAt: __, ...data }]) => ({
    stream: `file-${id}`,
    events: [{ type: 'FileStored', data }],
  })),
  { stream: `template-${templateId('ready')}`, events: [template('ready', 'approved')] },
  {
    stream: `template-${templateId('photo')}`,
    events: [template('photo', 'approved', { header: { format: 'image' } })],
  },
  { stream: `template-${templateId('refused')}`, events: [template('refused', 'rejected')] },
  { stream: `template-${templateId('theirs')}`, events: [template('theirs', 'approved')], store: OTHER_STORE },
  chat('hodan', '+252611000001', 1, SALES),
  chat('ubax', '+252611000002', 1, SUPPORT),
  chat('sahra', '+252611000003', 25),
  chat('ladan', '+252611000004', 1),
];
