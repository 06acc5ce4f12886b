/** What no route takes: unknown paths, other methods, and what cannot be read as a request. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorPage } from '../pages/errors.js';
import { problemOf, Refusal } from '../problems.js';
import { API_HEADERS, countAddress, fail, finished, type PipelineContext } from './context.js';
import { Exchange, PROBLEM_TYPE, preflight } from './exchange.js';
import { methodsFinder, type Served } from './methods.js';
import { API } from './routes.js';
import { html } from './site.js';

/** Answers a request with the parameters of its path. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
) => void;

const pathOf = (url: string): string => url.split('?', 1)[0]!;
const isApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);

/** Paths without a route, and routes without the method. */
export function unrouted(routes: readonly Served[], context: PipelineContext): Serve {
  const methodsOf = methodsFinder(routes);
  const answer = async (request: IncomingMessage, exchange: Exchange, path: string, api: boolean): Promise<void> => {
    if (api) await countAddress(exchange, context);
    const allowed = methodsOf(path);
    if (allowed.length === 0) {
      if (api || !request.headers.accept?.includes('text/html'))
        throw new Refusal('not_found', 'There is nothing at this path.');
      notFoundPage(exchange, context);
      return;
    }
    const headers = { Allow: allowed.join(', ') };
    if (request.method !== 'OPTIONS')
      throw new Refusal('method_not_allowed', `This path has only ${headers.Allow}.`, { headers });
    Object.assign(exchange.headers, headers, api ? preflight(headers.Allow) : {});
    exchange.answer(204);
    finished(exchange, 204, context);
  };
  return (request, response) => {
    const path = pathOf(request.url!);
    const api = isApi(path);
    const exchange = new Exchange(request, response, 'none', api ? API_HEADERS : {}, context.lifecycle);
    answer(request, exchange, path, api).catch((error) => fail(exchange, error, context));
  };
}

function notFoundPage(exchange: Exchange, context: PipelineContext): void {
  const { text, contentType, headers } = html(errorPage('not_found', []), 404);
  Object.assign(exchange.headers, headers);
  exchange.answer(404, text, contentType);
  finished(exchange, 404, context);
}

/** URLs that the router cannot decode. */
export function undecodable(
  error: { code: string },
  request: IncomingMessage,
  response: ServerResponse,
  context: PipelineContext,
) {
  const headers = isApi(pathOf(request.url!)) ? API_HEADERS : {};
  const exchange = new Exchange(request, response, 'none', headers, context.lifecycle);
  const problems = [{ message: 'must be percent-encoded UTF-8', location: 'path' }];
  const refusal =
    error.code === 'FST_ERR_BAD_URL'
      ? new Refusal('validation_failed', 'The path is not percent-encoded UTF-8.', { problems })
      : new Refusal('not_found', 'There is nothing at this path.');
  fail(exchange, refusal, context);
}

/** What is not even HTTP is answered as a problem too, and the connection ends. */
export function notHttp(error: { code?: string }, socket: Socket, baseUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const refusal = new Refusal(
    'malformed_body',
    'The request is not well-formed HTTP/1.1, or its header fields are too large.',
  );
  const text = JSON.stringify(problemOf(refusal, baseUrl, id).problem);
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.end([...head, `X-Request-Id: ${id}`, 'Connection: close', '', text].join('\r\n'));
}
