/** The sandbox's address in a browser leads to the phone, which is a page of the service's console. */
import type { RequestListener } from 'node:http';
import { emptyApp, guarded } from '../pages/app.js';

/** Page for a sandbox without a console. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Suuq sandbox</title>
</head>
<body>
<main>
<h1>Suuq sandbox</h1>
<p>This is the channel that the service is connected to. To act as a customer, open the console with a link from
<code>npx suuq console</code> and choose Phone.</p>
</main>
</body>
</html>
`;

export function pageApp(notFound: RequestListener, consoleUrl: () => string | undefined): RequestListener {
  const app = emptyApp();
  app.get('/', guarded(), (_request, response) => {
    const known = consoleUrl();
    response.set('Cache-Control', 'no-store');
    if (known === undefined) response.type('html').send(PAGE);
    else response.redirect(302, `${known}/phone`);
  });
  app.use((request, response) => notFound(request, response));
  return (request, response) => app(request, response);
}
