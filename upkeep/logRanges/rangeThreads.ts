/** A long embedded log read by two threads, each range of it by one, while this one takes what they answer in the log's order. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LogDamaged, type Position } from '../../engine/ports/eventStore.js';

/** Positions after the first, through the second. */
export interface LogRange {
  readonly after: Position;
  readonly through: Position;
}

/** Answer of a thread for a range, in one piece or in several. */
export interface RangePiece {
  /** All of the range up to here is in this piece or one before it. */
  readonly through: Position;
  /** Memory of a large part of it, returned to the thread when the piece was used. Leaving it to the garbage collector costs more. */
  readonly memory?: ArrayBuffer;
}

/** `used`: a piece was, and its memory comes back, if it has some: a thread makes no more than can be used. */
export type ToRangeThread = LogRange | { readonly used: ArrayBuffer | undefined } | { readonly stop: true };
/** `damaged`: message of LogDamaged. `failed`: any other error. */
export type FromRangeThread<Piece extends RangePiece> =
  | Piece
  | { readonly damaged: string }
  | { readonly failed: Error };

const THREADS = 2;
/** Positions of one range, and ranges that each thread has before it: what it makes of them is in memory. */
const RANGE = 2_000;
const AHEAD = 2;
/** Garbage of a page is collected before this is full: a smaller size would copy pages that are in use. */
const YOUNG_MB = 64;
/** For what it has before it, in ms. */
const END_MS = 5_000;

/** One thread answers its ranges in their order. */
class RangeThread<Piece extends RangePiece> {
  readonly #worker: Worker;
  readonly #answers: FromRangeThread<Piece>[] = [];
  #wake: () => void = () => {};
  #failure: Error | undefined;

  constructor(entry: URL, workerData: unknown) {
    this.#worker = new Worker(entry, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    this.#worker.on('message', (answer: FromRangeThread<Piece>) => {
      this.#answers.push(answer);
      this.#wake();
    });
    const ended = (error: unknown): void => {
      this.#failure ??= error instanceof Error ? error : new Error('a log reader thread has ended');
      this.#wake();
    };
    this.#worker.on('error', ended);
    this.#worker.on('exit', ended);
  }

  post(message: ToRangeThread): void {
    this.#worker.postMessage(message);
  }

  giveBack({ memory }: Piece): void {
    this.#worker.postMessage({ used: memory } satisfies ToRangeThread, memory === undefined ? [] : [memory]);
  }

  async next(): Promise<Piece> {
    while (this.#answers.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const answer = this.#answers.shift()!;
    if ('damaged' in answer) throw new LogDamaged(answer.damaged);
    if ('failed' in answer) throw answer.failed;
    return answer;
  }

  /** Ends the thread by a message: the driver ends the whole process if a thread is terminated while it computes an answer. */
  async end(): Promise<void> {
    if (this.#failure !== undefined) return void (await this.#worker.terminate());
    const ended = once(this.#worker, 'exit');
    this.post({ stop: true });
    const late = setTimeout(() => void this.#worker.terminate(), END_MS);
    await ended;
    clearTimeout(late);
  }
}

/**
 * All pieces of a range, in their order; each is used before the next one is requested. `entry`: module of the threads, each of which calls
 * `serveRanges`. Rejects with LogDamaged, or with a copy of a thread's error, which has lost its class.
 */
export async function* inRangeThreads<Piece extends RangePiece>(
  entry: URL,
  workerData: unknown,
  { after, through }: LogRange,
): AsyncGenerator<Piece, undefined> {
  const threads = Array.from({ length: THREADS }, () => new RangeThread<Piece>(entry, workerData));
  const threadOf = (range: number) => threads[range % THREADS]!;
  try {
    const endOf = (range: number): Position => Math.min(through, after + (range + 1) * RANGE);
    const ranges = Math.ceil((through - after) / RANGE);
    const request = (range: number): void => {
      if (range < ranges) threadOf(range).post({ after: after + range * RANGE, through: endOf(range) });
    };
    const ahead = THREADS * AHEAD;
    for (let range = 0; range < ahead; range += 1) request(range);
    for (let range = 0; range < ranges; range += 1) {
      for (;;) {
        const piece = await threadOf(range).next();
        const isLast = piece.through >= endOf(range);
        if (isLast) request(range + ahead);
        yield piece;
        threadOf(range).giveBack(piece);
        if (isLast) break;
      }
    }
    return undefined;
  } finally {
    await Promise.all(threads.map((one) => one.end()));
  }
}
