/**
 * Serves the console's files as built by Vite. Files with a hash in their name are cached for a year, the page is
 * revalidated.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler } from 'express';
import type { ForeignRequest } from '../../infrastructure/http/ownHosts.js';
import { emptyApp, guarded, serveAssets } from '../../infrastructure/pages/app.js';
import { foreignPage } from '../pages/errors.js';
import { pictureFile } from '../pages/pictures/demoPictures.js';

/** `dist/console`, next to the compiled server. */
const FOLDER = fileURLToPath(new URL('../../console/', import.meta.url));

/** Files of a conversation are fetched with the session's token, and shown from memory. */
const BYTES = "'self' blob:";
const NO_KEY = 'The publishable key of this frame is unknown or revoked.';
const NO_ORIGINS =
  'The publishable key of this frame has no origins. Create one with: suuq admin keys create --kind publishable --origins https://shop.example';

/** Throws when the console is not built. */
function indexPage(): string {
  const file = `${FOLDER}index.html`;
  if (!existsSync(file)) throw new Error(`The console is missing in ${FOLDER}. Run 'npm run build'.`);
  return readFileSync(file, 'utf8');
}

/**
 * Every path below `/console` is the one page, which reads the rest of the address itself. So is every path below
 * `/embed/{publishable key}`, for frames in pages of the key's origins. `originsOf`: undefined for an unknown key.
 */
export function pagesListener(
  foreign: (request: IncomingMessage) => ForeignRequest | undefined,
  originsOf: (publishableKey: string) => Promise<readonly string[] | undefined>,
): RequestListener {
  const page = indexPage();
  const own = "'self'";
  const app = emptyApp();
  const loads = guarded({ scripts: own, images: own, media: own, fonts: own, connections: own });
  const refusing: RequestHandler = (request, response, next) => {
    const found = foreign(request);
    if (found === undefined) next();
    else response.status(found.status).type('html').send(foreignPage(found.message));
  };
  serveAssets(app, { folder: `${FOLDER}assets`, path: '/console/assets', files: [] }, refusing);
  const picture: RequestHandler<{ file: string }> = (request, response, next) => {
    const svg = pictureFile(request.params.file);
    if (svg === undefined) next();
    else response.set('Cache-Control', 'public, max-age=3600').type('svg').send(svg);
  };
  app.get('/console/pictures/:file', guarded(), refusing as RequestHandler<{ file: string }>, picture);
  const show: RequestHandler = (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('html').send(page);
  };
  const router = express.Router();
  router.get('/{*path}', loads, refusing, show);
  app.get('/console', loads, refusing, show);
  const showFramed: RequestHandler<{ key: string }> = async (request, response, next) => {
    const origins = await originsOf(request.params.key);
    const framed = { scripts: own, images: BYTES, media: BYTES, fonts: own, connections: own } as const;
    guarded(framed, origins)(request as never, response, (error?: unknown) => {
      if (error !== undefined) next(error);
      else if (origins === undefined) response.status(404).type('html').send(foreignPage(NO_KEY));
      else if (origins.length === 0) response.status(403).type('html').send(foreignPage(NO_ORIGINS));
      else response.set('Cache-Control', 'no-cache').type('html').send(page);
    });
  };
  app.get(['/embed/:key{/*path}', '/embed/:key/'], refusing as RequestHandler<{ key: string }>, showFramed);
  app.use('/console', router);
  app.use((_request, response) => {
    response.status(404).set('Allow', 'GET, HEAD').type('text/plain').send('There is nothing here.');
  });
  return (request, response) => app(request, response);
}
