/** The sandbox's routes: JSON in and out, on the router of the service. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { announcesBody, ClientGone, readBody } from '../http/body.js';
import type { ForeignRequest } from '../http/ownHosts.js';
import { createRouter, type Params, READING } from '../http/router.js';
import { lazily } from '../pages/lazy.js';

/** A request as its handler sees it. */
export interface SandboxRequest {
  readonly params: Params;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** JSON, or a stream of bytes where the route takes them; undefined: there is none. */
  readonly body: unknown;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
}

/** An answer other than 200 with JSON. */
export class Reply {
  readonly status: number;
  readonly body: object | string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body?: object | string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Answered by a handler that has written the answer, or broken the connection, by itself. */
export const TAKEN_OVER = Symbol('taken over');

/** JSON with 200, unless it is a Reply. */
export type Handler = (request: SandboxRequest) => Promise<object | typeof TAKEN_OVER>;

/** Fault of a request before its handler sees it. */
export class WrongRequest extends Error {
  override readonly name = 'WrongRequest';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface BodyOptions {
  /** Most bytes of a JSON body; 1 MB when absent. */
  readonly limit?: number;
  /** Content types whose bytes the handler reads by itself; none when absent. */
  readonly streamed?: RegExp;
}

export interface SandboxRoutes {
  get(path: string, handler: Handler): void;
  post(path: string, handler: Handler): void;
  post(path: string, body: BodyOptions, handler: Handler): void;
  delete(path: string, handler: Handler): void;
}

const LONGEST_PARAM = 300;
const BODY_BYTES = 1024 * 1024;
const NOSNIFF = { 'x-content-type-options': 'nosniff' };
const JSON_TYPE = 'application/json; charset=utf-8';

/** Paths without a token: they take only JSON, `{}` if empty, which no form of another site can send. */
const isOfControl = (request: IncomingMessage): boolean => request.url!.startsWith('/sandbox/');

/** Only JSON is accepted unless a route declares otherwise, so that no form of another site can act here. */
async function bodyOf(request: IncomingMessage, { limit = BODY_BYTES, streamed }: BodyOptions): Promise<unknown> {
  const type = request.headers['content-type'];
  if (type === undefined && !announcesBody(request) && !isOfControl(request)) return undefined;
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? '')) {
    if (streamed?.test(type ?? '')) return request;
    throw new WrongRequest(415, 'The body must be sent as Content-Type: application/json.');
  }
  const bytes = await readBody(request, {
    limit,
    tooLarge: () => new WrongRequest(413, `The body is larger than ${limit} bytes.`),
    tooLate: () => new WrongRequest(408, 'The body did not arrive in time.'),
  });
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new WrongRequest(400, 'The body is not well-formed JSON.');
  }
}

function queryOf(url: string): SandboxRequest['query'] {
  const at = url.indexOf('?');
  return at === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(at + 1)));
}

async function send(response: ServerResponse, { status, body, headers }: Reply): Promise<void> {
  if (response.headersSent || response.destroyed) {
    if (body instanceof Readable) body.destroy();
    return;
  }
  if (body instanceof Readable) {
    response.writeHead(status, { ...NOSNIFF, ...headers });
    await pipeline(body, response);
    return;
  }
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const kind = typeof body === 'object' ? { 'content-type': JSON_TYPE } : {};
  const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  response.writeHead(status, { ...NOSNIFF, ...kind, ...length, ...headers }).end(text);
}

/** Requests of a person's browser. */
const isOfPage = ({ method, url }: IncomingMessage): boolean => READING.includes(method!) && /^\/(?:\?|$)/.test(url!);

/**
 * `refusal` answers errors of a handler; `page`, which is created on first use, answers browsers. `foreign` selects requests that are
 * rejected before routing.
 */
export function sandboxRoutes(
  refusal: (error: unknown) => Reply,
  page: (notFound: RequestListener) => Promise<RequestListener>,
  foreign: (request: IncomingMessage) => ForeignRequest | undefined,
): { readonly routes: SandboxRoutes; readonly listener: RequestListener } {
  const refuse = (status: number, message: string) => (_request: IncomingMessage, response: ServerResponse) =>
    void send(response, refusal(new WrongRequest(status, message)));
  const unknown = refuse(404, 'Unknown path components');
  const shown = lazily(
    () => page(unknown),
    (error, _request, response) => void send(response, refusal(error)),
  );
  const router = createRouter({
    longestParam: LONGEST_PARAM,
    otherwise: (request, response) => (isOfPage(request) ? shown : unknown)(request, response),
    undecodable: refuse(400, 'The path is not percent-encoded UTF-8.'),
    tooLong: unknown,
  });

  async function answer(
    request: Omit<SandboxRequest, 'body'>,
    handler: Handler,
    options: BodyOptions | undefined,
  ): Promise<void> {
    const { raw, response } = request;
    try {
      const body = options && (await bodyOf(raw, options));
      const answered = await handler({ ...request, body });
      if (answered !== TAKEN_OVER)
        await send(response, answered instanceof Reply ? answered : new Reply(200, answered));
    } catch (error) {
      if (error instanceof ClientGone || response.headersSent) response.destroy();
      else await send(response, refusal(error));
    }
  }

  const mount = (methods: readonly string[], path: string, handler: Handler, options?: BodyOptions): void =>
    router.on(
      methods,
      path,
      (raw, response, params) => void answer({ params, query: queryOf(raw.url!), raw, response }, handler, options),
    );
  return {
    routes: {
      get: (path, handler) => mount(READING, path, handler),
      post: (path: string, ...rest: [Handler] | [BodyOptions, Handler]) =>
        rest.length === 1 ? mount(['POST'], path, rest[0], {}) : mount(['POST'], path, rest[1], rest[0]),
      delete: (path, handler) => mount(['DELETE'], path, handler),
    },
    listener(request, response) {
      const found = foreign(request);
      if (found === undefined) router.listener(request, response);
      else refuse(found.status, found.message)(request, response);
    },
  };
}
