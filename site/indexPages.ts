/** Pages that lead to others: the first one, all operations, what can be downloaded. */
import { escaped, prose } from '../api/pages/escaped.js';
import { BASE_URL, type Model } from './document.js';
import { breakable, methodTag, type SitePage } from './frame.js';
import { GROUPS, GUIDES } from './guides.js';
import { codeBlock } from './highlight.js';
import { tagId } from './operationPage.js';
import { indexPage, rows } from './parts.js';

const FIRST = `export SUUQ_URL=${BASE_URL}
export SUUQ_KEY=sk_test_…

curl "$SUUQ_URL/api/v1/workspaces/$STORE/commerce/orders" \\
  -H "Authorization: Bearer $SUUQ_KEY"
`;

const card = (href: string, title: string, about: string): string =>
  `<li><a href="${href}"><strong>${escaped(title)}</strong><span>${escaped(about)}</span></a></li>`;

export function homePage({ operations, events }: Model): SitePage {
  const groups = GROUPS.map((group) => {
    const cards = GUIDES.filter((guide) => guide.group === group).map(({ slug, title, about }) =>
      card(`/docs/guides/${slug}`, title, about),
    );
    return `<section aria-labelledby="g-${tagId(group)}"><h2 id="g-${tagId(group)}">${group}</h2><ul class="cards">${cards.join('')}</ul></section>`;
  });
  return {
    path: '/docs',
    kind: 'home',
    title: 'Documentation',
    description: 'Sell in chat, for many stores, over one API: guides, every operation, every event.',
    main: `<div class="hero">
<div>
<h1>Sell in chat, over one API</h1>
<p class="lead">A store’s catalog goes to the channel; its customers order and pay in the chat; signed webhooks notify you. For one store or for thousands.</p>
<p class="actions"><a class="button" href="/docs/guides/first-order">Your first order</a> <a class="button quiet" href="/docs/api">${operations.length} operations</a> <a class="button quiet" href="/docs/events">${events.length} events</a></p>
</div>
${codeBlock(FIRST, 'bash', 'Request the orders of a store', ' data-origin')}
</div>
${groups.join('\n')}
<section aria-labelledby="g-more"><h2 id="g-more">For tools</h2><ul class="cards">
${card('/docs/downloads', 'Downloads', 'OpenAPI, a Postman collection, and all of this as text for a model.')}
${card('/errors', 'Error codes', 'Meaning of each code, and what to do.')}
</ul></section>`,
  };
}

export function apiPage({ tags, operations }: Model): SitePage {
  const areas = tags.map(({ name, description }) => {
    const own = operations
      .filter(({ tag }) => tag === name)
      .map(
        ({ id, method, title, path, summary }) =>
          `<li><a href="/docs/api/${id}">${methodTag(method)} <strong>${escaped(title)}</strong></a> <code class="soft">${breakable(path)}</code><p>${prose(summary)}</p></li>`,
      );
    const heading = tagId(name);
    return `<section aria-labelledby="${heading}"><h2 id="${heading}">${escaped(name)}</h2><p>${prose(description)}</p>${rows(own)}</section>`;
  });
  return indexPage({
    path: '/docs/api',
    title: 'All operations',
    description: 'Every operation of the API, by area.',
    lead: 'Every path begins with <code>/api/v1</code>. Rules for all operations:',
    main: `<ul class="plain">
<li>Send a key or the token of a session: <code>Authorization: Bearer …</code> (<a href="/docs/guides/keys">keys and scopes</a>).</li>
<li>Bodies are JSON in UTF-8; unknown properties are rejected, unknown query parameters ignored. Files are sent as forms.</li>
<li>Money is a whole number of US cents. Times are RFC 3339. A field without a value is absent.</li>
<li>Lists return <code>next</code> while there are more rows (<a href="/docs/guides/paging">paging</a>); errors are problems with stable codes (<a href="/docs/guides/errors">errors</a>).</li>
<li><code>RateLimit</code> in each response is the number of remaining requests, <code>X-Request-Id</code> identifies the request in the log, <code>API-Version</code> is the API version that responded.</li>
</ul>
${areas.join('\n')}`,
  });
}

export function downloadsPage(): SitePage {
  const row = (href: string, name: string, about: string, file?: string): string =>
    `<li><a href="${href}"${file === undefined ? '' : ` download="${file}"`}><strong>${name}</strong></a><p>${about}</p></li>`;
  return indexPage({
    path: '/docs/downloads',
    title: 'Downloads',
    description: 'OpenAPI, a Postman collection, and the documentation as text.',
    lead: 'The same documentation, for tools.',
    main: `<ul class="rows">
${row('/api/v1/openapi.json', 'OpenAPI 3.1', 'Every operation, schema, example and webhook, with this service’s URL: for generators and clients.', 'suuq.openapi.json')}
${row('/docs/suuq.postman_collection.json', 'Postman collection', 'Every operation with its example, for Postman, Bruno and Insomnia. Set the variables <code>baseUrl</code> and the keys.', 'suuq.postman_collection.json')}
${row('/llms.txt', 'llms.txt', 'One line per page, for models.')}
${row('/docs/llms-full.txt', 'llms-full.txt', 'The whole documentation as one text. Each page is also available as Markdown: append <code>.md</code> to its URL.')}
</ul>`,
  });
}
