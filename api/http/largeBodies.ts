/**
 * Large bodies are parsed and checked in a thread of their own, one at a time, the callers in turn: whoever floods waits for
 * itself, and no request that reads waits for a body.
 */
import { Worker } from 'node:worker_threads';
import { Refusal } from '../problems.js';
import { joined } from './bodyPieces.js';
import type { ReadBody } from './input.js';
import type { CheckedBody, LargeBody } from './largeBodyThread.js';

/** Longest wait for one's turn, and longest time for one body, in ms. */
const TURN_WITHIN_MS = 10_000;
const CHECK_WITHIN_MS = 10_000;
const HEAP_MB = 512;

export interface LargeBodyRequest extends Omit<LargeBody, 'id' | 'bytes' | 'schema'> {
  /** Whose body it is: of each only one is looked at at a time. */
  readonly who: string;
  /** Given away. */
  readonly bytes: Uint8Array;
  /** Of the operation's body, as plain JSON. */
  schema(): object;
}

export interface LargeBodies {
  /** As `parsedBody` and the schema's check together. Refuses the same, and `unavailable` where it is not its turn for long. */
  check(request: LargeBodyRequest): Promise<ReadBody>;
  close(): Promise<void>;
}

interface Job {
  readonly request: LargeBodyRequest;
  readonly resolve: (body: ReadBody) => void;
  readonly reject: (error: Error) => void;
  readonly late: NodeJS.Timeout;
}

const busy = (): Refusal =>
  new Refusal('unavailable', 'Other large bodies are being looked at.', { headers: { 'Retry-After': '1' } });

/** Bytes whose memory can be given away: a socket's may share theirs with those of others. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

async function readBodyOf(answer: CheckedBody): Promise<ReadBody> {
  if ('failed' in answer) throw new Error(`a large body could not be checked: ${answer.failed}`);
  if ('refused' in answer) {
    const { code, detail, problems } = answer.refused;
    throw new Refusal(code, detail, { problems });
  }
  if ('problems' in answer) return { value: undefined, problems: answer.problems, checked: true };
  const { pieces, fingerprint } = answer;
  const value = await joined(pieces);
  return { value, problems: [], checked: true, ...(fingerprint === undefined ? {} : { fingerprint }) };
}

/** The thread, begun with the first body and again after it has ended. */
class Thread {
  #worker: Worker | undefined;
  #known = new Set<string>();
  #answer: ((answer: CheckedBody) => void) | undefined;
  #next = 0;

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./largeBodyThread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const ended = (error: unknown): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#known = new Set();
      this.#answer?.({ id: this.#next, failed: error instanceof Error ? error.message : 'the thread has ended' });
    };
    worker.on('message', (answer: CheckedBody) => {
      if (this.#worker === worker) this.#answer?.(answer);
    });
    worker.on('error', ended);
    worker.on('exit', ended);
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  /** One at a time. */
  async ask(request: LargeBodyRequest): Promise<CheckedBody> {
    const worker = this.#started();
    const { operation, limit, request: asked } = request;
    const bytes = alone(request.bytes);
    const body: LargeBody = {
      id: ++this.#next,
      operation,
      bytes,
      limit,
      ...(asked && { request: asked }),
      ...(this.#known.has(operation) ? {} : { schema: request.schema() }),
    };
    this.#known.add(operation);
    let late: NodeJS.Timeout | undefined;
    const answer = await new Promise<CheckedBody>((resolve) => {
      this.#answer = resolve;
      late = setTimeout(() => void this.end(), CHECK_WITHIN_MS);
      worker.postMessage(body, [bytes.buffer]);
    });
    clearTimeout(late);
    this.#answer = undefined;
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }
}

class Queue implements LargeBodies {
  readonly #thread = new Thread();
  readonly #waiting = new Map<string, Job[]>();
  /** Whose bodies are being made into values again. */
  readonly #joining = new Set<string>();
  #checking = false;

  check(request: LargeBodyRequest): Promise<ReadBody> {
    return new Promise((resolve, reject) => {
      const job: Job = { request, resolve, reject, late: setTimeout(() => this.#giveUp(job), TURN_WITHIN_MS) };
      const own = this.#waiting.get(request.who);
      if (own === undefined) this.#waiting.set(request.who, [job]);
      else own.push(job);
      this.#next();
    });
  }

  #giveUp(job: Job): void {
    const { who } = job.request;
    const left = this.#waiting.get(who)?.filter((one) => one !== job) ?? [];
    if (left.length > 0) this.#waiting.set(who, left);
    else this.#waiting.delete(who);
    job.reject(busy());
  }

  /** The callers in turn: who has had one stands behind the others. */
  #taken(): Job | undefined {
    for (const [who, jobs] of this.#waiting) {
      if (this.#joining.has(who)) continue;
      const job = jobs.shift()!;
      this.#waiting.delete(who);
      if (jobs.length > 0) this.#waiting.set(who, jobs);
      return job;
    }
    return undefined;
  }

  #next(): void {
    if (this.#checking) return;
    const job = this.#taken();
    if (job !== undefined) void this.#run(job);
  }

  async #run({ request, resolve, reject, late }: Job): Promise<void> {
    clearTimeout(late);
    this.#checking = true;
    this.#joining.add(request.who);
    const answering = this.#thread.ask(request).finally(() => {
      this.#checking = false;
      this.#next();
    });
    await answering.then(readBodyOf).then(resolve, reject);
    this.#joining.delete(request.who);
    this.#next();
  }

  close(): Promise<void> {
    return this.#thread.end();
  }
}

export const largeBodies = (): LargeBodies => new Queue();
