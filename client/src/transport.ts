/** Calls over HTTP: who makes them, how long they take, and when they are made again. */
import { isStream, type Upload } from './files.js';
import { checkNumber } from './numbers.js';
import { isProblem } from './problems.js';
import { type Fetching, type OperationSpec, once, type Sent, urlOf, type Values } from './request.js';
import { type RetryPolicy, waitAfter } from './retries.js';

/**
 * A key or a session token, or a function that returns it, called before each request. `refused` is the token that the
 * service has just reported as expired.
 */
export type Credential = string | ((refused?: string) => string | Promise<string>);

export interface TransportOptions extends RetryPolicy {
  /** Such as https://api.example.com, without `/api/v1`. */
  readonly baseUrl: string;
  readonly credential?: Credential;
  /** Longest time of one request, in ms; of a file that is downloaded, until it begins. 30,000 when absent. */
  readonly timeoutMs?: number;
  /** Longest time of an upload, in ms. 600,000 when absent. */
  readonly uploadTimeoutMs?: number;
  /** `fetch` when absent. */
  readonly fetch?: Fetching;
  /** Waits between requests; for tests. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
}

export interface CallOptions {
  /** One for each thing to create, the same when it is tried again: made by the client when absent, for the call and its repetitions. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Your own id of the request, for its log. */
  readonly requestId?: string;
}

/** Limit of one call. */
const MOST_RETRIES = 1000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_UPLOAD_TIMEOUT_MS = 600_000;

function waiting(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export type Send = (spec: OperationSpec, args: Values, options?: CallOptions) => Promise<Sent>;

/** Header fields that are the same however often a call is made. */
function fieldsOf(spec: OperationSpec, args: Values, call: CallOptions): Record<string, string> {
  const fields: Record<string, string> = {};
  if (spec.keyed) fields['idempotency-key'] = call.idempotencyKey ?? crypto.randomUUID();
  if (call.requestId !== undefined) fields['x-request-id'] = call.requestId;
  for (const [name, field] of Object.entries(spec.headers ?? {}))
    if (args[name] !== undefined) fields[field] = String(args[name]);
  return fields;
}

function timeoutOf(spec: OperationSpec, call: CallOptions, options: TransportOptions): number {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, uploadTimeoutMs = DEFAULT_UPLOAD_TIMEOUT_MS } = options;
  return call.timeoutMs ?? (spec.body === 'file' ? uploadTimeoutMs : timeoutMs);
}

/** A call that has been made, and failed. */
interface Made {
  readonly spec: OperationSpec;
  readonly call: CallOptions;
  readonly token: string | undefined;
  /** From 1. */
  readonly tries: number;
  /** An expired token has been replaced already. */
  readonly isRefreshed: boolean;
}

export function createTransport(options: TransportOptions): Send {
  const { baseUrl, credential, wait = waiting, random = Math.random } = options;
  for (const name of ['timeoutMs', 'uploadTimeoutMs', 'longestWaitMs'] as const) checkNumber(name, options[name]);
  checkNumber('retries', options.retries, 0, MOST_RETRIES);
  const fetching = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const tokenOf = async (spec: OperationSpec): Promise<string | undefined> => {
    if (spec.open) return undefined;
    return typeof credential === 'function' ? credential() : credential;
  };

  /** Waits until the call may be retried, and returns its token. Throws the failure if there is no retry. */
  async function again(failure: unknown, { spec, call, token, tries, isRefreshed }: Made) {
    if (call.signal?.aborted) throw failure;
    if (!isRefreshed && typeof credential === 'function' && isProblem(failure, 'session_expired'))
      return { token: await credential(token), isRefreshed: true };
    const ms = waitAfter(failure, tries, spec.keyed === true || spec.repeatable === true, options, random);
    if (ms === undefined) throw failure;
    await wait(ms, call.signal);
    return { token: await tokenOf(spec), isRefreshed };
  }

  return async (spec, args, call = {}) => {
    checkNumber('timeoutMs', call.timeoutMs);
    const timeoutMs = timeoutOf(spec, call, options);
    const fields = fieldsOf(spec, args, call);
    const request = { spec, url: urlOf(baseUrl, spec, args), args, fields, timeoutMs, signal: call.signal };
    let next = { token: await tokenOf(spec), isRefreshed: false };
    // What has flowed cannot be sent again.
    if (spec.body === 'file' && isStream(args.file as Upload)) return once({ ...request, token: next.token }, fetching);
    for (let tries = 1; ; tries += 1) {
      try {
        return await once({ ...request, token: next.token }, fetching);
      } catch (failure) {
        next = await again(failure, { spec, call, tries, ...next });
      }
    }
  };
}
