/** From a request's method and path to who answers it: find-my-way on node:http, and nothing between them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { HTTPMethod, HTTPVersion, Instance } from 'find-my-way';

/** The parameters of a path, decoded. */
export type Params = Readonly<Record<string, string>>;

/** Answers a request, whatever happens. */
export type Serve = (request: IncomingMessage, response: ServerResponse, params: Params) => void;

export interface RouterOptions {
  /** Longest parameter of a path, in characters after decoding. */
  readonly longestParam: number;
  /** Answers what no route takes. */
  readonly otherwise: RequestListener;
  /** Answers a path that is no percent-encoded UTF-8. */
  readonly undecodable: RequestListener;
  /** Answers a path with a longer parameter. */
  readonly tooLong: RequestListener;
}

export interface Router {
  /** `path` with `:names`. Throws for a route that is there already. */
  on(methods: readonly string[], path: string, serve: Serve): void;
  readonly listener: RequestListener;
  /** Builds the routing table, as the first request with parameters in its path otherwise does. */
  prepare(): void;
}

/** GET and HEAD go together: HTTP itself leaves the body of an answer to HEAD out. */
export const READING: readonly string[] = ['GET', 'HEAD'];

interface Route {
  readonly methods: readonly string[];
  readonly path: string;
  readonly serve: Serve;
}

const PARAM = /:\w+/g;
const NONE: Params = Object.freeze({});

/** Loaded with require: a function that it compiles for each path takes a fifteenth of a start, which readiness probes wait for. */
const read = createRequire(import.meta.url);

function laidOut(
  routes: readonly Route[],
  { longestParam, otherwise, undecodable, tooLong }: RouterOptions,
): Instance<HTTPVersion.V1> {
  const findMyWay = read('find-my-way') as typeof import('find-my-way');
  const router = findMyWay({
    maxParamLength: longestParam,
    // Who needs the query reads it.
    querystringParser: () => ({}),
    defaultRoute: otherwise,
    onBadUrl: (_path, request, response) => undecodable(request, response),
    onMaxParamLength: (_path, request, response) => tooLong(request, response),
  });
  for (const { methods, path, serve } of routes)
    router.on(methods as HTTPMethod[], path, (request, response, params) => serve(request, response, params as Params));
  return router;
}

export function createRouter(options: RouterOptions): Router {
  const routes: Route[] = [];
  /** Keyed by method and path. Parameters of equal paths may have other names. */
  const known = new Map<string, Serve>();
  let router: Instance<HTTPVersion.V1> | undefined;
  const prepared = (): Instance<HTTPVersion.V1> => {
    router ??= laidOut(routes, options);
    return router;
  };
  return {
    on(methods, path, serve) {
      if (router !== undefined) throw new Error(`${path} comes after the first request`);
      for (const method of methods) {
        const name = `${method} ${path.replace(PARAM, ':')}`;
        if (known.has(name)) throw new Error(`${method} ${path} is there already`);
        known.set(name, serve);
      }
      routes.push({ methods, path, serve });
    },
    listener(request, response) {
      // A path without parameters needs no routing table: probes arrive before any other request.
      const served = router === undefined ? known.get(`${request.method} ${request.url}`) : undefined;
      if (served !== undefined) served(request, response, NONE);
      else prepared().lookup(request, response);
    },
    prepare: () => void prepared(),
  };
}
