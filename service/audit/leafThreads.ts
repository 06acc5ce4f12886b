/** The leaves of a large embedded log, read and hashed by two threads while this one compares. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BEFORE_ALL, LogDamaged, type Position } from '../../engine/ports/eventStore.js';
import type { FromLeafThread, LeafPart, ToLeafThread } from './leafThread.js';
import type { LeafPage } from './leaves.js';

const THREADS = 2;
/** Positions of one part, and parts that each thread has before it: their events are in memory, their leaves come back. */
const PART = 2_000;
const AHEAD = 2;
/** For what it has before it, in ms. */
const END_MS = 5_000;

/** One thread answers its parts in their order. */
class LeafThread {
  readonly #worker: Worker;
  readonly #answers: FromLeafThread[] = [];
  #wake: () => void = () => {};
  #failure: Error | undefined;

  constructor(folder: string) {
    this.#worker = new Worker(new URL('./leafThread.js', import.meta.url), { workerData: { folder } });
    this.#worker.on('message', (answer: FromLeafThread) => {
      this.#answers.push(answer);
      this.#wake();
    });
    const ended = (error: unknown): void => {
      this.#failure ??= error instanceof Error ? error : new Error('a thread that reads the log has ended');
      this.#wake();
    };
    this.#worker.on('error', ended);
    this.#worker.on('exit', ended);
  }

  ask(part: LeafPart): void {
    this.#worker.postMessage(part satisfies ToLeafThread);
  }

  async next(): Promise<LeafPage> {
    while (this.#answers.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const answer = this.#answers.shift()!;
    if ('damaged' in answer) throw new LogDamaged(answer.damaged);
    return answer;
  }

  /** Asked first: the driver ends the whole process when a thread goes while it makes an answer. */
  async end(): Promise<void> {
    if (this.#failure !== undefined) return void (await this.#worker.terminate());
    const ended = once(this.#worker, 'exit');
    this.#worker.postMessage({ stop: true } satisfies ToLeafThread);
    const late = setTimeout(() => void this.#worker.terminate(), END_MS);
    await ended;
    clearTimeout(late);
  }
}

/** In their order. Rejects with LogDamaged. */
export async function* threadedLeaves(folder: string, head: Position): AsyncGenerator<LeafPage, undefined> {
  const threads = Array.from({ length: THREADS }, () => new LeafThread(folder));
  try {
    let asked: Position = BEFORE_ALL;
    const askNext = (part: number): void => {
      if (asked >= head) return;
      const through = Math.min(head, asked + PART);
      threads[part % THREADS]!.ask({ after: asked, through });
      asked = through;
    };
    const ahead = THREADS * AHEAD;
    for (let part = 0; part < ahead; part += 1) askNext(part);
    let through: Position = BEFORE_ALL;
    for (let part = 0; through < head; part += 1) {
      const page = await threads[part % THREADS]!.next();
      askNext(part + ahead);
      through = page.through;
      yield page;
    }
    return undefined;
  } finally {
    await Promise.all(threads.map((one) => one.end()));
  }
}
