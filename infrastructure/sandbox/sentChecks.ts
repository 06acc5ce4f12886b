/** A message of the service, checked as the channel does before it takes it. (shared reference: 'Outbound'.) */

import type { JsonObject } from '../../domain/jsonObject.js';
import { record as found, list } from '../untypedJson.js';
import { lengthOf } from './bodyText.js';
import type { SandboxCustomer } from './chats.js';
import { GraphError } from './graphError.js';
import type { SandboxMedia } from './media.js';
import { kindOf, MEDIA_KINDS, type SandboxMediaKind } from './mediaTypes.js';
import type { SandboxTemplate } from './templateContent.js';
import { checkTemplateSend } from './templateSends.js';
import { waId } from './webhookCalls.js';

const TEXT = 4_096;
const INTERACTIVE = 1_024;
const CAPTION = 1_024;
const SHORT = 60;
const BUTTONS = { most: 3, id: 256, title: 20 };
const ROWS = { most: 10, id: 200, title: 24, description: 72 };
const SECTIONS = { most: 10, title: 24 };
const LIST_BUTTON = 20;
/** Limits of a form's lists. */
const FLOW_OPTION = { title: 30, description: 300 };

const record = (value: unknown): JsonObject => found(value) ?? {};

export interface CheckContext {
  /** Templates of the number's business account. */
  readonly templates: readonly SandboxTemplate[];
  file(id: string): SandboxMedia | undefined;
}

function needText(value: unknown, most: number, name: string): void {
  if (typeof value !== 'string' || value === '') throw new GraphError(131008, `${name} is required`);
  if (lengthOf(value) > most) throw new GraphError(131009, `${name} is longer than ${most}`);
}
function mayText(value: unknown, most: number, name: string): void {
  if (value !== undefined) needText(value, most, name);
}

function checkFlow(parameters: JsonObject): void {
  if (parameters.flow_message_version !== '3') throw new GraphError(131009, 'flow_message_version must be "3"');
  if (parameters.flow_name === undefined && parameters.flow_id === undefined)
    throw new GraphError(131008, 'flow_name or flow_id is required');
  needText(parameters.flow_cta, 30, 'flow_cta');
  needText(parameters.flow_token, 500, 'flow_token');
  if (parameters.flow_action === 'navigate')
    needText(record(parameters.flow_action_payload).screen, 100, 'flow_action_payload.screen');
  const lists = Object.values(record(record(parameters.flow_action_payload).data)).map((one) => list(one));
  for (const { title, description } of lists.flat().map((one) => record(one))) {
    mayText(title, FLOW_OPTION.title, 'title of an option');
    mayText(description, FLOW_OPTION.description, 'description of an option');
  }
}

function eachOnce(values: readonly unknown[], name: string): void {
  if (new Set(values).size !== values.length) throw new GraphError(131009, `${name} must differ`);
}

function checkButtons(action: JsonObject): void {
  const buttons = list(action.buttons).map((one) => record(one));
  if (buttons.length < 1 || buttons.length > BUTTONS.most)
    throw new GraphError(131009, `action.buttons has 1 to ${BUTTONS.most} buttons`);
  const replies = buttons.map((button) => record(button.reply));
  if (buttons.some(({ type }) => type !== 'reply')) throw new GraphError(131009, 'A button is of the type reply');
  for (const { id, title } of replies) {
    needText(id, BUTTONS.id, 'reply.id');
    needText(title, BUTTONS.title, 'reply.title');
  }
  eachOnce(
    replies.map(({ id }) => id),
    'Ids of buttons',
  );
  eachOnce(
    replies.map(({ title }) => title),
    'Titles of buttons',
  );
}

function checkList(action: JsonObject): void {
  needText(action.button, LIST_BUTTON, 'action.button');
  const sections = list(action.sections).map((one) => record(one));
  if (sections.length < 1 || sections.length > SECTIONS.most)
    throw new GraphError(131009, `action.sections has 1 to ${SECTIONS.most} sections`);
  for (const { title } of sections) {
    if (sections.length > 1) needText(title, SECTIONS.title, 'section.title');
    else mayText(title, SECTIONS.title, 'section.title');
  }
  const rows = sections.flatMap(({ rows: some }) => list(some).map((one) => record(one)));
  if (rows.length < 1 || rows.length > ROWS.most) throw new GraphError(131009, `A list has 1 to ${ROWS.most} rows`);
  for (const { id, title, description } of rows) {
    needText(id, ROWS.id, 'row.id');
    needText(title, ROWS.title, 'row.title');
    mayText(description, ROWS.description, 'row.description');
  }
  eachOnce(
    rows.map(({ id }) => id),
    'Ids of rows',
  );
}

function checkInteractive(interactive: JsonObject): void {
  needText(record(interactive.body).text, INTERACTIVE, 'interactive.body.text');
  mayText(record(interactive.header).text, SHORT, 'interactive.header.text');
  mayText(record(interactive.footer).text, SHORT, 'interactive.footer.text');
  const action = record(interactive.action);
  const { type } = interactive;
  if (type === 'button') checkButtons(action);
  else if (type === 'list') checkList(action);
  else if (type === 'flow' && action.name === 'flow') checkFlow(record(action.parameters));
  else if (type !== 'location_request_message' || action.name !== 'send_location')
    throw new GraphError(131009, 'interactive.type and action do not fit');
}

/** Audio may be of any length of name; a picture sent as a document is a document. */
const fits = (kind: SandboxMediaKind, mimeType: string): boolean => kind === 'document' || kindOf(mimeType) === kind;

function checkMedia(kind: SandboxMediaKind, content: JsonObject, { file }: CheckContext): void {
  const { id, link, caption, filename } = content;
  if ((id === undefined) === (link === undefined)) throw new GraphError(131008, `${kind} needs either id or link`);
  if (link !== undefined && !(typeof link === 'string' && URL.canParse(link) && link.startsWith('http')))
    throw new GraphError(131009, `${kind}.link is no address`);
  const known = id === undefined ? undefined : file(String(id));
  if (id !== undefined && known === undefined)
    throw new GraphError(
      131009,
      `(#131009) Parameter value is not valid: ${kind}.id ${id} is no media of this account`,
    );
  if (known !== undefined && !fits(kind, known.mimeType))
    throw new GraphError(131009, `A file of the type ${known.mimeType} cannot be sent as ${kind}`);
  if (caption !== undefined && (kind === 'audio' || kind === 'sticker'))
    throw new GraphError(131009, `${kind} has no caption`);
  mayText(caption, CAPTION, `${kind}.caption`);
  if (filename !== undefined && kind !== 'document') throw new GraphError(131009, `${kind} has no filename`);
}

function checkContent(message: JsonObject, context: CheckContext): void {
  const type = String(message.type);
  const content = record(message[type]);
  const kind = MEDIA_KINDS.find((known) => known === type);
  if (kind !== undefined) checkMedia(kind, content, context);
  else if (type === 'text') needText(content.body, TEXT, 'text.body');
  else if (type === 'interactive') checkInteractive(content);
  else if (type === 'template') {
    const knowsFile = (id: unknown): boolean => context.file(String(id)) !== undefined;
    checkTemplateSend(content, { templates: context.templates, knowsFile });
  } else if (type === 'reaction') {
    needText(content.message_id, 512, 'reaction.message_id');
    if (typeof content.emoji !== 'string') throw new GraphError(131008, 'reaction.emoji is required');
  } else
    throw new GraphError(
      131009,
      `The sandbox accepts text, interactive, template, reaction, ${MEDIA_KINDS.join(', ')}`,
    );
}

/** Throws a GraphError; answers the message and who it goes to. */
export function checked(body: unknown, context: CheckContext): { message: JsonObject; to: SandboxCustomer } {
  const message = record(body);
  if (message.messaging_product !== 'whatsapp') throw new GraphError(100, 'messaging_product must be whatsapp');
  checkContent(message, context);
  const reply = message.context === undefined ? undefined : record(message.context);
  if (reply !== undefined) needText(reply.message_id, 512, 'context.message_id');
  const { to, recipient } = message;
  if (typeof to === 'string' && /^\+?\d{5,15}$/.test(to)) return { message, to: { phone: `+${waId(to)}` } };
  if (typeof recipient === 'string' && recipient !== '') return { message, to: { userId: recipient } };
  throw new GraphError(131009, 'to or recipient is required');
}
