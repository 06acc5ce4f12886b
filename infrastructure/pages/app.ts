/** What every page is served with: Express and its middlewares, set as strictly as the pages allow. */
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Assets } from './assets.js';

const YEAR_MS = 365 * 24 * 3_600_000;

/** What a page may load beside styles of its own; nothing else when absent. Each a source of the content security policy. */
export interface Loads {
  readonly scripts?: "'self'";
  readonly images?: "'self'" | 'https:';
  readonly media?: "'self'";
  readonly fonts?: "'self'";
  /** What its scripts may ask. */
  readonly connections?: "'self'";
}

const source = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: [value] });

/** Header fields of a page that loads these. No inline script or style ever runs, whoever wrote it. */
export function guarded({ scripts, images, media, fonts, connections }: Loads = {}): RequestHandler {
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
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // Whether a whole domain is to be reached by TLS alone is for its proxy to say.
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

/** The files, for a year without asking again: other content has another address. What is not there is for others to answer. */
export function serveAssets(app: Express, { folder, path }: Assets, ...before: RequestHandler[]): void {
  const served = express.static(folder, { immutable: true, maxAge: YEAR_MS, index: false, redirect: false });
  app.use(path, ...before, guarded(), served);
}
