/** The HTTP server: machines' requests go straight to their pipelines, everything else to the pages. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import { UsedTokens } from '../../application/access/usedTokens.js';
import { UserTokens } from '../../application/access/userTokens.js';
import { RequestLog } from '../../application/console/requestLog.js';
import type { Log } from '../../engine/ports/log.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import type { ViewChanges } from '../../engine/projections/viewChanges.js';
import { bodyBudget, DEFAULT_BODY_MEMORY } from '../../infrastructure/http/bodyBudget.js';
import {
  type ConnectionLimits,
  DEFAULT_CONNECTIONS,
  limitConnections,
  requestTimeouts,
} from '../../infrastructure/http/connections.js';
import { close, listen, shownHost } from '../../infrastructure/http/listen.js';
import { ownHosts } from '../../infrastructure/http/ownHosts.js';
import { createRouter, READING } from '../../infrastructure/http/router.js';
import { lazily } from '../../infrastructure/pages/lazy.js';
import type { ConsoleParts } from '../console/consoleParts.js';
import type { Operation } from '../contract/operation.js';
import { readOf, routeOf, routerPath } from '../contract/routes.js';
import type { Services, ViewProgress } from '../contract/services.js';
import { AnswerCache } from '../http/answerCache.js';
import { clientOf } from '../http/clientAddress.js';
import { fail, type PipelineContext } from '../http/context.js';
import { Exchange, Lifecycle, PLAIN_HEADERS } from '../http/exchange.js';
import { Idempotency } from '../http/idempotency/idempotency.js';
import { largeBodies } from '../http/input/largeBodies.js';
import { UPLOAD_WITHIN } from '../http/input/multipart.js';
import { notThere, type Served } from '../http/methods.js';
import type { Metrics } from '../http/metrics.js';
import type { PageMakers } from '../http/pageMakers.js';
import { type Pipeline, pipelineOf } from '../http/pipeline.js';
import { type RateLimiter, type RateSettings, rateLimiter } from '../http/rates/rateLimit.js';
import { SharedRates } from '../http/rates/sharedRates.js';
import { type RawRoute, rawServer } from '../http/rawRoutes.js';
import { Turns } from '../http/turns.js';
import { pathOf, tooLong, tooManyConnections, undecodable, unrouted } from '../http/unroutedRequests.js';
import type { OpenApi } from '../openapi/document.js';
import type { About } from '../pages/home.js';
import type { PageRoute } from '../pages/pageRoute.js';
import type { ReadinessCheck } from './health.js';
import { machineRoutes } from './machineRoutes.js';
import { mountMachines } from './mountMachines.js';
import { isConsole, isEmbed, privateServer } from './privateServer.js';
import { OWN_REFUSALS, serveOn } from './refusedByNode.js';

/** Address of the server, and the limits of callers. */
export interface HttpSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Base address in links, without a slash at its end. Absent: http://host:port as listened on. */
  readonly publicUrl?: string;
  /**
   * Port of the console, readiness and metrics, apart from the public port; 0: any free one. Absent: the public port.
   */
  readonly consolePort?: number;
  /** Host names of its pages in addition to the public URL and this machine's own; none if absent. */
  readonly allowedHosts?: readonly string[];
  /** How many proxies in front of the service add to X-Forwarded-For. */
  readonly trustProxy: number;
  readonly rates: RateSettings;
  /** Connections at once; well above what clients need when absent. That by address does not hold behind a trusted proxy. */
  readonly connections?: ConnectionLimits;
  /** Bytes that the bodies of all requests may hold in memory; 64 MiB when absent. */
  readonly bodyMemory?: number;
}

export interface HttpServerOptions {
  readonly operations: readonly Operation[];
  /** Schemas of webhook bodies by event type, for the OpenAPI document. */
  readonly events?: Readonly<Record<string, TSchema>>;
  readonly services: Services;
  readonly settings: HttpSettings;
  readonly progress: ViewProgress;
  /** Present where one process takes all commands: reads then wait for what was acknowledged, and commands for nothing. */
  readonly acknowledged?: Acknowledged | undefined;
  /** With it, the views of a store are not read again until they may have changed. */
  readonly changes?: ViewChanges | undefined;
  /** Threads that render pages of lists; absent: this thread renders all of them. */
  readonly pageMakers?: PageMakers | undefined;
  readonly metrics: Metrics;
  /** Log of requests; created if absent. */
  readonly requestLog?: RequestLog;
  readonly log: Log;
  /** Requests to operations and to the channel's webhook are spans; absent where no traces are written. */
  readonly tracing?: Tracing | undefined;
  readonly extraRoutes?: readonly RawRoute[];
  /** Pages in addition to the service's own. */
  readonly pages?: readonly PageRoute[];
  readonly checks?: readonly ReadinessCheck[];
  /** Absent: there is no console. */
  readonly console?: ConsoleParts;
  about(): Promise<About>;
  /** Returns true if read models may still show erased customers: answers are then stored without their bodies. */
  mayShowErased?(): Promise<boolean>;
  /** Retries a step while an engine is unavailable; absent: one attempt. */
  patient?<T>(step: () => Promise<T>): Promise<T>;
  /**
   * No other process uses `services.work`: Idempotency-Keys that were in flight when the last one ended are released, and
   * rate limits are counted in memory.
   */
  readonly soleUser: boolean;
}

export interface HttpServer {
  /**
   * Opens the port and returns the socket's address. /readyz answers `starting` until `ready`. Rejects with the
   * socket's error (EADDRINUSE).
   */
  listen(): Promise<{ readonly port: number; readonly url: string }>;
  /** From now on /readyz answers 200 while all checks pass. */
  ready(): void;
  /** Base address in links: the public one, or http://host:port. */
  baseUrl(): string;
  /** Returns the address of the console, with its own port if there is one. */
  consoleUrl(): string;
  /** Stops accepting, finishes what is in flight (at most 10 s), closes every connection. */
  close(): Promise<void>;
}

/** Longest time for requests in flight when the server closes, in ms. */
const CLOSE_WITHIN = 10_000;
/** Longer parameters do not fit into a request line anyway; too long ones are for the validation to report. */
const LONGEST_PARAM = 16_384;

const withHead = (method: string): readonly string[] => (method === 'GET' ? READING : [method]);

/** Creates the cache of answers if this process sees every change before it may be missed. */
const answersOf = ({ changes, acknowledged }: HttpServerOptions): AnswerCache | undefined =>
  changes && acknowledged && new AnswerCache(changes, acknowledged);

/** Between one step of what follows a start and the next, in ms: requests just after a start come first. */
const PREPARE_PAUSE = 100;

/**
 * Prepares the parts that every first request needs: the layout of the paths, the compiler of schemas and the metrics. The schemas of an
 * operation are compiled by its first request, which takes 5 ms longer.
 */
async function prepareCommon(
  steps: readonly (() => Promise<void> | void)[],
  lifecycle: Lifecycle,
  log: Log,
): Promise<void> {
  for (const step of steps) {
    await pause(PREPARE_PAUSE, undefined, { ref: false });
    if (lifecycle.phase === 'stopping') return;
    try {
      await step();
    } catch (error) {
      log.error({ err: error }, 'post-start step failed');
    }
  }
}

/** Puts the operations, the pages and the extra routes on one server. Throws for a declaration that cannot be served. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { operations, settings, extraRoutes = [], metrics, log } = options;
  let consoleUrl = '';
  const services: Services = { ...options.services, consoleUrl: () => consoleUrl || undefined };
  const lifecycle = new Lifecycle();
  let baseUrl = settings.publicUrl ?? '';
  const { patient = (step) => step() } = options;
  const idempotency = new Idempotency(services.work, services.clock, undefined, options.mayShowErased);
  const rates = options.soleUser ? undefined : new SharedRates(services.work, services.clock, log);
  const used = new UsedTokens(services.work, services.clock, services.commandHandler);
  const limiter = (name: 'ip' | 'key' | 'user'): RateLimiter | undefined =>
    rates?.limiter(name, settings.rates[name]) ?? rateLimiter(name, settings.rates[name]);
  const context: PipelineContext = {
    services,
    progress: options.progress,
    acknowledged: options.acknowledged,
    answers: answersOf(options),
    pageMakers: options.pageMakers,
    idempotency,
    ipLimiter: limiter('ip'),
    keyLimiter: limiter('key'),
    userLimiter: limiter('user'),
    signIns: { tokens: new UserTokens(services), used },
    trustProxy: settings.trustProxy,
    bodies: bodyBudget(settings.bodyMemory ?? DEFAULT_BODY_MEMORY),
    largeBodies: largeBodies(),
    lifecycle,
    metrics,
    requestLog: options.requestLog ?? new RequestLog(randomUUID()),
    log,
    tracing: options.tracing,
    baseUrl: () => baseUrl,
  };
  const routes: Served[] = [];
  const machines = unrouted(routes, context);
  const failing = (error: unknown, request: IncomingMessage, response: ServerResponse): void =>
    fail(new Exchange(request, response, 'none', PLAIN_HEADERS, lifecycle), error, context);
  // Loaded with the first request for a page: it would add a tenth of a second to the start.
  const servePage = lazily(async () => {
    const { pagesApp } = await import('../pages/app.js');
    const foreign = ownHosts(settings);
    return pagesApp({ routes: options.pages ?? [], about: options.about, context, foreign });
  }, failing);
  const stopping = new AbortController();
  const { console: consoleParts } = options;
  const serveConsole =
    consoleParts &&
    lazily(async () => {
      const { consoleListener } = await import('../console/listener.js');
      const foreign = ownHosts(settings);
      return consoleListener({
        ...{ ...consoleParts, operations, context, foreign },
        stopping: stopping.signal,
        isSecure: () => consoleUrl.startsWith('https:'),
      });
    }, failing);
  const isApart = settings.consolePort !== undefined;
  const otherwise = (path: string): RequestListener => {
    if (serveConsole !== undefined && (isEmbed(path) || (!isApart && isConsole(path)))) return serveConsole;
    return machines.owns(path) ? machines.serve : servePage;
  };
  const router = createRouter({
    longestParam: LONGEST_PARAM,
    otherwise: (request, response) => otherwise(pathOf(request.url!))(request, response),
    undecodable: (request, response) => undecodable(request, response, context),
    tooLong: (request, response) => tooLong(request, response, context),
  });
  const pipelines: Pipeline[] = [];
  const turns = new Turns();
  for (const operation of operations) {
    const route = routeOf(operation);
    routes.push(route);
    const read = readOf(operation, operations);
    const updates = read === undefined ? undefined : { read, turns };
    const pipeline = pipelineOf(operation, route, context, undefined, updates);
    pipelines.push(pipeline);
    // The bytes of the body stay in the socket until the pipeline reads them, after the access checks.
    router.on(withHead(route.method), routerPath(route.path), pipeline.serve);
  }
  const publicRoutes = isApart ? extraRoutes.filter(({ operatorOnly }) => operatorOnly === undefined) : extraRoutes;
  for (const route of publicRoutes) {
    routes.push(route);
    router.on([route.method], route.path, rawServer(route, context));
  }
  const document = async (): Promise<OpenApi> => {
    const { openApiDocument } = await import('../openapi/document.js');
    return openApiDocument(operations, baseUrl, options.events);
  };
  const machine = machineRoutes({ document, lifecycle, metrics, checks: options.checks ?? [] });
  const shown = isApart ? machine.filter(({ operatorOnly }) => operatorOnly === undefined) : machine;
  routes.push(...shown.map(({ path }) => ({ method: 'GET', path })));
  mountMachines(router, shown, rateLimiter('ip', settings.rates.ip), context);
  for (const { method, path } of notThere(routes)) router.on(withHead(method), routerPath(path), machines.serve);
  // The longest that any request may take; other bodies than uploads have their own limit.
  const server = createServer({ ...requestTimeouts(UPLOAD_WITHIN), ...OWN_REFUSALS });
  const { all, byAddress } = settings.connections ?? DEFAULT_CONNECTIONS;
  limitConnections(server, {
    all,
    // A proxy's connections are all from its address.
    byAddress: settings.trustProxy > 0 ? 0 : byAddress,
    ownerOf: clientOf,
    refusal: () => tooManyConnections(baseUrl),
  });
  serveOn(server, router.listener, context);
  const apart = isApart
    ? privateServer({ routes: machine, raw: extraRoutes, serveConsole, settings, context })
    : undefined;
  return {
    async listen() {
      const failed = (error: unknown): never => {
        void idempotency.stop();
        used.stop();
        rates?.stop();
        throw error;
      };
      await patient(async () => {
        await idempotency.start();
        await used.start();
        await rates?.start();
        if (options.soleUser) await idempotency.releaseAll();
      }).catch(failed);
      // First, so that nothing public listens when it cannot.
      const own = apart && (await listen(apart, settings.host, settings.consolePort!).catch(failed));
      const port = await listen(server, settings.host, settings.port).catch(async (error) => {
        if (apart !== undefined) await close(apart, 0);
        return failed(error);
      });
      const url = `http://${shownHost(settings.host)}:${port}`;
      baseUrl = settings.publicUrl ?? url;
      consoleUrl = own === undefined ? `${baseUrl}/console` : `http://${shownHost(settings.host)}:${own}/console`;
      return { port, url };
    },
    ready: () => {
      lifecycle.ready();
      // The first operation's schemas load the compiler.
      const steps = [router.prepare, () => pipelines[0]?.prepare(), metrics.begin];
      void prepareCommon(steps, lifecycle, log);
    },
    baseUrl: () => baseUrl,
    consoleUrl: () => consoleUrl,
    async close() {
      lifecycle.stop();
      stopping.abort();
      used.stop();
      rates?.stop();
      // Readiness is served to the end.
      await close(server, CLOSE_WITHIN);
      if (apart !== undefined) await close(apart, CLOSE_WITHIN);
      await idempotency.stop();
      await context.largeBodies.close();
    },
  };
}
