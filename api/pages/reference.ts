/** The reference of all operations on one page, from the OpenAPI document. */
import { problemCodes } from '../http/openapiProblems.js';
import { routeOf } from '../http/routes.js';
import type { OpenApi } from '../openapi.js';
import type { Operation } from '../operation.js';
import { problemKinds } from '../problems.js';
import { escaped, page, prose, table } from './layout.js';
import { rules, type Schema, sample, schemaTable, typeText } from './schemaTables.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

function parameterTable(parameters: readonly Parameter[], place: string): string {
  const rows = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, description = '', schema }) => [
      `<code>${escaped(name)}</code>${required ? '<span class="req">required</span>' : ''}`,
      typeText(schema),
      `${prose(description)} <span class="rule">${prose(rules(schema))}</span>`,
    ]);
  return rows.length === 0 ? '' : `<h4>${place}</h4>${table(['Name', 'Type', ''], rows)}`;
}

const schemaOf = (part: Content | undefined): Schema | undefined => Object.values(part?.content ?? {})[0]?.schema;

const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const CREDENTIALS = { workspace: 'sk_test', partner: 'psk_test', session: 'sdk' } as const;

function curl(
  operation: Operation,
  path: string,
  body: Schema | undefined,
  document: OpenApi,
  baseUrl: string,
): string {
  const route = routeOf(operation);
  const lines = [
    `curl${route.method === 'GET' ? '' : ` -X ${route.method}`} ${shell(baseUrl + path)}`,
    ...(operation.credential === 'user_token' ? [] : [`-H 'Authorization: Bearer ${CREDENTIALS[route.about]}_…'`]),
  ];
  if (operation.idempotent) lines.push("-H 'Idempotency-Key: one-per-thing-to-create'");
  if (operation.upload !== undefined) lines.push(`-F '${operation.upload.field}=@photo.jpg'`);
  else if (body !== undefined) {
    const value = JSON.stringify(sample(body, document.components.schemas), undefined, 2);
    lines.push("-H 'Content-Type: application/json'", `-d ${shell(value)}`);
  }
  return `<pre><code>${escaped(lines.join(' \\\n  '))}</code></pre>`;
}

function answers(operation: Operation, responses: Readonly<Record<string, Content>>): string {
  return Object.keys(operation.answers)
    .map((status) => {
      const schema = schemaOf(responses[status]);
      if (operation.answers[Number(status)] === 'file')
        return `<h4>${status}</h4><p class="soft">The bytes of the file.</p>`;
      return `<h4>${status}</h4>${schema === undefined ? '<p class="soft">No body.</p>' : schemaTable(schema)}`;
    })
    .join('\n');
}

function section(operation: Operation, document: OpenApi, baseUrl: string): string {
  const route = routeOf(operation);
  const entry = document.paths[route.path]![route.method.toLowerCase()]!;
  const parameters = entry.parameters as Parameter[];
  const body = schemaOf(entry.requestBody as Content | undefined);
  const errors = problemCodes(operation, route).map(
    (code) => `<a href="/errors/${code}"><code>${problemKinds[code].status} ${code}</code></a>`,
  );
  const notes = [
    ...(operation.scope === null ? [] : [`scope <code>${escaped(operation.scope)}</code>`]),
    ...(operation.feature === null ? [] : [`feature <code>${escaped(operation.feature)}</code>`]),
    ...(operation.idempotent ? ['accepts <code>Idempotency-Key</code>'] : []),
    ...(operation.addition === undefined ? [] : ['beyond the specification']),
    ...(operation.deprecated ? [`deprecated, until ${escaped(operation.deprecated.sunset)}`] : []),
  ];
  return `<section class="op" id="${escaped(operation.id)}" data-find="${escaped(findable(operation))}">
<h3>${escaped(operation.id)}</h3>
<span class="path"><span class="verb ${route.method}">${route.method}</span> ${escaped(route.path)}</span>
<p>${prose(operation.summary)}</p>
<p class="tags">${notes.join(' · ')}</p>
${parameterTable(parameters, 'path')}
${parameterTable(parameters, 'query')}
${body === undefined ? '' : `<h4>body</h4>${schemaTable(body, document.components.schemas)}`}
${answers(operation, entry.responses as Record<string, Content>)}
<h4>Example</h4>${curl(operation, route.path, body, document, baseUrl)}
<h4>Errors</h4><p class="tags">${errors.join(' ')}</p>
</section>`;
}

const findable = (operation: Operation): string =>
  `${operation.id} ${operation.route} ${operation.summary} ${operation.tag} ${operation.scope ?? ''}`.toLowerCase();

function navigation(tags: readonly string[], operations: readonly Operation[], schemas: readonly string[]): string {
  const group = (title: string, items: string) =>
    `<div data-group><strong>${escaped(title)}</strong><ul>${items}</ul></div>`;
  const areas = tags.map((tag) => {
    const own = operations.filter((operation) => operation.tag === tag);
    const items = own.map(
      (one) => `<li data-find="${escaped(findable(one))}"><a href="#${escaped(one.id)}">${escaped(one.id)}</a></li>`,
    );
    return group(tag, items.join('\n'));
  });
  const named = schemas.map(
    (name) => `<li data-find="schema ${escaped(name.toLowerCase())}"><a href="#schema-${name}">${name}</a></li>`,
  );
  return `<nav aria-label="Operations">
<p><a href="/">Suuq</a> · <a href="/errors">Errors</a> · <a href="/api/v1/openapi.json">OpenAPI</a></p>
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search operations and schemas" autocomplete="off">
${areas.join('\n')}
${group('Schemas', named.join('\n'))}
</nav>`;
}

const INTRODUCTION = `<h1>Reference</h1>
<p class="lead">Every request carries <code>Authorization: Bearer</code> with a secret key or the token of a session. Bodies are JSON in UTF-8, up to 1 MiB (8 MiB for a batch of products); files are uploaded as forms.</p>
<p>Money is a whole number of US cents. Times are RFC 3339. Optional fields are absent when they have no value. Lists answer <code>next</code> while more remain: pass it unchanged as <code>cursor</code>; <code>limit</code> is 1 to 200, 50 when absent. Query parameters that an operation does not know are ignored; unknown properties of a body are refused. Operations that create things accept <code>Idempotency-Key</code>: for 24 hours the same request is answered as the first time, with <code>Idempotent-Replayed: true</code>. <code>RateLimit</code> tells how many requests remain. Errors are <a href="/errors">problems with stable codes</a>.</p>`;

export function referencePage(operations: readonly Operation[], document: OpenApi, baseUrl: string): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const areas = tags.map((tag) => {
    const own = operations.filter((operation) => operation.tag === tag);
    const sections = own.map((operation) => section(operation, document, baseUrl));
    return `<div data-group><h2>${escaped(tag)}</h2>${sections.join('\n')}</div>`;
  });
  const names = Object.keys(document.components.schemas).sort();
  const schemas = names.map(
    (name) => `<section class="op" id="schema-${name}" data-find="schema ${escaped(name.toLowerCase())}">
<h3>${name}</h3>${schemaTable(document.components.schemas[name]!)}</section>`,
  );
  return page(
    'Reference · Suuq',
    `<div class="reference">
${navigation(tags, operations, names)}
<main>
${INTRODUCTION}
${areas.join('\n')}
<div data-group><h2>Schemas</h2>${schemas.join('\n')}</div>
</main>
</div>`,
    'search.js',
  );
}
