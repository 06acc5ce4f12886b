/** Base of every page's server: Express and its middlewares, as strict as the pages allow. */
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Assets } from './assets.js';

const YEAR_MS = 365 * 24 * 3_600_000;

/** Resources that a page may load in addition to its own styles. Default: none. Each is a source of the content security policy. */
export interface Loads {
  readonly scripts?: "'self'";
  readonly images?: "'self'" | "'self' https:" | "'self' blob:";
  readonly media?: "'self'" | "'self' blob:";
  readonly fonts?: "'self'";
  /** Connections that its scripts may open. */
  readonly connections?: "'self'";
}

const source = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value.split(' ') });

/**
 * Header fields of a page that loads these. Inline scripts and styles never run. `framedBy`: origins of the pages that
 * may frame it; none when empty.
 */
export function guarded(
  { scripts, images, media, fonts, connections }: Loads = {},
  framedBy: readonly string[] = [],
): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'style-src': ["'self'"],
        ...source('script-src', scripts),
        ...source('img-src', images),
        ...source('media-src', media),
        ...source('font-src', fonts),
        ...source('connect-src', connections),
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': framedBy.length === 0 ? ["'none'"] : [...framedBy],
      },
    },
    // It knows no list of origins.
    xFrameOptions: framedBy.length === 0 && { action: 'deny' },
    // The proxy decides whether a whole domain requires TLS.
    strictTransportSecurity: false,
  });
}

/** An app without a page yet: what follows is compressed where the client takes that. */
export function emptyApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // No page reads a query.
  app.set('query parser', false);
  app.use(compression());
  return app;
}

/** Serves the files with a lifetime of a year: changed content has another address. Missing files fall through to other handlers. */
export function serveAssets(app: Express, { folder, path }: Assets, ...before: RequestHandler[]): void {
  const served = express.static(folder, { immutable: true, maxAge: YEAR_MS, index: false, redirect: false });
  app.use(path, ...before, guarded(), served);
}
