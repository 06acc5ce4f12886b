/** Updates of message templates in a delivery of the channel's webhook. Nothing throws, and no good part is lost. */

import type { TemplateUpdate } from '../../application/templates/templateUpdates.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { type ListedTemplate, wholeSecond } from '../../domain/templates/templateReports.js';
import { list, record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { idOf, LANGUAGE, NAME, ratingOf, reasonOf, statusOf } from './templateReading.js';

const DAY_MS = 86_400_000;
const ACCOUNT = 64;

/** Events whose names are no statuses. A flagged template may still be sent. */
const EVENTS: ReadonlyMap<unknown, ListedTemplate['status'] | 'unchanged'> = new Map([
  ['REINSTATED', 'approved'],
  ['UNPAUSED', 'approved'],
  ['FLAGGED', 'unchanged'],
]);

/** Template fields that are not read. */
const OTHERS = new Set(['message_template_components_update', 'template_category_update']);

/** Returns the entry's time in unix seconds; now if it is missing or implausible. */
function timeOf(value: unknown, now: number): number {
  const ms = Number(typeof value === 'number' || typeof value === 'string' ? value : Number.NaN) * 1_000;
  return ms > 0 && ms < now + DAY_MS ? ms : wholeSecond(now);
}

interface Entry {
  readonly businessAccountId: string;
  readonly at: number;
}

function updateOf(entry: Entry, field: unknown, value: JsonObject | undefined): TemplateUpdate | undefined {
  const update: TemplateUpdate = { kind: 'look', ...entry };
  if (OTHERS.has(field as string)) return update;
  const quality = field === 'message_template_quality_update';
  if (field !== 'message_template_status_update' && !quality) return undefined;
  const providerId = idOf(value?.message_template_id);
  const name = cleanText(value?.message_template_name, NAME);
  const language = cleanText(value?.message_template_language, LANGUAGE);
  if (value === undefined || !providerId || !name || !language) return update;
  const about = { ...entry, providerId, name, language };
  if (quality) return { kind: 'quality', ...about, ...defined({ quality: ratingOf(value.new_quality_score) }) };
  const status = EVENTS.get(value.event) ?? statusOf(value.event);
  if (status === 'unchanged') return undefined;
  if (status === undefined) return update;
  return { kind: 'status', ...about, status, ...defined({ rejectedReason: reasonOf(value.reason) }) };
}

/** Reads what it can of the parsed body. `now`: ms since 1970. */
export function templateUpdates(body: unknown, now: number): TemplateUpdate[] {
  return list(record(body)?.entry).flatMap((one) => {
    const entry = record(one);
    const businessAccountId = cleanText(entry?.id, ACCOUNT);
    if (businessAccountId === undefined) return [];
    const at = timeOf(entry?.time, now);
    return list(entry?.changes).flatMap((change) => {
      const { field, value } = record(change) ?? {};
      return updateOf({ businessAccountId, at }, field, record(value)) ?? [];
    });
  });
}
