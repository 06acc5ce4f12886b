import type { RawLog } from '../../sqlite/eventStore/rawLog.js';
import { streamDeleted } from '../refusal.js';
import { EventSender } from './eventSender.js';
import type { ReaderStream } from './readerStream.js';
import type { StreamRead } from './readRequest.js';
import { firstStreamPosition, lastStreamPosition, streamNotFound } from './readResponses.js';
import { nothingToRead } from './refusedReads.js';
import { isShown, type StreamView, viewStream } from './streamView.js';

/** Sends a stream's events as they are now, in either direction, to the end or a count. Rejects with a Refusal. */
export async function readStream(
  log: RawLog,
  request: StreamRead,
  reader: ReaderStream,
  now: () => number,
): Promise<void> {
  const { stream, from, direction, count } = request;
  if (count === 0 || (direction === 'forwards' && from === 'end')) throw nothingToRead();
  const view = viewStream(log, stream, now());
  if (view === 'deleted') throw streamDeleted(stream);
  if (view === 'missing') {
    reader.write(streamNotFound(stream));
    return;
  }
  const sender = new EventSender(log, reader, request, now);
  const sent = await sendPages(log, request, view, sender, reader);
  if (reader.gone || !request.bounds) return;
  if (sent === 0) reader.write(firstStreamPosition(view.last + 1));
  reader.write(lastStreamPosition(view.last));
}

/** Answers how many events were sent. */
async function sendPages(
  log: RawLog,
  { from, direction, count }: StreamRead,
  view: StreamView,
  sender: EventSender,
  reader: ReaderStream,
): Promise<number> {
  const forwards = direction === 'forwards';
  let low = view.first;
  let high = view.last;
  if (forwards) low = Math.max(low, from === 'start' ? 0 : (from as number));
  else if (from !== 'end') high = Math.min(high, from === 'start' ? 0 : from);
  let sent = 0;
  while (low <= high && sent < count) {
    const heads = log.pageOfStream(direction, view.stream, low, high, count - sent);
    if (heads.length === 0) break;
    const events = log.events(heads).filter((event) => isShown(view, event));
    if (!(await sender.sendAll(events))) break;
    sent += events.length;
    const last = heads.at(-1)!.revision;
    if (forwards) low = last + 1;
    else high = last - 1;
    if (low <= high && sent < count && !(await reader.turn())) break;
  }
  return sent;
}
