import type { MessagePort } from 'node:worker_threads';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { AppendQueue } from '../sqlite/eventStore/appendQueue.js';
import type { Answer, AppendRequest, DeleteRequest, Refused, Written } from '../sqlite/eventStore/messages.js';
import { type Refusal, unavailable } from './refusal.js';

/** Limits of the queue for the writer, over all calls. */
const BOUNDS = { requests: 10_000, bytes: 64 * 1024 * 1024 };
/** With more than that waiting, calls stop reading what their clients send. */
const CROWDED_REQUESTS = 4_000;
const CROWDED_BYTES = 32 * 1024 * 1024;

export type Outcome = Written | Refused | Refusal;
export type Request = Omit<AppendRequest, 'seq'> | Omit<DeleteRequest, 'seq'>;

/** Appends and deletions of all calls, on their way to the thread that writes the log. */
export class Appender {
  readonly #queue: AppendQueue;
  #requests = 0;
  #bytes = 0;
  #waiting: (() => void)[] = [];

  /** `port`: from the store's connectAppender(). */
  constructor(port: MessagePort) {
    this.#queue = new AppendQueue(BOUNDS, (requests) => port.postMessage(requests));
    port.on('message', (answers: readonly Answer[]) => this.#queue.hear(answers));
    port.on('close', () => this.#queue.fail(new StoreUnavailable('the event store has ended')));
  }

  /** `settle` is called once: at once when too much waits. */
  submit(request: Request, settle: (outcome: Outcome) => void): void {
    this.#requests += 1;
    this.#bytes += request.weight;
    const done = (answer: Answer | Error): void => {
      this.#requests -= 1;
      this.#bytes -= request.weight;
      settle(toOutcome(answer));
      this.#makeRoom();
    };
    try {
      this.#queue.submit({ ...request, seq: this.#queue.nextSeq() }, done);
    } catch (error) {
      done(error as Error);
    }
  }

  /** True if the queue is so long that a call should not read on before `roomy`. */
  get crowded(): boolean {
    return this.#requests >= CROWDED_REQUESTS || this.#bytes >= CROWDED_BYTES;
  }

  /** Calls `go` once, when it is no longer crowded. */
  roomy(go: () => void): void {
    this.#waiting.push(go);
  }

  #makeRoom(): void {
    if (this.crowded || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

function toOutcome(answer: Answer | Error): Outcome {
  if (answer instanceof Error) return unavailable(answer.message);
  return 'failed' in answer ? unavailable(`the append could not be written: ${answer.failed}`) : answer;
}
