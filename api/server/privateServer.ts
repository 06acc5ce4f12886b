/** The port that is the operator's own: the console, readiness and metrics, where these are off the public one. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { requestTimeouts } from '../../infrastructure/http/connections.js';
import { createRouter } from '../../infrastructure/http/router.js';
import { Refusal } from '../contract/problems.js';
import { fail, type PipelineContext } from '../http/context.js';
import { Exchange, PLAIN_HEADERS } from '../http/exchange.js';
import { type RateSettings, rateLimiter } from '../http/rates/rateLimit.js';
import { type RawRoute, rawServer } from '../http/rawRoutes.js';
import { pathOf } from '../http/unroutedRequests.js';
import type { MachineRoute } from './machineRoutes.js';
import { mountMachines } from './mountMachines.js';
import { OWN_REFUSALS, serveOn } from './refusedByNode.js';

export const isConsole = (path: string): boolean => path === '/console' || path.startsWith('/console/');

/** Paths of the page for partners' frames. They are public also where the console has a port of its own. */
export const isEmbed = (path: string): boolean => path.startsWith('/embed/') || path.startsWith('/console/assets/');

export interface PrivateServerOptions {
  readonly routes: readonly MachineRoute[];
  /** Routes marked as private are served here. */
  readonly raw: readonly RawRoute[];
  readonly serveConsole: RequestListener | undefined;
  readonly settings: { readonly rates: RateSettings };
  readonly context: PipelineContext;
}

const LONGEST_PARAM = 500;
/** Longest time of a request, in ms: nothing large is sent here. */
const REQUEST_MS = 60_000;

/** Listens on nothing yet. */
export function privateServer({ routes, raw, serveConsole, settings, context }: PrivateServerOptions): Server {
  const nothing: RequestListener = (request, response) =>
    fail(
      new Exchange(request, response, 'none', PLAIN_HEADERS, context.lifecycle),
      new Refusal('not_found', 'This path does not exist. This port serves the console, readiness and metrics.'),
      context,
    );
  const router = createRouter({
    longestParam: LONGEST_PARAM,
    otherwise: (request, response) =>
      (serveConsole !== undefined && isConsole(pathOf(request.url!)) ? serveConsole : nothing)(request, response),
    undecodable: nothing,
    tooLong: nothing,
  });
  mountMachines(router, routes, rateLimiter('ip', settings.rates.ip), context);
  for (const route of raw.filter(({ operatorOnly }) => operatorOnly === true))
    router.on([route.method], route.path, rawServer(route, context));
  const server = createServer({ ...requestTimeouts(REQUEST_MS), ...OWN_REFUSALS });
  serveOn(server, router.listener, context);
  return server;
}
