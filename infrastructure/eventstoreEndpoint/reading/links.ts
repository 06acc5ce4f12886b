import type { RawEvent, RawLog } from '../../sqlite/eventStore/rawLog.js';
import { isShown, viewStream } from './streamView.js';

export const LINK_TYPE = '$>';
/** Revision and stream; the name may hold further '@'. */
const TARGET = /^\s*([+-]?\d+)\s*@([\s\S]*)$/;

/**
 * The event that a link points at, as a read of its stream shows it: nothing when that is truncated, deleted or not
 * there. 'noLink': what is written in the event names no place. Revision -1 is the newest event, as in EventStoreDB.
 */
export function targetOf(log: RawLog, link: RawEvent, now: number): RawEvent | undefined | 'noLink' {
  const [, number, stream] = TARGET.exec(link.data.toString()) ?? [];
  if (number === undefined || stream === undefined || Number(number) < -1) return 'noLink';
  const view = viewStream(log, stream, now);
  if (view === 'missing' || view === 'deleted') return undefined;
  const revision = Number(number) === -1 ? view.last : Number(number);
  const event = revision > view.last ? undefined : log.event(view.stream, revision);
  return event && isShown(view, event) ? event : undefined;
}
