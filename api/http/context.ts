/** Concerns of every request: limits by address, errors as problems, metrics and log. */

import type { RequestLog } from '../../application/console/requestLog.js';
import type { Log } from '../../engine/ports/log.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import { ClientGone } from '../../infrastructure/http/body.js';
import { type BodyBudget, type ReservedBytes, SMALL_BODY } from '../../infrastructure/http/bodyBudget.js';
import { problemOf } from '../contract/problems.js';
import type { Services, ViewProgress } from '../contract/services.js';
import type { AnswerCache } from './answerCache.js';
import { clientAddress } from './clientAddress.js';
import { type Exchange, type Lifecycle, PLAIN_HEADERS, PROBLEM_TYPE } from './exchange.js';
import type { Idempotency } from './idempotency/idempotency.js';
import type { LargeBodies } from './input/largeBodies.js';
import type { Metrics } from './metrics.js';
import type { PageMakers } from './pageMakers.js';
import type { RateLimiter } from './rates/rateLimit.js';
import { traceAnswer } from './requestTrace.js';
import type { SignIns } from './sessionAccess.js';
import { takeToken } from './takeToken.js';

export interface PipelineContext {
  readonly services: Services;
  readonly progress: ViewProgress;
  /** Waits for acknowledged changes before a read; absent where a command waits until views show its changes. */
  readonly acknowledged: Acknowledged | undefined;
  /** Cache of recent reads; absent where every read runs its query. */
  readonly answers?: AnswerCache | undefined;
  /** Threads that render pages of lists; absent where this thread renders all of them. */
  readonly pageMakers?: PageMakers | undefined;
  readonly idempotency: Idempotency;
  readonly ipLimiter: RateLimiter | undefined;
  readonly keyLimiter: RateLimiter | undefined;
  readonly userLimiter: RateLimiter | undefined;
  readonly signIns: SignIns;
  readonly trustProxy: number;
  /** The memory for all bodies. */
  readonly bodies: BodyBudget;
  readonly largeBodies: LargeBodies;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly requestLog: RequestLog;
  readonly log: Log;
  /** Exports requests as spans; absent without tracing. */
  readonly tracing?: Tracing | undefined;
  /** Base address in links, known when the server listens. */
  baseUrl(): string;
}

/** Every answer of the API has these. */
export const API_HEADERS = { 'API-Version': 'v1', 'Cache-Control': 'no-store', ...PLAIN_HEADERS };

function logged(exchange: Exchange, status: number, log: Log, error?: unknown): void {
  const entry = { requestId: exchange.requestId, operation: exchange.operation, status };
  const timed = { ...entry, ms: Math.round(exchange.seconds * 1e6) / 1e3 };
  if (error !== undefined) log.error({ ...timed, err: error }, 'request failed unexpectedly');
  else if (status >= 500) log.warn(timed, 'request failed');
  else log.debug({ ...timed, method: exchange.request.method }, 'request');
}

/** Counts, notes and, when it is worth a line, logs an answered request. */
export function finished(exchange: Exchange, status: number, context: PipelineContext, error?: unknown): void {
  const { seconds } = exchange;
  context.metrics.answered(exchange.operation, status, seconds);
  context.requestLog.note(exchange, status, seconds * 1000, context.services.clock.now());
  if (context.tracing !== undefined) traceAnswer(context.tracing, exchange, status);
  if (status >= 500 || context.log.isLevelEnabled('debug')) logged(exchange, status, context.log, error);
}

/** Answers any error as a problem. */
export function fail(exchange: Exchange, error: unknown, context: PipelineContext): void {
  if (error instanceof ClientGone) {
    exchange.response.destroy();
    return;
  }
  const { problem, headers, unexpected } = problemOf(error, context.baseUrl(), exchange.requestId);
  Object.assign(exchange.headers, headers);
  exchange.code = problem.code;
  exchange.answer(problem.status, JSON.stringify(problem), PROBLEM_TYPE);
  finished(exchange, problem.status, context, unexpected ? error : undefined);
}

/**
 * Counts the request against the limit of its address, before anything is looked up. Returns a promise only if other
 * instances have to be consulted.
 */
export function countAddress(exchange: Exchange, context: PipelineContext, cost = 1): Promise<void> | undefined {
  const { ipLimiter, trustProxy, services } = context;
  if (ipLimiter === undefined) return undefined;
  return takeToken(exchange, ipLimiter, clientAddress(exchange.request, trustProxy), services.clock.steady.now(), cost);
}

/** Gives back what was counted for an address: the request has shown that it is no stranger's. */
export function addressIsProven({ request }: Exchange, { ipLimiter, trustProxy }: PipelineContext, cost: number): void {
  ipLimiter?.refund(clientAddress(request, trustProxy), cost);
}

/** Reserves memory for the request's body; undefined for a small one. */
export function reserveFor(exchange: Exchange, { bodies, trustProxy }: PipelineContext): ReservedBytes | undefined {
  const { request } = exchange;
  if (Number(request.headers['content-length']) <= SMALL_BODY) return undefined;
  exchange.reserved = bodies.reserve(() => clientAddress(request, trustProxy));
  return exchange.reserved;
}
