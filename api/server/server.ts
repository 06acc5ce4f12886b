/** The HTTP server: machines' requests go straight to their pipelines, everything else to the pages. */

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import type { Log } from '../../engine/ports/log.js';
import {
  type ConnectionLimits,
  DEFAULT_CONNECTIONS,
  limitConnections,
  requestTimeouts,
} from '../../infrastructure/http/connections.js';
import { close, listen, shownHost } from '../../infrastructure/http/listen.js';
import { ownHosts } from '../../infrastructure/http/ownHosts.js';
import { createRouter, READING, type Router } from '../../infrastructure/http/router.js';
import { lazily } from '../../infrastructure/pages/lazy.js';
import type { ConsoleParts } from '../console/consoleParts.js';
import type { Operation } from '../contract/operation.js';
import { readOf, routeOf, routerPath } from '../contract/routes.js';
import type { Services } from '../contract/services.js';
import { clientOf } from '../http/clientAddress.js';
import { fail, type PipelineContext } from '../http/context.js';
import { Exchange, Lifecycle, PLAIN_HEADERS } from '../http/exchange.js';
import { UPLOAD_WITHIN } from '../http/input/multipart.js';
import { notThere, type Served } from '../http/methods.js';
import { type Pipeline, pipelineOf } from '../http/pipeline.js';
import { type RateSettings, rateLimiter } from '../http/rates/rateLimit.js';
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
import { ServerState, type ServerStateOptions } from './serverState.js';

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

export interface HttpServerOptions extends ServerStateOptions {
  readonly operations: readonly Operation[];
  /** Schemas of webhook bodies by event type, for the OpenAPI document. */
  readonly events?: Readonly<Record<string, TSchema>>;
  readonly settings: HttpSettings;
  readonly extraRoutes?: readonly RawRoute[];
  /** Pages in addition to the service's own. */
  readonly pages?: readonly PageRoute[];
  readonly checks?: readonly ReadinessCheck[];
  /** Absent: there is no console. */
  readonly console?: ConsoleParts;
  about(): Promise<About>;
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

/** Base addresses, known once the server listens. */
interface Urls {
  base: string;
  console: string;
}

/** Loads the pages with the first request for one: they would add a tenth of a second to the start. */
const lazyPages = ({ settings, pages = [], about }: HttpServerOptions, context: PipelineContext): RequestListener =>
  lazily(async () => {
    const { pagesApp } = await import('../pages/app.js');
    return pagesApp({ routes: pages, about, context, foreign: ownHosts(settings) });
  }, failing(context));

const lazyConsole = (
  parts: ConsoleParts,
  { operations, settings }: HttpServerOptions,
  context: PipelineContext,
  own: { readonly stopping: AbortSignal; isSecure(): boolean },
): RequestListener =>
  lazily(async () => {
    const { consoleListener } = await import('../console/listener.js');
    return consoleListener({ ...parts, ...own, operations, context, foreign: ownHosts(settings) });
  }, failing(context));

const failing =
  (context: PipelineContext) =>
  (error: unknown, request: IncomingMessage, response: ServerResponse): void =>
    fail(new Exchange(request, response, 'none', PLAIN_HEADERS, context.lifecycle), error, context);

/** Serves the operations, and adds them to `routes`. */
function mountOperations(
  router: Router,
  routes: Served[],
  operations: readonly Operation[],
  context: PipelineContext,
): Pipeline[] {
  const turns = new Turns();
  return operations.map((operation) => {
    const route = routeOf(operation);
    routes.push(route);
    const read = readOf(operation, operations);
    const updates = read === undefined ? undefined : { read, turns };
    const pipeline = pipelineOf(operation, route, context, undefined, updates);
    // The bytes of the body stay in the socket until the pipeline reads them, after the access checks.
    router.on(withHead(route.method), routerPath(route.path), pipeline.serve);
    return pipeline;
  });
}

/** Puts the operations, the pages and the extra routes on one server. Throws for a declaration that cannot be served. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { operations, settings, extraRoutes = [], metrics, log } = options;
  const urls: Urls = { base: settings.publicUrl ?? '', console: '' };
  const services: Services = { ...options.services, consoleUrl: () => urls.console || undefined };
  const lifecycle = new Lifecycle();
  const state = new ServerState(options);
  const context = state.contextOf(services, lifecycle, () => urls.base);
  const routes: Served[] = [];
  const machines = unrouted(routes, context);
  const servePage = lazyPages(options, context);
  const stopping = new AbortController();
  const isSecure = (): boolean => urls.console.startsWith('https:');
  const serveConsole =
    options.console && lazyConsole(options.console, options, context, { isSecure, stopping: stopping.signal });
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
  const pipelines = mountOperations(router, routes, operations, context);
  const publicRoutes = isApart ? extraRoutes.filter(({ operatorOnly }) => operatorOnly === undefined) : extraRoutes;
  for (const route of publicRoutes) {
    routes.push(route);
    router.on([route.method], route.path, rawServer(route, context));
  }
  const document = async (): Promise<OpenApi> => {
    const { openApiDocument } = await import('../openapi/document.js');
    return openApiDocument(operations, urls.base, options.events);
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
    refusal: () => tooManyConnections(urls.base),
  });
  serveOn(server, router.listener, context);
  const apart = isApart
    ? privateServer({ routes: machine, raw: extraRoutes, serveConsole, settings, context })
    : undefined;
  return {
    async listen() {
      const failed = (error: unknown): never => {
        state.interrupt();
        throw error;
      };
      await state.start().catch(failed);
      // First, so that nothing public listens when it cannot.
      const own = apart && (await listen(apart, settings.host, settings.consolePort!).catch(failed));
      const port = await listen(server, settings.host, settings.port).catch(async (error) => {
        if (apart !== undefined) await close(apart, 0);
        return failed(error);
      });
      const url = `http://${shownHost(settings.host)}:${port}`;
      urls.base = settings.publicUrl ?? url;
      urls.console = own === undefined ? `${urls.base}/console` : `http://${shownHost(settings.host)}:${own}/console`;
      return { port, url };
    },
    ready: () => {
      lifecycle.ready();
      // The first operation's schemas load the compiler.
      const steps = [router.prepare, () => pipelines[0]?.prepare(), metrics.begin];
      void prepareCommon(steps, lifecycle, log);
    },
    baseUrl: () => urls.base,
    consoleUrl: () => urls.console,
    async close() {
      lifecycle.stop();
      stopping.abort();
      state.stopTimers();
      // Readiness is served to the end.
      await close(server, CLOSE_WITHIN);
      if (apart !== undefined) await close(apart, CLOSE_WITHIN);
      await state.stop();
      await context.largeBodies.close();
    },
  };
}
