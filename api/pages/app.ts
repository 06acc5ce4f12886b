/** Everything that people look at, as one Express app: the service's own pages and those of areas, their files, and what is not there. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { ForeignRequest } from '../../infrastructure/http/ownHosts.js';
import { READING } from '../../infrastructure/http/router.js';
import { emptyApp, guarded, type Loads, serveAssets } from '../../infrastructure/pages/app.js';
import { routerPath } from '../contract/routes.js';
import { countAddress, fail, finished, type PipelineContext } from '../http/context.js';
import { Exchange, PLAIN_HEADERS } from '../http/exchange.js';
import { methodsFinder } from '../http/methods.js';
import { answerMethods, pathOf } from '../http/unroutedRequests.js';
import { assets } from './assets.js';
import { openDocumentation } from './documentation.js';
import { foreignPage, notFoundPage } from './errors.js';
import type { PageAnswer, PageRoute } from './pageRoute.js';
import { type SiteOptions, siteRoutes } from './site.js';

/** The documentation has its own scripts, which call only this service. */
const DOCUMENTS_LOAD: Loads = { scripts: "'self'", images: "'self'", connections: "'self'" };

export interface PagesOptions extends Pick<SiteOptions, 'about'> {
  /** Pages in addition to the service's own, reachable by any name that a proxy uses. */
  readonly routes: readonly PageRoute[];
  /** Which requests are not for the service's own pages. */
  foreign(request: IncomingMessage): ForeignRequest | undefined;
  readonly context: PipelineContext;
}

function show(exchange: Exchange, response: Response, page: PageAnswer, context: PipelineContext): void {
  if (context.lifecycle.phase === 'stopping') response.set('Connection', 'close');
  response
    .status(page.status)
    .set(exchange.headers)
    .set('Cache-Control', page.cacheControl ?? 'no-cache')
    .type(page.type ?? 'html')
    // With an ETag; 304 if the client has it.
    .send(page.text);
  finished(exchange, response.statusCode, context);
}

type ExchangeOf = (request: Request, response: Response, id: string) => Exchange;

const exchanges =
  ({ lifecycle }: PipelineContext): ExchangeOf =>
  (request, response, id) =>
    new Exchange(request, response, id, PLAIN_HEADERS, lifecycle);

const countAsset =
  (context: PipelineContext): RequestHandler =>
  async (request, response, next) => {
    const exchange = exchanges(context)(request, response, 'assets');
    try {
      await countAddress(exchange, context);
    } catch (error) {
      fail(exchange, error, context);
      return;
    }
    response.set(exchange.headers);
    // What is not there goes on, and is counted where it is answered.
    response.once('finish', () => {
      if (response.statusCode < 400) finished(exchange, response.statusCode, context);
    });
    next();
  };

const answering =
  (route: PageRoute, context: PipelineContext): RequestHandler<Record<string, string>> =>
  async (request, response) => {
    const exchange = exchanges(context)(request as Request, response, route.id);
    try {
      await countAddress(exchange, context);
      show(exchange, response, await route.answer(request.params), context);
    } catch (error) {
      fail(exchange, error, context);
    }
  };

/** The app, to be called as a server's listener. */
export function pagesApp(options: PagesOptions): RequestListener {
  const { about, routes, context, foreign } = options;
  const { lifecycle } = context;
  const documentation = openDocumentation();
  const own = siteRoutes({ lifecycle, about });
  const site = [...own, ...routes];
  const exchangeOf = exchanges(context);
  /** Answers nothing to a site whose name resolves to this address, or that calls it from its pages. */
  const refusing =
    (id: string): RequestHandler =>
    (request, response, next) => {
      const found = foreign(request);
      if (found === undefined) next();
      else {
        const page = { status: found.status, text: foreignPage(found.message) };
        show(exchangeOf(request, response, id), response, page, context);
      }
    };

  /** A page or a file of the documentation; everything else goes on. */
  const documents: RequestHandler = async (request, response, next) => {
    const file = READING.includes(request.method) ? documentation.fileAt(request.path) : undefined;
    if (file === undefined) {
      next();
      return;
    }
    const exchange = exchangeOf(request, response, 'docs');
    try {
      await countAddress(exchange, context);
      if (lifecycle.phase === 'stopping') response.set('Connection', 'close');
      await documentation.send(file, request, response.set(exchange.headers));
      finished(exchange, response.statusCode, context);
    } catch (error) {
      fail(exchange, error, context);
    }
  };
  const isDocument: RequestHandler = (request, _response, next) =>
    next(documentation.fileAt(request.path) === undefined ? 'route' : undefined);

  const { files, path } = assets();
  const methodsOf = methodsFinder([
    ...site.map(({ path }) => ({ method: 'GET', path })),
    ...files.map((file) => ({ method: 'GET', path: `${path}/${file}` })),
    ...documentation.paths.map((path) => ({ method: 'GET', path })),
  ]);
  /** Returns the page of the documentation for a path with a trailing slash. */
  const withoutSlash = ({ method, path }: Request): string | undefined => {
    const plain = path.slice(0, -1);
    return path.endsWith('/') && READING.includes(method) && documentation.fileAt(plain) ? plain : undefined;
  };
  const otherwise: RequestHandler = async (request, response) => {
    const exchange = exchangeOf(request, response, 'none');
    const allowed = methodsOf(pathOf(request.originalUrl));
    const place = withoutSlash(request);
    try {
      await countAddress(exchange, context);
      if (place !== undefined) {
        response.set(exchange.headers).redirect(308, place);
        finished(exchange, response.statusCode, context);
        return;
      }
      if (allowed.length === 0 && request.headers.accept?.includes('text/html'))
        show(exchange, response, { status: 404, text: notFoundPage() }, context);
      else answerMethods(exchange, allowed, context);
    } catch (error) {
      fail(exchange, error, context);
    }
  };
  const failed: ErrorRequestHandler = (error, request, response, _next) =>
    fail(exchangeOf(request, response, 'none'), error, context);

  const app = emptyApp();
  serveAssets(app, assets(), countAsset(context));
  app.get('/{*path}', isDocument, guarded(DOCUMENTS_LOAD), refusing('docs'), documents);
  for (const route of own) app.get(routerPath(route.path), guarded(), refusing(route.id));
  for (const route of site) app.get(routerPath(route.path), guarded(route.loads), answering(route, context));
  app.use(guarded(), otherwise, failed);
  return (request, response) => app(request, response);
}
