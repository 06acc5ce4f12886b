/** Taps on buttons and list rows, and answers of forms, from the channel's format. */

import type { InboundContent } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';

const TEXT = 4_096;
const TITLE = 256;
const FIELDS = 100;
const DEPTH = 4;
const RESPONSE_JSON = 65_536;

/** Copies JSON of a form's answer: bounded in size and depth, with clean strings. */
function copied(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, TEXT) ?? '';
  if (typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (depth === 0 || typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return value.slice(0, FIELDS).map((item) => copied(item, depth - 1));
  return fields(value as JsonObject, depth);
}

function fields(value: JsonObject, depth: number): Record<string, unknown> {
  const entries = Object.entries(value).slice(0, FIELDS);
  const kept = entries.filter(([key]) => key !== '' && key !== '__proto__');
  return Object.fromEntries(kept.map(([key, item]) => [cleanText(key, TITLE)!, copied(item, depth - 1)]));
}

function flowReply(reply: JsonObject): InboundContent | undefined {
  const text = reply.response_json;
  if (typeof text !== 'string' || text.length > RESPONSE_JSON) return undefined;
  let parsed: JsonObject | undefined;
  try {
    parsed = record(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (parsed === undefined) return undefined;
  return { type: 'flow_reply', ...defined({ name: cleanText(reply.name, TITLE) }), fields: fields(parsed, DEPTH) };
}

/** A tap; `description` only of list rows. */
export function choice(id: unknown, title: unknown, description?: unknown): InboundContent | undefined {
  const picked = cleanText(id, TITLE);
  if (picked === undefined) return undefined;
  const told = defined({ description: cleanText(description, TITLE) });
  return { type: 'choice', id: picked, title: cleanText(title, TITLE) ?? '', ...told };
}

export function interactive(body: JsonObject): InboundContent | undefined {
  const flow = record(body.nfm_reply);
  if (flow !== undefined) return flowReply(flow);
  const tapped = record(body.button_reply) ?? record(body.list_reply);
  if (tapped !== undefined) return choice(tapped.id, tapped.title, tapped.description);
  // The service calls nobody, so that a permission to do so is nothing it understands.
  return record(body.call_permission_reply) && { type: 'unsupported', channelType: 'call_permission_reply' };
}
