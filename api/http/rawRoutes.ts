/** Routes outside of the API whose handlers need the bytes of the body, such as the channel's signed webhook. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { addressIsProven, countAddress, fail, finished, type PipelineContext, reserveFor } from './context.js';
import { Exchange, PLAIN_HEADERS } from './exchange.js';
import { readBytes } from './input/input.js';
import { inTrace } from './requestTrace.js';
import { costOf } from './takeToken.js';

export interface RawRequest {
  /** The first value of each query parameter. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  readonly requestId: string;
}

export interface RawAnswer {
  readonly status: number;
  /** text/plain when absent. */
  readonly contentType?: string;
  readonly body?: string;
  /** In addition to those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request has shown that it is from whom it should be: it does not count for the limit of its address. */
  readonly isProven?: true;
}

/** Not under /api/v1: no credential, no API header fields. Errors that it throws are answered as problems. */
export interface RawRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Most bytes of the body. */
  readonly bodyLimit: number;
  /** For the operator alone: not on the public port where there is another. */
  readonly operatorOnly?: true;
  /** Refuses by the header fields alone, before the body is read. */
  before?(headers: IncomingHttpHeaders): void;
  handle(request: RawRequest): Promise<RawAnswer> | RawAnswer;
}

const PLAIN = 'text/plain; charset=utf-8';

function queryOf(url: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(url, 'http://service').searchParams)
    if (name !== '__proto__') query[name] ??= value;
  return query;
}

/** Returns the listener of the route. */
export function rawServer(
  route: RawRoute,
  context: PipelineContext,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { tracing } = context;
  if (tracing === undefined) return (request, response) => void runRaw(route, request, response, context);
  return (request, response) => inTrace(tracing, route, request, () => runRaw(route, request, response, context));
}

async function runRaw(
  route: RawRoute,
  request: IncomingMessage,
  response: ServerResponse,
  context: PipelineContext,
): Promise<void> {
  const exchange = new Exchange(request, response, `${route.method} ${route.path}`, PLAIN_HEADERS, context.lifecycle);
  try {
    await countAddress(exchange, context);
    route.before?.(request.headers);
    const rawBody = await readBytes(request, route.bodyLimit, reserveFor(exchange, context));
    const cost = costOf(rawBody.length);
    if (cost > 0) await countAddress(exchange, context, cost);
    const { requestId } = exchange;
    const answer = await route.handle({ query: queryOf(request.url!), headers: request.headers, rawBody, requestId });
    if (answer.isProven) addressIsProven(exchange, context, 1 + cost);
    Object.assign(exchange.headers, answer.headers);
    exchange.answer(answer.status, answer.body, answer.contentType ?? PLAIN);
    finished(exchange, answer.status, context);
  } catch (error) {
    fail(exchange, error, context);
  } finally {
    exchange.reserved?.release();
  }
}
