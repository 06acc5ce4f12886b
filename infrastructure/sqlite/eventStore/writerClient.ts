import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import {
  type Appended,
  BEFORE_ALL,
  type EventData,
  type Expected,
  PayloadTooLarge,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../../application/ports/eventStore.js';
import type { Answer, AppendRequest, FromWriter, ToWriter } from './messages.js';
import { HeadWatch } from './notices.js';

/** Appends that wait for an answer; more are turned away at once. */
const QUEUE_APPENDS = 10_000;
const QUEUE_BYTES = 64 * 1024 * 1024;
const MOST_EVENTS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** How long the writing thread may take to start or to end, in ms. */
const PATIENCE_MS = 10_000;

interface Pending {
  readonly request: AppendRequest;
  resolve(appended: Appended): void;
  reject(error: Error): void;
}

/** Turns events into text on the caller's side, so that a faulty one fails the caller and nobody else. */
function toRequest(seq: number, stream: string, expected: Expected, events: readonly EventData[], most: number) {
  if (events.length < 1 || events.length > MOST_EVENTS)
    throw new RangeError(`an append takes 1 to ${MOST_EVENTS} events, not ${events.length}`);
  if (stream === '') throw new RangeError('a stream needs a name');
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0))
    throw new RangeError(`${expected} is no revision`);
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
  return { seq, stream, expected, ids, types: events.map(({ type }) => type), data, meta, weight };
}

/** Events of one command share one meta object, which becomes text once. */
function metaTexts(events: readonly EventData[]): string[] {
  let shared: object | undefined;
  let text = '';
  return events.map(({ meta }) => {
    if (meta !== shared) {
      shared = meta;
      text = JSON.stringify(meta);
    }
    return text;
  });
}

/** The driver's errors reach another thread without their message: their code is left, such as SQLITE_FULL. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String((error as { code?: unknown } | undefined)?.code ?? error);

/** With fewer appends unanswered the next go at once, so that the writer never waits for them. */
const FEW_AWAITED = 16;

/** The side of the writing thread that callers see: a bounded queue of appends, answered in order. */
export class WriterClient {
  readonly heads = new HeadWatch(BEFORE_ALL);
  readonly #worker: Worker;
  readonly #mostBytes: number;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  #outgoing: AppendRequest[] = [];
  #bytes = 0;
  #seq = 0;
  #closing = false;
  /** Appends that the writer has and has not answered. */
  #awaited = 0;

  private constructor(worker: Worker, mostBytes: number) {
    this.#worker = worker;
    this.#mostBytes = mostBytes;
    worker.on('message', (message: FromWriter) => this.#hear(message));
    worker.on('error', (error) => this.#fail(`the event store's writer failed: ${reasonOf(error)}`));
    worker.on('exit', () => this.#fail('the event store has ended'));
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
  }

  /** Resolves when events.db is open. `mostBytes`: of data in one append. */
  static async start(folder: string, mostBytes: number): Promise<WriterClient> {
    const worker = new Worker(new URL('./writerThread.js', import.meta.url), { workerData: { folder } });
    const client = new WriterClient(worker, mostBytes);
    const late = setTimeout(() => client.#fail('the event store did not open in time'), PATIENCE_MS);
    await Promise.race([new Promise((resolve) => worker.once('message', resolve)), client.#exited]);
    clearTimeout(late);
    if (client.heads.failure !== undefined) throw client.heads.failure;
    return client;
  }

  /** Takes its place in the order of appends before it returns. */
  async append(stream: string, expected: Expected, events: readonly EventData[]): Promise<Appended> {
    if (this.heads.failure !== undefined) throw this.heads.failure;
    if (this.#closing) throw new StoreUnavailable('the event store is closing');
    const request = toRequest(this.#seq + 1, stream, expected, events, this.#mostBytes);
    if (this.#pending.size >= QUEUE_APPENDS || this.#bytes + request.weight > QUEUE_BYTES)
      throw new StoreUnavailable('too many appends are waiting: try again soon');
    this.#seq += 1;
    this.#bytes += request.weight;
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(request);
    return new Promise((resolve, reject) => this.#pending.set(request.seq, { request, resolve, reject }));
  }

  /** A port on which another thread hears of new heads straight from the writer; to be transferred to it. */
  connectReader(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ notices: port1 } satisfies ToWriter, [port1]);
    return port2;
  }

  /** Ends after what is queued has been written; bounded. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#send();
      this.#worker.postMessage({ close: true } satisfies ToWriter);
    }
    const late = setTimeout(() => void this.#worker.terminate(), PATIENCE_MS);
    await this.#exited;
    clearTimeout(late);
  }

  /**
   * One message carries all that was appended while many are unanswered: when the disk is busy the next commit gathers,
   * and neither thread is woken for each append.
   */
  #flush(): void {
    if (this.#awaited < FEW_AWAITED) this.#send();
  }

  #send(): void {
    if (this.#outgoing.length === 0) return;
    this.#awaited += this.#outgoing.length;
    this.#worker.postMessage({ appends: this.#outgoing } satisfies ToWriter);
    this.#outgoing = [];
  }

  #hear({ head, answers = [] }: FromWriter): void {
    for (const answer of answers) {
      const pending = this.#pending.get(answer.seq);
      if (pending === undefined) continue;
      this.#pending.delete(answer.seq);
      this.#bytes -= pending.request.weight;
      this.#awaited -= 1;
      settle(pending, answer);
    }
    this.#flush();
    this.heads.moved(head);
  }

  #fail(reason: string): void {
    const failure = new StoreUnavailable(reason);
    this.heads.fail(failure);
    for (const pending of this.#pending.values()) pending.reject(failure);
    this.#pending.clear();
    this.#outgoing = [];
    void this.#worker.terminate();
  }
}

function settle({ request, resolve, reject }: Pending, answer: Answer): void {
  if ('failed' in answer) reject(new StoreUnavailable(`the append could not be written: ${answer.failed}`));
  else if (answer.written) resolve({ revision: answer.revision, position: answer.position });
  else reject(new WrongExpectedRevision(request.stream, request.expected, answer.actual));
}
