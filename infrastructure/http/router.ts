/** From a request's method and path to who answers it: find-my-way on node:http, and nothing between them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import findMyWay, { type HTTPMethod } from 'find-my-way';

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
}

/** GET and HEAD go together: HTTP itself leaves the body of an answer to HEAD out. */
export const READING: readonly string[] = ['GET', 'HEAD'];

export function createRouter({ longestParam, otherwise, undecodable, tooLong }: RouterOptions): Router {
  const router = findMyWay({
    maxParamLength: longestParam,
    // Who needs the query reads it.
    querystringParser: () => ({}),
    defaultRoute: otherwise,
    onBadUrl: (_path, request, response) => undecodable(request, response),
    onMaxParamLength: (_path, request, response) => tooLong(request, response),
  });
  return {
    on: (methods, path, serve) =>
      router.on(methods as HTTPMethod[], path, (request, response, params) =>
        serve(request, response, params as Params),
      ),
    listener: (request, response) => router.lookup(request, response),
  };
}
