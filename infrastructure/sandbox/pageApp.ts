/** The sandbox's page and its files, on Express. */
import type { RequestListener } from 'node:http';
import { emptyApp, guarded, serveAssets } from '../pages/app.js';
import { assetsOf } from '../pages/assets.js';
import { page } from './page.js';

export function pageApp(notFound: RequestListener): RequestListener {
  const assets = assetsOf(new URL('./page/', import.meta.url));
  const text = page(assets);
  const own = "'self'";
  const app = emptyApp();
  serveAssets(app, assets);
  app.get('/', guarded({ scripts: own, images: own, media: own, connections: own }), (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('html').send(text);
  });
  app.use((request, response) => notFound(request, response));
  return (request, response) => app(request, response);
}
