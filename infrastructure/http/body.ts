/** The bytes of a request's body: no more than a limit, within a time, and within what all bodies together may hold. */
import type { IncomingMessage } from 'node:http';
import type { ReservedBytes } from './bodyBudget.js';
import { sendContinue } from './expectation.js';

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Longest time for a body to come in whole, in ms. */
export const BODY_WITHIN_MS = 60_000;
/** Longest time without a byte of it, in ms. */
export const BODY_IDLE_MS = 10_000;

export interface BodyRules {
  /** Most bytes. */
  readonly limit: number;
  /** Memory that this body may use, and the refusal while other bodies use it. */
  readonly memory?: BodyMemory | undefined;
  /** Refusal of a larger body; the rest of it is discarded as it arrives. */
  tooLarge(): Error;
  /** Refusal of a slower body. */
  tooLate(): Error;
}

interface BodyMemory {
  /** Memory of this body. The owner releases it. */
  readonly reserved: ReservedBytes;
  tooMany(): Error;
}

/** One body as it comes in: what ends its reading first, decides. */
class Reading {
  readonly #request: IncomingMessage;
  readonly #rules: BodyRules;
  readonly #resolve: (bytes: Buffer) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    request: IncomingMessage,
    rules: BodyRules,
    resolve: (bytes: Buffer) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request;
    this.#rules = rules;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#refuse(rules.tooLate()), BODY_IDLE_MS);
    request.on('data', this.#take);
    request.once('end', () => this.#end());
    request.once('error', () => reject(new ClientGone()));
    request.once('close', () => {
      clearTimeout(this.#timer);
      if (!request.complete) reject(new ClientGone());
    });
  }

  readonly #take = (chunk: Buffer): void => {
    const { limit, memory, tooLarge, tooLate } = this.#rules;
    this.#size += chunk.length;
    if (this.#size > limit) this.#refuse(tooLarge());
    else if (performance.now() - this.#startedAt > BODY_WITHIN_MS) this.#refuse(tooLate());
    else if (memory?.reserved.grow(this.#size) === false) this.#refuse(memory.tooMany());
    else {
      this.#chunks.push(chunk);
      this.#timer.refresh();
    }
  };

  #refuse(error: Error): void {
    clearTimeout(this.#timer);
    this.#request.off('data', this.#take);
    this.#chunks = [];
    this.#request.resume();
    this.#reject(error);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#resolve(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
    this.#chunks = [];
  }
}

/** Rejects as the rules define, or with ClientGone. */
export function readBody(request: IncomingMessage, rules: BodyRules): Promise<Buffer> {
  const { memory } = rules;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > rules.limit) return Promise.reject(rules.tooLarge());
  // Refused before others of the same kind take the room that it would need, and none of them ever has enough.
  if (memory?.reserved.fits(announced) === false) return Promise.reject(memory.tooMany());
  sendContinue(request);
  return new Promise((resolve, reject) => void new Reading(request, rules, resolve, reject));
}

/** True if the header fields announce a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
