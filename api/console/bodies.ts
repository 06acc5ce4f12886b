/** Events as the console shows them. */
import { dataText, entryHead } from '../../application/history/historyEntries.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { ConsoleEventBody, ConsoleWholeEventBody } from './contract.js';

const SUMMARY = 160;
/** Larger data is shown from its beginning, so that no page chokes on it. */
const MOST_BYTES = 256 * 1024;
const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

type NameOf = (event: Pick<RecordedEvent, 'meta'>) => string;

export function eventBody(event: RecordedEvent, nameOf: NameOf, text = dataText(event)): ConsoleEventBody {
  return { ...entryHead(event, nameOf(event)), summary: cut(text.slice(1, -1), SUMMARY) };
}

export function wholeEventBody(event: RecordedEvent, nameOf: NameOf): ConsoleWholeEventBody {
  const text = dataText(event);
  const bytes = Buffer.byteLength(text);
  const body = eventBody(event, nameOf, text);
  if (bytes > MOST_BYTES) return { ...body, data: text.slice(0, MOST_BYTES), bytes, cut: true };
  return { ...body, data: JSON.parse(text), bytes };
}
