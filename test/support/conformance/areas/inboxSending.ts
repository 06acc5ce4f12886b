/**
 * Conformance rows for sending in the inbox, copied by hand from specification 2 ('Inbox' and its schemas), and the
 * fields that its requests need.
 */
import { operations } from '../../../../api/operations/index.js';
import { until } from '../../doubles/fakeClock.js';
import type { Body } from '../answers.js';
import type { Limited, Specified } from '../rows.js';
import { type ConformanceStage, operationNamed } from '../stage.js';

const inbox = { scope: 'inbox:reply', feature: 'channel.number' };
const others = [403, 404, 409, 422, 500, 503];

export const sendingSpecified: readonly Specified[] = [
  {
    id: 'startConversation',
    route: 'POST {W}/conversations',
    ...inbox,
    takes: 'StartInputBody',
    answers: { 202: 'StartOutputBody' },
    others,
  },
  {
    id: 'sendMessage',
    route: 'POST {W}/conversations/{conversationId}/messages',
    ...inbox,
    takes: 'SendBody',
    answers: { 202: 'MessageBody' },
    others,
  },
];

export const sendingSchemas: Readonly<Record<string, string>> = {
  SendBody: 'clientMsgId type text? media? replyToMessageId? template?',
  StartInputBody: 'phone message teamId?',
  StartOutputBody: 'conversation message',
  TemplateSendBody: 'templateId components?',
};

let count = 0;
/** Approved template of the main store. A dummy id until `prepareSending` finds one; nothing looks it up before. */
let templateId = '00000000-0000-4000-8000-00000000dead';

/** Syncs the provider's templates into the main store. */
export async function prepareSending(stage: ConformanceStage): Promise<void> {
  const [sync, list] = ['syncTemplates', 'listTemplates'].map((id) => operationNamed(operations, id));
  await stage.call(sync!);
  await until('the store knows an approved template', async () => {
    const { templates } = (await stage.call(list!)).body;
    const found = templates.find(({ name, status }: Body) => name === 'hello_world' && status === 'approved');
    templateId = found?.id ?? templateId;
    return found !== undefined;
  });
}

export const sendingFields: Readonly<Record<string, () => object>> = {
  sendMessage: () => ({ clientMsgId: `message-${++count}`, type: 'text', text: 'Yes, in blue.' }),
  startConversation: () => ({
    phone: '+252611000009',
    message: { clientMsgId: `start-${++count}`, type: 'template', template: { templateId } },
  }),
};

const NO_TEXT = [7, true, null, {}, ['x']];
const NO_ID = '00000000-0000-4000-8000-00000000dead';
const chars = (length: number): string => 'x'.repeat(length);

export const sendingLimits: readonly Limited[] = [
  {
    operation: 'sendMessage',
    body: { clientMsgId: 'limits', type: 'text', text: 'Yes, in blue.' },
    required: ['clientMsgId', 'type'],
    least: { text: 'Yes' },
    objects: [''],
    limits: [
      {
        at: 'clientMsgId',
        accepts: ['x', 'Az09._:-', chars(64)],
        refuses: ['', chars(65), 'a b', 'a/b', 'é', 'a\n', '$', ...NO_TEXT],
      },
      { at: 'type', accepts: ['text'], refuses: ['', 'TEXT', 'location', 'note', ...NO_TEXT] },
      { at: 'text', accepts: ['x', chars(4096)], refuses: [chars(4097), ...NO_TEXT] },
      { at: 'replyToMessageId', accepts: [], refuses: ['', 'no-id', ...NO_TEXT] },
      { at: 'media.fileId', fields: { media: { fileId: NO_ID } }, accepts: [], refuses: ['', 'no-id', ...NO_TEXT] },
      { at: 'media.filename', fields: { media: { fileId: NO_ID } }, accepts: [], refuses: [chars(241), ...NO_TEXT] },
      {
        at: 'template.templateId',
        fields: { template: { templateId: NO_ID } },
        accepts: [],
        refuses: ['', 'no-id', ...NO_TEXT],
      },
      {
        at: 'template.components',
        fields: { template: { templateId: NO_ID } },
        accepts: [],
        refuses: [Array.from({ length: 13 }, () => ({ type: 'body' })), {}, 'x'],
      },
    ],
  },
];
