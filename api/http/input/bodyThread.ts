/** The way to the thread that parses and checks large bodies, and back. */
import { Worker } from 'node:worker_threads';
import { nameThread } from '../../../infrastructure/threads.js';
import type { CheckedBody, LargeBody } from './largeBodyThread.js';

/** Longest time for one body, in ms: a thread that takes longer is ended. */
const CHECK_WITHIN_MS = 10_000;
const HEAP_MB = 512;

export interface LargeBodyRequest extends Omit<LargeBody, 'bytes' | 'schema'> {
  /** Whose body it is: of each only one is looked at at a time. */
  readonly who: string;
  /** Given away. */
  readonly bytes: Uint8Array;
  /** Schema of the operation's body, as plain JSON. */
  schema(): object;
  /** Returns true if a value matches the schema, and fills in its defaults. Absent: the thread validates. */
  fits?(value: unknown): boolean;
}

/** Bytes whose memory can be given away: a socket's may share theirs with those of others. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

/** The thread, begun with the first body and again after it has ended. */
export class BodyThread {
  #worker: Worker | undefined;
  #known = new Set<string>();
  #answer: ((answer: CheckedBody) => void) | undefined;

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./largeBodyThread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    nameThread(worker, 'large bodies');
    const ended = (error: unknown): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#known = new Set();
      this.#answer?.({ failed: error instanceof Error ? error.message : 'the thread has ended' });
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

  /** Processes one request at a time. Never rejects: failures resolve as `failed`. */
  async check(request: LargeBodyRequest): Promise<CheckedBody> {
    const worker = this.#started();
    const { operation, limit, hasRules, request: requested } = request;
    const bytes = alone(request.bytes);
    const body: LargeBody = {
      operation,
      bytes,
      limit,
      ...(hasRules && { hasRules }),
      ...(requested && { request: requested }),
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
