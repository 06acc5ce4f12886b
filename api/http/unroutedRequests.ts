/** Requests that no route serves: unknown paths, other methods, and malformed requests. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { rawAnswer } from '../../infrastructure/http/connections.js';
import { problemOf, Refusal } from '../contract/problems.js';
import { API } from '../contract/routes.js';
import { API_HEADERS, countAddress, fail, finished, type PipelineContext } from './context.js';
import { Exchange, PLAIN_HEADERS, PROBLEM_TYPE, preflight } from './exchange.js';
import { methodsFinder, type Served } from './methods.js';

/** A request's path without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0]!;
const isApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);

/** Answers OPTIONS with the methods that a path has. Throws the refusal of any other method, and of a path without one. */
export function answerMethods(
  exchange: Exchange,
  allowed: readonly string[],
  context: PipelineContext,
  more: (methods: string) => Readonly<Record<string, string>> = () => ({}),
): void {
  if (allowed.length === 0) throw new Refusal('not_found', 'This path does not exist.');
  const headers = { Allow: allowed.join(', ') };
  if (exchange.request.method !== 'OPTIONS')
    throw new Refusal('method_not_allowed', `This path only supports ${headers.Allow}.`, { headers });
  Object.assign(exchange.headers, headers, more(headers.Allow));
  exchange.answer(204);
  finished(exchange, 204, context);
}

export interface Unrouted {
  /** Returns true if a path belongs to machines: below /api/v1, or with a route here for some method. */
  owns(path: string): boolean;
  readonly serve: RequestListener;
}

/** Paths without a route, and routes without the method; `routes` may grow until the first request. */
export function unrouted(routes: readonly Served[], context: PipelineContext): Unrouted {
  let finder: ReturnType<typeof methodsFinder> | undefined;
  const methodsOf = (path: string): string[] => {
    finder ??= methodsFinder(routes);
    return finder(path);
  };
  const answer = async (exchange: Exchange, path: string, api: boolean): Promise<void> => {
    await countAddress(exchange, context);
    answerMethods(exchange, methodsOf(path), context, api ? preflight : undefined);
  };
  return {
    owns: (path) => isApi(path) || methodsOf(path).length > 0,
    serve(request, response) {
      const path = pathOf(request.url!);
      const api = isApi(path);
      const exchange = new Exchange(request, response, 'none', api ? API_HEADERS : PLAIN_HEADERS, context.lifecycle);
      answer(exchange, path, api).catch((error) => fail(exchange, error, context));
    },
  };
}

/** Answers a request with a refusal, whatever its path. */
export function refused(
  request: IncomingMessage,
  response: ServerResponse,
  context: PipelineContext,
  refusal: Refusal,
): void {
  const headers = isApi(pathOf(request.url!)) ? API_HEADERS : PLAIN_HEADERS;
  fail(new Exchange(request, response, 'none', headers, context.lifecycle), refusal, context);
}

/** URLs that the router cannot decode. */
export function undecodable(request: IncomingMessage, response: ServerResponse, context: PipelineContext): void {
  const problems = [{ message: 'must be percent-encoded UTF-8', location: 'path' }];
  const refusal = new Refusal('validation_failed', 'The path is not percent-encoded UTF-8.', { problems });
  refused(request, response, context, refusal);
}

/** URLs with a parameter that is longer than any could be. */
export function tooLong(request: IncomingMessage, response: ServerResponse, context: PipelineContext): void {
  refused(request, response, context, new Refusal('not_found', 'This path does not exist.'));
}

/** A problem as it goes over a connection that no request's way leads to; it ends the connection. */
export function rawProblem(status: string, refusal: Refusal, baseUrl: string): string {
  const id = randomUUID();
  const { problem, headers } = problemOf(refusal, baseUrl, id);
  return rawAnswer(status, PROBLEM_TYPE, JSON.stringify(problem), { 'X-Request-Id': id, ...headers });
}

/** Returns the answer to a connection beyond the limit. */
export function tooManyConnections(baseUrl: string): string {
  const headers = { 'Retry-After': '1' };
  const refusal = new Refusal('unavailable', 'Too many connections, in total or from your address.', { headers });
  return rawProblem('503 Service Unavailable', refusal, baseUrl);
}
