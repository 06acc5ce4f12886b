/** The main thread's side of the tree over the log: its thread begins with the first question, and again when it has died. */
import { Worker } from 'node:worker_threads';
import type { TreeWork } from '../../application/proofs/proofs.js';
import { DomainError } from '../../domain/decider.js';
import { LogDamaged, StorageFull, StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { ProvenPage } from '../../engine/proofs/logTree.js';
import { nameThread } from '../../infrastructure/threads.js';
import type { TreePlaces } from './treePlaces.js';
import type { FromTree, ToTree, TreeQuestion } from './treeThread.js';

/** Longest wait for an answer, in ms. Building the tree of a long log takes longer: the request is repeated. */
const ANSWER_MS = 50_000;
/** Longest wait for the thread's end, in ms. */
const END_MS = 3_000;

interface PendingRequest {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  /** It is no longer waited for. */
  over(): void;
}

/** Errors that are known by their names on this side too. */
const KINDS = [LogDamaged, StorageFull, StoreRefused, StoreUnavailable];

/** Permanent failures are refusals, with the code that operators know. */
const REFUSED: Readonly<Record<string, string>> = { OtherTree: 'tree_of_other_log', TreeDamaged: 'tree_damaged' };

function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  const code = REFUSED[name];
  if (code !== undefined) return new DomainError(code, message);
  const kind = KINDS.find((one) => one.name === name);
  return kind === undefined ? new Error(message) : new kind(message);
}

export class TreeHost implements TreeWork {
  readonly #places: TreePlaces;
  readonly #indexSecret: () => Promise<string>;
  readonly #pending = new Map<number, PendingRequest>();
  #worker: Worker | undefined;
  #seq = 0;
  #closed = false;

  /** `indexSecret`: of the index of the history. */
  constructor(places: TreePlaces, indexSecret: () => Promise<string>) {
    this.#places = places;
    this.#indexSecret = indexSecret;
  }

  /** True if the thread runs. */
  get running(): boolean {
    return this.#worker !== undefined;
  }

  advance({ gently }: { readonly gently: boolean }): Promise<number> {
    // What nobody waits for may take the time of a whole log.
    return this.#request({ request: 'advance', gently }, gently ? undefined : ANSWER_MS) as Promise<number>;
  }

  /** Brings the history index to the log's end, however long that takes; one caller at a time. */
  async index(): Promise<void> {
    if (this.#places.index === undefined) return;
    await this.#request({ request: 'index', secret: await this.#indexSecret() }, undefined);
  }

  root(size: number): Promise<string> {
    return this.#request({ request: 'root', size }) as Promise<string>;
  }

  consistency(from: number, size: number): Promise<readonly string[]> {
    return this.#request({ request: 'consistency', from, size }) as Promise<readonly string[]>;
  }

  proven(stream: string, from: number, limit: number, size: number): Promise<ProvenPage> {
    return this.#request({ request: 'proven', stream, from, limit, size }) as Promise<ProvenPage>;
  }

  async close(): Promise<void> {
    if (this.#worker === undefined) {
      this.#closed = true;
      return;
    }
    const worker = this.#worker;
    const stopped = this.#request({ request: 'stop' }, END_MS).catch(() => undefined);
    this.#closed = true;
    await stopped;
    await worker.terminate();
  }

  #request(question: TreeQuestion, withinMs: number | undefined = ANSWER_MS): Promise<unknown> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the proof tree is closed'));
    const worker = this.#started();
    const seq = ++this.#seq;
    return new Promise((resolve, reject) => {
      const late = (): void => this.#take(seq)?.reject(stillMade());
      const timer = withinMs === undefined ? undefined : setTimeout(late, withinMs);
      this.#pending.set(seq, { resolve, reject, over: () => clearTimeout(timer) });
      worker.postMessage({ ...question, seq } satisfies ToTree);
    });
  }

  #take(seq: number): PendingRequest | undefined {
    const waiting = this.#pending.get(seq);
    this.#pending.delete(seq);
    waiting?.over();
    return waiting;
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./treeThread.js', import.meta.url), {
      workerData: this.#places,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    nameThread(worker, 'proofs');
    this.#worker = worker;
    let cause: Error | undefined;
    worker.on('error', (error) => {
      cause = error as Error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      const error = new StoreUnavailable(`the proof tree thread ended: ${cause?.message ?? 'it was closed'}`, {
        cause,
      });
      for (const seq of [...this.#pending.keys()]) this.#take(seq)?.reject(error);
    });
    worker.on('message', (message: FromTree) => {
      const waiting = this.#take(message.seq);
      if ('failed' in message) waiting?.reject(errorOf(message.failed));
      else waiting?.resolve(message.answer);
    });
    return worker;
  }
}

const stillMade = (): StoreUnavailable =>
  new StoreUnavailable('the proof tree is still being built from the log; try again in a minute');
