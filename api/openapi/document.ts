/** The OpenAPI 3.1 document, from the operations. */

import type { TSchema } from 'typebox';
import { defined } from '../../domain/defined.js';
import type { Operation } from '../contract/operation.js';
import { API, readOf, routeOf } from '../contract/routes.js';
import { Components, type JsonObject } from './components.js';
import { operationEntry } from './operationEntry.js';
import { describedSchema } from './reference/describe.js';
import { Examples } from './reference/examples.js';
import { linksAmong } from './reference/links.js';
import { TAGS } from './reference/words/tags.js';
import { FieldError, Problem, SHARED, sharedResponses } from './shared.js';
import { EVENTS_TAG, webhooksOf } from './webhooks.js';

export interface OpenApi extends JsonObject {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly components: { readonly schemas: Record<string, JsonObject> } & JsonObject;
}

/** Explanation of test keys. */
const TEST_MODE =
  'Keys and sessions of the test mode (sk_test_…, psk_test_…, pk_test_…) reach the same stores and the same data as live ones, within ' +
  'their scopes: orders, customers and messages are real. The mode only keeps user tokens of one from publishable keys of the other. ' +
  'A store may refuse the test mode: `test_key_refused`.';

/** Rules of every text and id. */
const TEXTS =
  'No text of a request may hold the character NUL (U+0000) or half of a surrogate pair: neither logs nor stores can hold them. ' +
  'Ids may not be `.` or `..`, which clients drop from a path.';

const described = (schemas: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, describedSchema(name, schema)]));

const tagsOf = (operations: readonly Operation[], more: readonly string[]): JsonObject[] =>
  [...new Set([...operations.map(({ tag }) => tag), ...more])].map((name) => ({
    name,
    ...defined({ description: TAGS[name] }),
  }));

const infoOf = (baseUrl: string): JsonObject => ({
  title: 'Suuq API',
  version: 'v1',
  description: `Selling in chat. Answers carry API-Version and X-Request-Id; errors are problems, explained at ${baseUrl}/errors. ${TEXTS} ${TEST_MODE}`,
  contact: { name: 'Who runs this service', url: `${baseUrl}/docs` },
  license: { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' },
});

/** `events`: what is posted to webhook endpoints, by type. Throws when two operations share a route or an id, or two different schemas a name. */
export function openApiDocument(
  operations: readonly Operation[],
  baseUrl: string,
  events: Readonly<Record<string, TSchema>> = {},
): OpenApi {
  const components = new Components();
  const examples = new Examples(baseUrl);
  const making = {
    components,
    examples,
    linksOf: linksAmong(operations),
    hasEtag: (operation: Operation) => readOf(operation, operations) !== undefined,
  };
  const paths: Record<string, Record<string, JsonObject>> = {};
  const ids = new Set<string>();
  for (const operation of operations) {
    const route = routeOf(operation);
    const method = route.method.toLowerCase();
    paths[route.path] ??= {};
    const methods = paths[route.path]!;
    if (method in methods || ids.has(operation.id)) throw new Error(`${operation.id} is declared twice`);
    ids.add(operation.id);
    methods[method] = operationEntry(operation, route, making);
  }
  const responses = sharedResponses(examples.ofProblem('method_not_allowed'));
  const webhooks = Object.keys(events).length === 0 ? undefined : webhooksOf(events, components, examples);
  return {
    openapi: '3.1.0',
    info: infoOf(baseUrl),
    servers: [{ url: baseUrl, description: 'This service.' }],
    externalDocs: { url: `${baseUrl}/docs`, description: `Reference of ${API}` },
    tags: tagsOf(operations, webhooks === undefined ? [] : [EVENTS_TAG]),
    paths,
    ...defined({ webhooks }),
    // Any of them, for generators that make one type of them all.
    ...(webhooks !== undefined && { 'x-webhook-event': { $ref: '#/components/schemas/WebhookEvent' } }),
    components: {
      schemas: described({ ...components.schemas, FieldError, Problem }),
      examples: examples.components,
      responses,
      ...SHARED,
    },
  };
}
