/** One request by an operation's declaration, and its answer or what went wrong. */
import { fileAnswer, formOf, type Upload } from './files.js';
import { SuuqConnectionError, SuuqProblem } from './problems.js';
import { retryAfterMs } from './retries.js';

/** Facts about an operation that the client needs at runtime. */
export interface OperationSpec {
  readonly method: string;
  /** With `{names}`. */
  readonly path: string;
  readonly query?: readonly string[];
  /** Header fields that a call may set, by their argument. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: 'json' | 'file';
  readonly answer?: 'file';
  /** The member of a page that holds its items. */
  readonly list?: string;
  /** Takes an Idempotency-Key. */
  readonly keyed?: true;
  /** Doing it twice is doing it once, also without a key. */
  readonly repeatable?: true;
  /** The credential is in the body. */
  readonly open?: true;
}

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  /** JSON, a FileAnswer, or undefined when there is none. */
  readonly body: unknown;
}

export type Fetching = (url: string, init: RequestInit) => Promise<Response>;

export type Values = Readonly<Record<string, unknown>>;

/**
 * Segments that URLs drop, percent-encoded or not, which would address another resource. (WHATWG URL, 'single-dot' and
 * 'double-dot'.)
 */
const DOTS = /^\.{1,2}$/;

/** Throws TypeError for a parameter of the path that is missing, empty, `.` or `..`. */
export function urlOf(baseUrl: string, { path, query = [] }: OperationSpec, args: Values): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name];
    // An empty segment would be another path.
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text that is not empty.`);
    if (DOTS.test(value)) throw new TypeError(`${name} must not be ${value}: no address can hold it.`);
    return encodeURIComponent(value);
  });
  const search = query
    .filter((name) => args[name] !== undefined)
    .map((name) => `${name}=${[args[name]].flat().map(String).map(encodeURIComponent).join(',')}`);
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search.length === 0 ? '' : `?${search.join('&')}`}`;
}

async function problemOf(response: Response): Promise<SuuqProblem | SuuqConnectionError> {
  const text = await response.text();
  const after = retryAfterMs(response.headers.get('retry-after'), Date.now());
  try {
    const body = JSON.parse(text);
    if (typeof body?.code === 'string') return new SuuqProblem({ ...body, status: response.status }, after);
  } catch {
    // A proxy's page: reported below.
  }
  const title = response.statusText || 'An answer that is no problem of the API';
  const code = response.status === 503 ? 'unavailable' : 'internal_error';
  return response.status >= 500 || response.status === 429
    ? new SuuqProblem({ type: 'about:blank', title, status: response.status, code }, after)
    : new SuuqConnectionError(`${response.status} ${title}`);
}

/** One request. */
export interface Attempt {
  readonly spec: OperationSpec;
  readonly url: string;
  readonly args: Values;
  readonly fields: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The body, and the header fields that it needs. Of a form that is no stream, fetch writes the content type. */
function payload({ spec, args }: Attempt): { body?: unknown; fields?: Record<string, string>; duplex?: 'half' } {
  if (spec.body === 'json' && args.body !== undefined)
    return { body: JSON.stringify(args.body), fields: { 'content-type': 'application/json' } };
  if (spec.body !== 'file') return {};
  const { body, contentType } = formOf('file', args.file as Upload);
  return contentType === undefined ? { body } : { body, fields: { 'content-type': contentType }, duplex: 'half' };
}

/** Makes it. Throws SuuqProblem, SuuqConnectionError, or what its signal was aborted with. */
export async function once(attempt: Attempt, fetching: Fetching): Promise<Sent> {
  const { spec, url, token, timeoutMs, signal } = attempt;
  const ending = new AbortController();
  const late = setTimeout(() => ending.abort(new SuuqConnectionError(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  const stop = (): void => ending.abort(signal!.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  let isFile = false;
  try {
    const { fields, ...sent } = payload(attempt);
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const init = {
      method: spec.method,
      headers: { ...attempt.fields, ...fields, ...bearer },
      ...sent,
      signal: ending.signal,
    };
    const response = await fetching(url, init as RequestInit);
    if (spec.answer === 'file' && (response.ok || response.status === 304)) {
      isFile = true;
      return { status: response.status, headers: response.headers, body: fileAnswer(response) };
    }
    if (!response.ok) throw await problemOf(response);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof SuuqProblem || error instanceof SuuqConnectionError) throw error;
    throw new SuuqConnectionError(`${spec.method} ${new URL(url).pathname}: no answer`, { cause: error });
  } finally {
    clearTimeout(late);
    // A file goes on coming: the caller can end it.
    if (!isFile) signal?.removeEventListener('abort', stop);
  }
}
