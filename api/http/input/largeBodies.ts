/**
 * Checks large bodies one at a time, the callers in turn, so that a flood delays only its own caller. A valid batch of
 * usual size is parsed on this thread, a little at a time; all others in a thread of their own.
 */
import { defined } from '../../../domain/defined.js';
import { PORTIONED_BODY } from '../../contract/bodyLimits.js';
import { Refusal } from '../../contract/problems.js';
import { joined } from './bodyPieces.js';
import { parsedInPortions } from './bodyPortions.js';
import { BodyThread, type LargeBodyRequest } from './bodyThread.js';
import type { ReadBody } from './input.js';
import type { CheckedBody } from './largeBodyThread.js';

/** Longest wait for one's turn, in ms. */
const TURN_WITHIN_MS = 10_000;

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
  new Refusal('unavailable', 'Other large bodies are being checked.', { headers: { 'Retry-After': '1' } });

async function readBodyOf(answer: CheckedBody): Promise<ReadBody> {
  if ('failed' in answer) throw new Error(`a large body could not be checked: ${answer.failed}`);
  if ('refused' in answer) {
    const { code, detail, problems } = answer.refused;
    throw new Refusal(code, detail, { problems });
  }
  if ('problems' in answer) {
    const { problems, pieces: sent } = answer;
    return { value: sent && (await joined(sent)), problems, checked: true };
  }
  const { pieces, fingerprint } = answer;
  const value = await joined(pieces);
  return { value, problems: [], checked: true, ...defined({ fingerprint }) };
}

/** Parses a valid batch on this thread; undefined: the other thread has to check it. */
async function portioned({ bytes, limit, fits, request }: LargeBodyRequest): Promise<ReadBody | undefined> {
  // What makes a request the same one takes a hash of all of it.
  if (fits === undefined || request !== undefined || bytes.length > PORTIONED_BODY) return undefined;
  const value = await parsedInPortions(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), limit);
  return value !== undefined && fits(value) ? { value, problems: [], checked: true } : undefined;
}

/** Answers what makes the value of it: that is for when the next one may already be looked at. */
async function checked(request: LargeBodyRequest, thread: BodyThread): Promise<() => ReadBody | Promise<ReadBody>> {
  const here = await portioned(request);
  if (here !== undefined) return () => here;
  const answer = await thread.check(request);
  return () => readBodyOf(answer);
}

class Queue implements LargeBodies {
  readonly #thread = new BodyThread();
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

  /** Removes the next job. A caller that was served moves behind the others. */
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
    const answering = checked(request, this.#thread).finally(() => {
      this.#checking = false;
      this.#next();
    });
    await answering.then((read) => read()).then(resolve, reject);
    this.#joining.delete(request.who);
    this.#next();
  }

  close(): Promise<void> {
    return this.#thread.end();
  }
}

export const largeBodies = (): LargeBodies => new Queue();
