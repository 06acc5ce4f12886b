/** A message in readable form, next to the channel's form. */
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { text } from './bodyText.js';
import type { ChatMessage } from './chats.js';
import { MEDIA_KINDS } from './mediaTypes.js';
import { optionsOf } from './offeredOptions.js';
import type { SandboxTemplate } from './templateContent.js';
import { readTemplate, shownParameter } from './templateParts.js';

/** A file of the message, of whichever component carries it. */
function fileOf(
  type: string,
  content: JsonObject | undefined,
  templateMedia: JsonObject | undefined,
): object | undefined {
  const file = templateMedia ?? ((MEDIA_KINDS as readonly string[]).includes(type) ? content : undefined);
  if (file === undefined) return undefined;
  const { id, link, mime_type: mimeType, filename, caption, voice } = file;
  return { id, link, mimeType, filename, caption, voice, ...(id === undefined ? {} : { url: `/sandbox/media/${id}` }) };
}

/** The template that was sent, by the name and language of the message. */
function sentTemplate(content: JsonObject | undefined, templates: readonly SandboxTemplate[]) {
  const language = text(record(content?.language)?.code);
  const found = templates.find((one) => one.name === content?.name && one.language === language);
  return found && readTemplate(found, content);
}

/** The text of a message that is no template the sandbox knows: of it, its variables. */
function plainText(content: JsonObject | undefined): string | undefined {
  const components = list(content?.components).map(record);
  if (components.length > 0)
    return components
      .flatMap((one) => list(one?.parameters).map((parameter) => shownParameter(record(parameter))))
      .join(' ');
  const { body, caption } = content ?? {};
  const text = record(body)?.text ?? body ?? caption;
  return typeof text === 'string' ? text : undefined;
}

function formOf(content: JsonObject | undefined): object | undefined {
  const parameters = record(record(content?.action)?.parameters);
  return (
    parameters && {
      name: parameters.flow_name,
      token: parameters.flow_token,
      cta: parameters.flow_cta,
      ...record(parameters.flow_action_payload),
    }
  );
}

/** `templates`: those of the number's business account. */
export function shownMessage(message: ChatMessage, templates: readonly SandboxTemplate[]): object {
  const { wamid, at, direction, payload, statuses } = message;
  const type = text(payload.type);
  const content = record(payload[type]);
  const template = type === 'template' ? sentTemplate(content, templates) : undefined;
  const options = optionsOf(message);
  const output = template?.text ?? plainText(content);
  const { message_id, id = message_id } = record(payload.context) ?? {};
  return defined({
    wamid,
    at: new Date(at).toISOString(),
    direction,
    type: content?.type ?? payload.type,
    text: output,
    replyTo: id,
    file: fileOf(type, content, template?.media),
    flow: formOf(content),
    options: options.length === 0 ? undefined : options,
    template,
    statuses,
    payload,
  });
}
