import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import {
  type Appended,
  BEFORE_ALL,
  type EventData,
  type Expected,
  PayloadTooLarge,
  StorageFull,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../../engine/ports/eventStore.js';
import { nameThread } from '../../threads.js';
import { AppendQueue } from './appendQueue.js';
import type { WrittenHere } from './liveTail.js';
import { type Answer, type AppendRequest, type FromWriter, shared, type ToWriter } from './messages.js';
import { HeadWatch } from './notices.js';
import { writeLog } from './writeLog.js';

const BOUNDS = { requests: 10_000, bytes: 64 * 1024 * 1024 };
const MOST_EVENTS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** How long the writing thread may take to start, in ms: on a machine that is busy with much else that is not quick. */
const OPENING_MS = 60_000;
/** How long it may take to end. */
const ENDING_MS = 10_000;

/** Turns events into text on the caller's side, so that a faulty one fails the caller and nobody else. */
function toRequest(seq: number, stream: string, expected: Expected, events: readonly EventData[], most: number) {
  if (events.length < 1 || events.length > MOST_EVENTS)
    throw new RangeError(`an append must have 1 to ${MOST_EVENTS} events, not ${events.length}`);
  if (stream === '') throw new RangeError('a stream needs a name');
  if (stream.startsWith('$')) throw new RangeError(`'${stream}' is reserved: a stream name must not begin with '$'`);
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0))
    throw new RangeError(`${expected} is not a revision`);
  const faulty = events.find(({ id }) => !UUID.test(id));
  if (faulty !== undefined) throw new TypeError(`an event id is a UUID, not '${faulty.id}'`);
  const data = events.map((event) => JSON.stringify(event.data));
  const chars = data.reduce((sum, text) => sum + text.length, 0);
  // A character takes at most three bytes: counting them exactly is only needed near the limit.
  if (chars * 3 > most && data.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > most)
    throw new PayloadTooLarge(`the data of one append to ${stream} exceeds ${most} bytes: append less at once`);
  const meta = metaTexts(events);
  const weight = 200 * events.length + chars + meta.reduce((sum, text) => sum + text.length, 0);
  const ids = events.map(({ id }) => id);
  const types = events.map(({ type }) => type);
  return { seq, stream, expected, ids, types: shared(types), data, meta: shared(meta), weight };
}

/** Events of one command share one meta object, which becomes text once. */
function metaTexts(events: readonly EventData[]): string[] {
  let last: object | undefined;
  let text = '';
  return events.map(({ meta }) => {
    if (meta !== last) {
      last = meta;
      text = JSON.stringify(meta);
    }
    return text;
  });
}

/** The driver's errors reach another thread without their message: their code is left, such as SQLITE_FULL. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String((error as { code?: unknown } | undefined)?.code ?? error);

/** The writer as its client sees it: a thread, or a substitute on this thread. */
interface Writing {
  postMessage(message: ToWriter, transferred?: readonly MessagePort[]): void;
  on(event: 'message', notify: (message: FromWriter) => void): unknown;
  on(event: 'error', notify: (error: unknown) => void): unknown;
  on(event: 'exit', notify: () => void): unknown;
  terminate(): unknown;
}

function threadOf(folder: string): Writing {
  const worker = new Worker(new URL('./writerThread.js', import.meta.url), { workerData: { folder } });
  nameThread(worker, 'log writer');
  return worker;
}

/** Writes on this thread, which blocks for each commit; failures are reported like a thread's end. */
function writingHere(folder: string): Writing {
  const { port1: near, port2: far } = new MessageChannel();
  const emitter = new EventEmitter();
  const broke = (error: unknown): void => {
    emitter.emit('error', error);
    near.close();
  };
  near.on('message', (message) => emitter.emit('message', message));
  near.on('close', () => emitter.emit('exit'));
  // Once its client listens.
  queueMicrotask(() => {
    try {
      writeLog(far, folder, broke);
    } catch (error) {
      broke(error);
    }
  });
  return Object.assign(emitter, {
    postMessage: (message: ToWriter, transferred: readonly MessagePort[] = []) =>
      near.postMessage(message, transferred),
    terminate: () => near.close(),
  });
}

/** The side of the writing thread that callers see: a bounded queue of appends, answered in order. */
export class WriterClient {
  readonly heads = new HeadWatch(BEFORE_ALL);
  /** Resolves with the reason when the writing thread ends by itself: nothing is written any more by this one. */
  readonly failed: Promise<StoreUnavailable>;
  readonly #worker: Writing;
  readonly #mostBytes: number;
  readonly #queue: AppendQueue;
  readonly #exited: Promise<void>;
  #closing = false;
  #tellFailed!: (failure: StoreUnavailable) => void;
  #written: (append: WrittenHere) => void = () => undefined;

  private constructor(worker: Writing, mostBytes: number) {
    this.#worker = worker;
    this.failed = new Promise((resolve) => {
      this.#tellFailed = resolve;
    });
    this.#mostBytes = mostBytes;
    this.#queue = new AppendQueue(BOUNDS, (appends) => worker.postMessage({ appends } satisfies ToWriter));
    worker.on('message', (message: FromWriter) => this.#hear(message));
    worker.on('error', (error) => this.#fail(`the event store's writer failed: ${reasonOf(error)}`));
    worker.on('exit', () => this.#fail('the event store has ended'));
    this.#exited = new Promise((resolve) => worker.on('exit', resolve));
  }

  /** Resolves when events.db is open. `mostBytes`: of data in one append. `here`: no thread is started for it. */
  static async start(folder: string, mostBytes: number, here: boolean): Promise<WriterClient> {
    const worker = here ? writingHere(folder) : threadOf(folder);
    const client = new WriterClient(worker, mostBytes);
    const late = setTimeout(() => client.#fail('the event store did not open in time'), OPENING_MS);
    await Promise.race([new Promise((resolve) => worker.on('message', resolve)), client.#exited]);
    clearTimeout(late);
    if (client.heads.failure !== undefined) throw client.heads.failure;
    return client;
  }

  /** Takes its place in the order of appends before it returns. */
  async append(stream: string, expected: Expected, events: readonly EventData[]): Promise<Appended> {
    if (this.heads.failure !== undefined) throw this.heads.failure;
    if (this.#closing) throw new StoreUnavailable('the event store is closing');
    const request = toRequest(this.#queue.nextSeq(), stream, expected, events, this.#mostBytes);
    return new Promise((resolve, reject) =>
      this.#queue.submit(request, (answer) => {
        if ('written' in answer && answer.written && answer.repeat === undefined)
          this.#written({ ...request, revision: answer.revision, position: answer.position });
        settle(request, expected, answer, resolve, reject);
      }),
    );
  }

  /** Sets the receiver of every new append, in order, before the head has moved. */
  onWritten(notify: (append: WrittenHere) => void): void {
    this.#written = notify;
  }

  /** A port on which another thread hears of new heads straight from the writer; to be transferred to it. */
  connectReader(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ notices: port1 } satisfies ToWriter, [port1]);
    return port2;
  }

  /** A port through which another thread appends straight to the writer, in an AppendQueue; to be transferred to it. */
  connectAppender(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ appender: port1 } satisfies ToWriter, [port1]);
    return port2;
  }

  /** Appends that wait for their answer. */
  waiting(): number {
    return this.#queue.waiting();
  }

  /** Ends after what is queued has been written; bounded. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#queue.send();
      this.#worker.postMessage({ close: true } satisfies ToWriter);
    }
    const late = setTimeout(() => void this.#worker.terminate(), ENDING_MS);
    await this.#exited;
    clearTimeout(late);
  }

  #hear({ head, answers = [] }: FromWriter): void {
    this.#queue.hear(answers);
    this.heads.moved(head);
  }

  #fail(reason: string): void {
    const failure = new StoreUnavailable(reason);
    this.heads.fail(failure);
    this.#queue.fail(failure);
    if (!this.#closing) this.#tellFailed(failure);
    void this.#worker.terminate();
  }
}

function settle(
  { stream }: AppendRequest,
  expected: Expected,
  answer: Answer | StoreUnavailable,
  resolve: (appended: Appended) => void,
  reject: (error: Error) => void,
): void {
  if (answer instanceof StoreUnavailable) reject(answer);
  else if ('failed' in answer) {
    const Failure = answer.full ? StorageFull : StoreUnavailable;
    reject(new Failure(`the append could not be written: ${answer.failed}`));
  } else if (answer.written) {
    const { revision, position, repeat } = answer;
    resolve({ revision, position, ...(repeat && { repeated: true }) });
  } else reject(new WrongExpectedRevision(stream, expected, answer.actual));
}
