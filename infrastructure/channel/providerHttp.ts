/** Calls to the channel and its catalog provider: bounded in time and size, errors in the port's terms. */
import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { boundedBytes } from '../http/boundedBytes.js';
import { clients } from '../http/clients.js';
import type { HttpRequest } from '../telemetry/tracedCalls.js';
import { record } from '../untypedJson.js';
import { cut } from './cleanText.js';
import { mayRetry } from './providerCodes.js';

export interface ProviderOptions {
  /** Such as https://graph.facebook.com, without a slash at its end. */
  readonly baseUrl: string;
  /** Such as v23.0. */
  readonly version: string;
  /** The service's own bearer token. */
  readonly accessToken: string;
  /** For a whole call, from the first byte sent to the last one read. */
  readonly timeoutMs?: number;
  /** How calls are made; undici's own when absent. */
  readonly request?: HttpRequest;
}

/** A body that is sent as it is read. `size` in bytes. */
export interface ProviderBody {
  readonly contentType: string;
  readonly size: number;
  readonly content: Readable;
}

export interface ProviderCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** After the version, beginning with a slash; parts from outside are already encoded. */
  readonly path: string;
  /** Text is JSON. */
  readonly body?: string | ProviderBody;
  /** Added to the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For this call, in place of the usual one. */
  readonly timeoutMs?: number;
  /** Instead of the service's own. */
  readonly accessToken?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ProviderHttp {
  /** The parsed answer of a call that the provider took; `ProviderError` otherwise. */
  call(call: ProviderCall): Promise<JsonObject>;
  close(): Promise<void>;
}

const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
const CONNECTIONS = 64;
const MESSAGE = 400;

async function read(body: AsyncIterable<Buffer>): Promise<string> {
  const bytes = await boundedBytes(body, MOST_ANSWER_BYTES);
  if (bytes === undefined) throw new ProviderError('bad_answer', 'The response is too large.', true);
  return bytes.toString('utf8');
}

function parse(text: string): JsonObject | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Seconds, as the provider writes it; dates are not used by it. */
function retryAfter(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
  return seconds === undefined ? undefined : seconds * 1_000;
}

function refusal(status: number, retryAfterHeader: unknown, answer: JsonObject | undefined): ProviderError {
  const error = record(answer?.error);
  const code = typeof error?.code === 'number' ? error.code : undefined;
  const retry = mayRetry(code, status);
  if (error === undefined) return new ProviderError('bad_answer', `HTTP ${status} without an error object.`, retry);
  // The description of a template error is in words for people. Some refusals repeat it in both members.
  const details = error.error_user_msg ?? record(error.error_data)?.details;
  const message = [...new Set([error.message, details])].filter((part) => typeof part === 'string').join(': ');
  return new ProviderError(
    code === undefined ? 'bad_answer' : String(code),
    cut(message, MESSAGE) || `HTTP ${status}`,
    retry,
    retry ? retryAfter(retryAfterHeader) : undefined,
  );
}

/** One pool of connections. Redirects are not followed: the token goes to the configured address alone. */
export function createProviderHttp(options: ProviderOptions): ProviderHttp {
  const { baseUrl, version, timeoutMs = 10_000 } = options;
  let dispatcher: Agent | undefined;

  function sent(body: ProviderCall['body']): { headers: Record<string, string>; body: string | Readable | null } {
    if (body === undefined) return { headers: {}, body: null };
    if (typeof body === 'string') return { headers: { 'content-type': 'application/json' }, body };
    const { contentType, size, content } = body;
    return { headers: { 'content-type': contentType, 'content-length': String(size) }, body: content };
  }

  async function exchange(call: ProviderCall, token: string, signal: AbortSignal): Promise<JsonObject> {
    const sending = sent(call.body);
    const { Agent, request: usual } = clients();
    const { request = usual } = options;
    dispatcher ??= new Agent({ connections: CONNECTIONS, connect: { timeout: timeoutMs } });
    const { statusCode, headers, body } = await request(`${baseUrl}/${version}${call.path}`, {
      method: call.method,
      dispatcher,
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...sending.headers,
        ...call.headers,
      },
      body: sending.body,
    });
    const answer = parse(await read(body));
    if (statusCode < 200 || statusCode > 299 || answer?.error !== undefined)
      throw refusal(statusCode, headers['retry-after'], answer);
    if (answer === undefined) throw new ProviderError('bad_answer', 'The response is not a JSON object.', true);
    return answer;
  }

  return {
    async call(call) {
      const token = call.accessToken ?? options.accessToken;
      const deadline = new AbortController();
      const within = call.timeoutMs ?? timeoutMs;
      const timer = setTimeout(() => deadline.abort(), within);
      const stop = (): void => deadline.abort();
      call.signal?.addEventListener('abort', stop, { once: true });
      if (call.signal?.aborted) stop();
      try {
        return await exchange(call, token, deadline.signal);
      } catch (error) {
        call.signal?.throwIfAborted();
        if (error instanceof ProviderError)
          throw new ProviderError(error.code, error.message.replaceAll(token, '…'), error.retry, error.retryAfterMs);
        if (deadline.signal.aborted) throw new ProviderError('timeout', `No response within ${within} ms.`, true);
        const reason = (error as NodeJS.ErrnoException).code ?? 'no connection';
        throw new ProviderError('unreachable', `The provider cannot be reached (${reason}).`, true);
      } finally {
        clearTimeout(timer);
        call.signal?.removeEventListener('abort', stop);
      }
    },
    close: async () => dispatcher?.destroy(),
  };
}

/** An id as one part of a path. */
export const part = (id: string): string => encodeURIComponent(id);
