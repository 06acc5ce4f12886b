/** Plain HTTP, for what is no part of the API such as the sandbox, and expectations that read like sentences. */
import { SuuqProblem } from '../../client/src/index.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the story reads answers as any client without types would
  readonly body: any;
}

async function read(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const json = (answer.headers.get('content-type') ?? '').includes('json');
  return { status: answer.status, headers: answer.headers, body: json && text !== '' ? JSON.parse(text) : text };
}

export class Client {
  readonly #baseUrl: string;
  readonly #key: string | undefined;
  constructor(baseUrl: string, key?: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = {
      ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
      ...init.headers,
    };
    return fetch(`${this.#baseUrl}${path}`, { ...init, headers, signal: AbortSignal.timeout(20_000) });
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return read(await this.#fetch(path, { method, ...(body === undefined ? {} : json) }));
  }

  /** The bytes of a file, with their type. */
  async bytes(path: string): Promise<{ status: number; type: string; bytes: Buffer }> {
    const answer = await this.#fetch(path, {});
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  get = (path: string): Promise<Answer> => this.call('GET', path);
  put = (path: string, body: object): Promise<Answer> => this.call('PUT', path, body);
  post = (path: string, body?: object): Promise<Answer> => this.call('POST', path, body);
}

class NotAsSpecified extends Error {
  override readonly name = 'NotAsSpecified';
}

/** Ends the demo when something is not as it should be. */
export function expect(what: string, actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new NotAsSpecified(
      `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)?.slice(0, 800)}`,
    );
}

export function check(what: string, condition: boolean, seen: unknown): void {
  if (!condition) throw new NotAsSpecified(`${what}; seen: ${JSON.stringify(seen)?.slice(0, 800)}`);
}

/** The code with which something is refused; `done` when it is not. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof SuuqProblem) return error.code;
    throw error;
  }
}

export const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
