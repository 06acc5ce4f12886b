/** Taps on buttons and list rows, and answers of forms, from the channel's format. */

import type { InboundContent } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { record } from '../untypedJson.js';
import { type InboundTexts, type JsonLimits, TITLE } from './inboundTexts.js';

/** Characters of a button's own payload. */
const PAYLOAD = 1_024;
const RESPONSE_JSON = 65_536;
const ANSWERS: JsonLimits = { depth: 4, characters: RESPONSE_JSON };

function flowReply(reply: JsonObject, texts: InboundTexts): InboundContent | undefined {
  const text = reply.response_json;
  if (typeof text !== 'string' || text.length > RESPONSE_JSON) return undefined;
  let parsed: JsonObject | undefined;
  try {
    parsed = record(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (parsed === undefined) return undefined;
  return {
    type: 'flow_reply',
    ...defined({ name: texts.text('name', reply.name, TITLE) }),
    fields: texts.json('response_json', parsed, ANSWERS),
  };
}

interface Tap {
  readonly id: unknown;
  readonly title: unknown;
  /** Present on list rows. */
  readonly description?: unknown;
}

/** A tap without an id of its own has its title for one, as the channel does with buttons of templates. */
export function choice({ id, title, description }: Tap, texts: InboundTexts): InboundContent | undefined {
  const shown = texts.text('title', title, TITLE);
  const picked = texts.text('id', id, PAYLOAD) ?? shown;
  if (picked === undefined) return undefined;
  const beneath = defined({ description: texts.text('description', description, TITLE) });
  return { type: 'choice', id: picked, title: shown ?? '', ...beneath };
}

export function interactive(body: JsonObject, texts: InboundTexts): InboundContent | undefined {
  const flow = record(body.nfm_reply);
  if (flow !== undefined) return flowReply(flow, texts);
  const tapped = record(body.button_reply) ?? record(body.list_reply);
  if (tapped !== undefined)
    return choice({ id: tapped.id, title: tapped.title, description: tapped.description }, texts);
  // The service calls nobody, so that a permission to do so is nothing it understands.
  return record(body.call_permission_reply) && { type: 'unsupported', channelType: 'call_permission_reply' };
}
