/** Requests of the console: its own operations, and those of the API that read a store, with the browser's cookie. */
import type {
  ConsoleActs,
  ConsoleChanges,
  ConsoleCommandAnswerBody,
  ConsoleReads,
} from '../../../api/console/contract.js';
import { API_PATH, accessHeaders, isFramed, renewAccess } from './frameAccess.js';
import type { Changes, Reads } from './openapi.js';

/** Longest wait for an answer, in ms. */
const WITHIN_MS = 20_000;
/** The same where a file is sent. */
const FILE_WITHIN_MS = 120_000;

/** A problem of one field of a request. */
export interface FieldFault {
  readonly location?: string;
  readonly message: string;
}

/** An answer that is no success, or none at all (`status` 0). */
export class Failed extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly faults: readonly FieldFault[];
  constructor(status: number, code: string, detail: string, requestId?: string, faults: readonly FieldFault[] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.faults = faults;
  }
}

export type Params = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

function pathOf(path: string, params: Params = {}, query: Query = {}): string {
  // What stores and partners have alike is a partner's below its own id.
  const placed = 'partnerId' in params ? path.replace('/workspaces/{workspaceId}', '/partners/{partnerId}') : path;
  const filled = placed.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

const OVER = 'console_signed_out';
const watchers = new Set<() => void>();

/**
 * Calls `notify` when an answer reports the end of the session, wherever it was ended. Returns a function that stops it.
 */
export function onSignedOut(notify: () => void): () => void {
  watchers.add(notify);
  return () => void watchers.delete(notify);
}

async function failure(answer: Response): Promise<Failed> {
  const problem = await answer.json().catch(() => ({}));
  const { code = 'internal_error', reason = code, detail = answer.statusText, requestId, errors } = problem;
  if (code === OVER) for (const reported of watchers) reported();
  return new Failed(answer.status, reason, detail, requestId, errors);
}

const fetched = (path: string, init: RequestInit, withinMs: number): Promise<Response> =>
  fetch(API_PATH + path, {
    ...init,
    headers: { ...(init.headers as Record<string, string> | undefined), ...accessHeaders() },
    signal: AbortSignal.timeout(withinMs),
  }).catch(() => {
    throw new Failed(0, 'unreachable', 'The service does not answer. It may be restarting.');
  });

async function send(path: string, init: RequestInit = {}, withinMs = WITHIN_MS): Promise<Response> {
  let answer = await fetched(path, init, withinMs);
  if (answer.status === 401 && isFramed) {
    await renewAccess().catch((error: Error & { readonly code?: string }) => {
      for (const report of watchers) report();
      throw new Failed(401, error.code ?? OVER, error.message);
    });
    answer = await fetched(path, init, withinMs);
  }
  if (!answer.ok) throw await failure(answer);
  return answer;
}

/** An operation of the API. */
export async function read<P extends keyof Reads>(
  path: P,
  params: Params,
  query: Reads[P]['query'] = {},
): Promise<Reads[P]['answer']> {
  const answer = await send(`/v1${pathOf(path, params, query as Query)}`);
  return (await answer.json()) as Reads[P]['answer'];
}

/** An operation of the console. */
export async function readConsole<P extends keyof ConsoleReads>(
  path: P,
  params: Params = {},
  query: Query = {},
): Promise<ConsoleReads[P]> {
  const answer = await send(pathOf(path, params, query));
  return (await answer.json()) as ConsoleReads[P];
}

/** The address of a live tail. */
export const tailUrl = (path: string, query: Query): string => API_PATH + pathOf(path, {}, query);

/** Address of the sound that calls play for a recording. */
export const soundUrl = (workspaceId: string, recordingId: string): string =>
  API_PATH + pathOf('/stores/{workspaceId}/recordings/{recordingId}/sound', { workspaceId, recordingId });

/** Address of an operation of the API whose answer is not JSON, such as a picture's bytes. A frame loads it with `loadBytes`. */
export const bytesUrl = (path: string, params: Params): string => `${API_PATH}/v1${pathOf(path, params)}`;

let csrf = '';
/** Sets the token that every later change carries. */
export const setToken = (token: string): void => {
  csrf = token;
};

const BYTES = 'application/octet-stream';

function changing(method: string, path: string, body: unknown, once?: string): Promise<Response> {
  const hasFile = body instanceof FormData || body instanceof Blob;
  const headers = {
    'X-CSRF-Token': csrf,
    // The browser sets the type of a form with a file.
    ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': hasFile ? BYTES : 'application/json' }),
    ...(once === undefined ? {} : { 'Idempotency-Key': once }),
  };
  const sent = body === undefined ? {} : { body: hasFile ? body : JSON.stringify(body) };
  return send(path, { method, headers, ...sent }, hasFile ? FILE_WITHIN_MS : WITHIN_MS);
}

export async function change<P extends keyof ConsoleChanges>(
  path: P,
  params: Params,
  body: ConsoleChanges[P],
): Promise<void> {
  await changing('POST', pathOf(path, params), body);
}

/** A key under which something is done once, however often it is sent. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An operation of the console that does something and answers. `once`: the Idempotency-Key. */
export async function give<P extends keyof ConsoleActs>(
  path: P,
  params: Params,
  body: ConsoleActs[P]['body'],
  once: string,
): Promise<ConsoleActs[P]['answer']> {
  const answer = await changing('POST', pathOf(path, params), body, once);
  return (await answer.json()) as ConsoleActs[P]['answer'];
}

/** The same with a file, and the other fields as they are typed. */
export async function giveFile(
  name: string,
  typed: Query,
  file: Blob,
  once: string,
): Promise<ConsoleCommandAnswerBody> {
  const path = pathOf('/commands/{name}/file', { name }, typed);
  const answer = await changing('POST', path, file, once);
  return (await answer.json()) as ConsoleCommandAnswerBody;
}

/** An operation of the API that changes something, by its method and path. `once`: the Idempotency-Key, where it takes one. */
export async function act<P extends keyof Changes>(
  operation: P,
  params: Params,
  body: Changes[P]['body'],
  query: Changes[P]['query'] = {},
  once?: string,
): Promise<Changes[P]['answer']> {
  const [method = '', path = ''] = operation.split(' ');
  const answer = await changing(method, `/v1${pathOf(path, params, query as Query)}`, body, once);
  const text = await answer.text();
  return (text === '' ? undefined : JSON.parse(text)) as Changes[P]['answer'];
}

/** Reads from the sandbox, below the number of the phone. */
export async function phoneRead<T>(number: string, path: string): Promise<T> {
  return (await (await send(`/sandbox/numbers/${encodeURIComponent(number)}${path}`)).json()) as T;
}

/** Performs an act in the sandbox; undefined if the answer is empty. */
export async function phoneAct<T>(number: string, path: string, body: object): Promise<T | undefined> {
  const answer = await changing('POST', `/sandbox/numbers/${encodeURIComponent(number)}${path}`, body);
  const text = await answer.text();
  return text === '' ? undefined : (JSON.parse(text) as T);
}

/** The address of a file of a chat. */
export const phoneFile = (number: string, customer: string, id: string): string =>
  `${API_PATH}/sandbox/numbers/${encodeURIComponent(number)}/customers/${encodeURIComponent(customer)}/media/${encodeURIComponent(id)}`;

/** Loads bytes for a page in a frame, whose images cannot send the session's token. Returns an address in memory. */
export async function loadBytes(url: string): Promise<string> {
  const answer = await send(url.slice(API_PATH.length));
  return URL.createObjectURL(await answer.blob());
}
