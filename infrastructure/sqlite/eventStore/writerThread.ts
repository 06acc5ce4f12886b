/** The thread that writes events.db: whatever has been queued while one commit ran goes into the next. */
import { parentPort, workerData } from 'node:worker_threads';
import { LogWriter } from './logWriter.js';
import type { AppendRequest, FromWriter, ToWriter } from './messages.js';
import { NoticeSender } from './notices.js';
import { openLog } from './schema.js';

/** Bounds of one commit, so that none waits long for it. */
const GROUP_EVENTS = 2_000;
const GROUP_BYTES = 8 * 1024 * 1024;

const port = parentPort!;
const db = openLog((workerData as { folder: string }).folder);
const writer = new LogWriter(db);
const notices = new NoticeSender();
let queue: AppendRequest[] = [];
let scheduled = false;
let closing = false;

const say = (message: FromWriter): void => port.postMessage(message);

function nextGroup(): readonly AppendRequest[] {
  let events = 0;
  let bytes = 0;
  let count = 0;
  while (count < queue.length && events < GROUP_EVENTS && bytes < GROUP_BYTES) {
    events += queue[count]!.ids.length;
    bytes += queue[count]!.weight;
    count += 1;
  }
  const group = queue.slice(0, count);
  queue = queue.slice(count);
  return group;
}

function work(): void {
  scheduled = false;
  if (queue.length > 0) {
    const before = writer.head;
    const answers = writer.commit(nextGroup());
    say({ head: writer.head, answers });
    if (writer.head > before) notices.tell(writer.head);
  }
  if (queue.length > 0) schedule();
  else if (closing) finish();
}

/** After all messages that have arrived so far. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(work);
}

function finish(): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  port.close();
}

port.on('message', (message: ToWriter) => {
  if ('appends' in message) queue.push(...message.appends);
  else if ('notices' in message) notices.add(message.notices, writer.head);
  else closing = true;
  schedule();
});
say({ head: writer.head });
