/** Writes events.db, as a rule in a thread of its own: whatever has been queued while one commit ran goes into the next. */
import type { MessagePort } from 'node:worker_threads';
import { headMarker } from './headMark.js';
import { LogWriter } from './logWriter.js';
import type { Answer, FromWriter, ToWriter, WriteRequest } from './messages.js';
import { NoticeSender } from './notices.js';
import { openLog } from './schema.js';

/** Bounds of one commit, so that none waits long for it. */
const GROUP_EVENTS = 2_000;
const GROUP_BYTES = 8 * 1024 * 1024;

/** Origin of appends: the thread that opened the store, and those that got a port from it. */
interface Source {
  queue: WriteRequest[];
  /** Its port has closed: what came before is written, though nobody hears the answer. */
  gone: boolean;
  answer(answers: readonly Answer[]): void;
}

/** The next requests of one source, at most a `share` of what one commit takes. */
function take(source: Source, share: number): readonly WriteRequest[] {
  const { queue } = source;
  let events = 0;
  let bytes = 0;
  let count = 0;
  while (count < queue.length && events < GROUP_EVENTS / share && bytes < GROUP_BYTES / share) {
    const request = queue[count]!;
    events += 'deletion' in request ? 1 : request.ids.length + 1;
    bytes += request.weight;
    count += 1;
  }
  const group = queue.slice(0, count);
  source.queue = queue.slice(count);
  return group;
}

/**
 * Opens `folder`/events.db, and writes the requests of the port until it sends `close` or is closed. Throws the error of opening the file.
 * `broke` receives unexpected errors.
 */
export function writeLog(port: MessagePort, folder: string, broke: (error: unknown) => void): void {
  const db = openLog(folder);
  const marker = headMarker(folder);
  const writer = new LogWriter(db);
  const notices = new NoticeSender();
  const owner: Source = { queue: [], gone: false, answer: (answers) => post({ head: writer.head, answers }) };
  const sources = new Set([owner]);
  let ended = false;
  let scheduled = false;
  let closing = false;

  const post = (message: FromWriter): void => port.postMessage(message);

  /** Commits these requests together and answers them. */
  function commit(busy: readonly Source[]): void {
    const before = writer.head;
    const groups = busy.map((source) => take(source, busy.length));
    const answers = writer.commit(groups.flat());
    // Before anybody is answered.
    if (writer.head > before) marker.set({ position: writer.head, id: writer.headId });
    let answered = 0;
    for (const [index, source] of busy.entries()) {
      const next = answered + groups[index]!.length;
      source.answer(answers.slice(answered, next));
      answered = next;
      if (source.gone && source.queue.length === 0) sources.delete(source);
    }
    if (writer.head === before) return;
    if (!busy.includes(owner)) post({ head: writer.head });
    notices.publish(writer.head);
  }

  function work(): void {
    scheduled = false;
    const busy = [...sources].filter(({ queue }) => queue.length > 0);
    if (busy.length > 0) commit(busy);
    if (busy.some(({ queue }) => queue.length > 0)) schedule();
    else if (closing) finish();
  }

  /** After all messages that have arrived so far. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      try {
        if (!ended) work();
      } catch (error) {
        broke(error);
      }
    });
  }

  function finish(): void {
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The disk is full, or another connection reads: committed events are also in the write-ahead log.
    }
    end();
    port.close();
  }

  function end(): void {
    ended = true;
    db.close();
    marker.close();
  }

  function addSource(appender: MessagePort): void {
    const source: Source = { queue: [], gone: false, answer: (answers) => appender.postMessage(answers) };
    sources.add(source);
    appender.on('message', (requests: readonly WriteRequest[]) => {
      source.queue.push(...requests);
      schedule();
    });
    appender.on('close', () => {
      source.gone = true;
      if (source.queue.length === 0) sources.delete(source);
    });
    appender.unref();
  }

  port.on('message', (message: ToWriter) => {
    if ('appends' in message) owner.queue.push(...message.appends);
    else if ('notices' in message) notices.add(message.notices, writer.head);
    else if ('appender' in message) addSource(message.appender);
    else closing = true;
    schedule();
  });
  port.on('close', end);
  post({ head: writer.head });
}
