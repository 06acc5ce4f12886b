/** The OpenAPI 3.1 document, from the operations. */

import type { TProperties, TSchema } from 'typebox';
import { defined } from '../domain/defined.js';
import { bodyLimitOf } from './http/bodyLimits.js';
import { Components, type JsonObject } from './http/openapiComponents.js';
import { BYTES, FILE_PARAMETERS, fileAnswers } from './http/openapiFiles.js';
import { FieldError, HEADERS, PROBLEM_TYPE, Problem, SHARED } from './http/openapiShared.js';
import { webhooksOf } from './http/openapiWebhooks.js';
import { API, type Route, routeOf } from './http/routes.js';
import type { Operation, UploadRule } from './operation.js';
import { type ProblemCode, problemKinds } from './problems.js';

export interface OpenApi extends JsonObject {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly components: { readonly schemas: Record<string, JsonObject> } & JsonObject;
}

const JSON_TYPE = 'application/json';

/** What a client must know before it uses a test key. */
const TEST_MODE =
  'Keys and sessions of the test mode (sk_test_…, psk_test_…, pk_test_…) reach the same stores and the same data as live ones, within ' +
  'their scopes: orders, customers and messages are real. The mode only keeps user tokens of one from publishable keys of the other. ' +
  'A store may refuse the test mode: `test_key_refused`.';

const WORKSPACE_ID = {
  name: 'workspaceId',
  in: 'path',
  required: true,
  description: "The store's workspace id.",
  schema: { type: 'string', format: 'uuid' },
};

const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Your own id for the request, given back in the answer: 1 to 128 letters, digits and . _ -',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same request with the same key within 24 hours is answered as the first time and runs only once.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

function parameters(
  properties: TProperties | undefined,
  place: 'path' | 'query',
  components: Components,
): JsonObject[] {
  return Object.entries(properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = components.place(schema);
    const list = rest.type === 'array' ? { style: 'form', explode: false } : {};
    const required = place === 'path' || !('~optional' in schema);
    return { name, in: place, required, ...defined({ description }), schema: rest, ...list };
  });
}

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; no body.',
};

const answersFile = ({ answers }: Operation): boolean => Object.values(answers).includes('file');

function successes(operation: Operation, components: Components): JsonObject {
  const replayed = operation.idempotent
    ? { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } }
    : {};
  if (answersFile(operation)) return fileAnswers();
  const answers = Object.entries(operation.answers).map(([status, schema]) => [
    status,
    {
      description: SUCCESS[Number(status)] ?? 'Done.',
      headers: { ...HEADERS, ...replayed },
      ...(schema !== null && { content: { [JSON_TYPE]: { schema: components.place(schema) } } }),
    },
  ]);
  return Object.fromEntries(answers);
}

/** Codes of an operation by status: its own, and those that its declaration implies. */
export function problemCodes(operation: Operation, route: Route): ProblemCode[] {
  const codes: string[] = ['unauthenticated', 'permission_denied'];
  if (operation.feature !== null) codes.push('feature_not_available');
  if (operation.credential !== 'user_token') codes.push('session_ended');
  if (operation.credential === undefined) codes.push('session_expired');
  if (route.method !== 'GET') codes.push('concurrent_change', 'storage_full');
  if (route.about === 'workspace') codes.push('not_found', 'test_key_refused');
  if (operation.credential === 'user_token') codes.push('test_key_refused');
  if (route.about === 'workspace' && route.method !== 'GET' && operation.whenClosed !== true)
    codes.push('store_closed');
  if (operation.body) codes.push('malformed_body', 'payload_too_large', 'unsupported_media_type');
  if (operation.upload) codes.push('malformed_body', 'file_too_large', 'unsupported_media_type');
  if (operation.body || operation.upload) codes.push('request_timeout');
  if (operation.body || operation.upload || operation.query || operation.params) codes.push('validation_failed');
  if (operation.query && 'cursor' in operation.query) codes.push('invalid_cursor');
  if (operation.idempotent) codes.push('idempotency_key_reused', 'idempotency_in_flight');
  codes.push('rate_limited', 'internal_error', 'unavailable', ...(operation.problems ?? []));
  const known = [...new Set(codes)].filter((code): code is ProblemCode => code in problemKinds);
  return known.sort((a, b) => problemKinds[a].status - problemKinds[b].status);
}

function failures(operation: Operation, route: Route): JsonObject {
  const byStatus = new Map<number, string[]>();
  for (const code of problemCodes(operation, route)) {
    const { status } = problemKinds[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } };
  const stated = [...byStatus].map(([status, codes]) => [
    String(status),
    { description: codes.map((code) => `\`${code}\``).join(', '), headers: HEADERS, content },
  ]);
  return { ...Object.fromEntries(stated), default: { $ref: '#/components/responses/Problem' } };
}

const SECURITY: Readonly<Record<Route['about'], readonly JsonObject[]>> = {
  workspace: [{ secretKey: [] }, { sessionToken: [] }],
  partner: [{ partnerKey: [] }],
  session: [{ sessionToken: [] }],
};

const formBody = ({ field }: UploadRule): JsonObject => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: [field],
        properties: { [field]: { ...BYTES, description: 'The file, with its filename.' } },
        additionalProperties: false,
      },
    },
  },
});

function entry(operation: Operation, route: Route, components: Components): JsonObject {
  const { id, summary, tag, scope, feature, body, deprecated } = operation;
  const inPath = [
    ...(route.about === 'workspace' ? [WORKSPACE_ID] : []),
    ...parameters(operation.params, 'path', components),
  ];
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(deprecated !== undefined && { deprecated: true }),
    // A user token in the body is the credential itself.
    security: operation.credential === 'user_token' ? [] : SECURITY[route.about],
    parameters: [
      ...inPath,
      ...parameters(operation.query, 'query', components),
      REQUEST_ID,
      ...(answersFile(operation) ? FILE_PARAMETERS : []),
      ...(operation.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body !== undefined && {
      requestBody: {
        description: `At most ${bodyLimitOf(operation).toLocaleString('en')} bytes.`,
        required: operation.bodyOptional !== true,
        content: { [JSON_TYPE]: { schema: components.place(body) } },
      },
    }),
    ...(operation.upload !== undefined && { requestBody: formBody(operation.upload) }),
    ...(operation.addition !== undefined && { description: operation.addition, 'x-suuq-addition': true }),
    responses: { ...successes(operation, components), ...failures(operation, route) },
    ...(scope !== null && { 'x-scope': scope }),
    ...(feature !== null && { 'x-feature': feature }),
  };
}

/** `events`: what is posted to webhook endpoints, by type. Throws when two operations share a route or an id, or two different schemas a name. */
export function openApiDocument(
  operations: readonly Operation[],
  baseUrl: string,
  events: Readonly<Record<string, TSchema>> = {},
): OpenApi {
  const components = new Components();
  const paths: Record<string, Record<string, JsonObject>> = {};
  const ids = new Set<string>();
  for (const operation of operations) {
    const route = routeOf(operation);
    const method = route.method.toLowerCase();
    paths[route.path] ??= {};
    const methods = paths[route.path]!;
    if (method in methods || ids.has(operation.id)) throw new Error(`${operation.id} is declared twice`);
    ids.add(operation.id);
    methods[method] = entry(operation, route, components);
  }
  const webhooks = Object.keys(events).length === 0 ? undefined : webhooksOf(events, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Suuq API',
      version: 'v1',
      description: `Selling in chat. Answers carry API-Version and X-Request-Id; errors are problems, explained at ${baseUrl}/errors. ${TEST_MODE}`,
    },
    servers: [{ url: baseUrl }],
    externalDocs: { url: `${baseUrl}/docs`, description: `Reference of ${API}` },
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    ...defined({ webhooks }),
    components: { schemas: { ...components.schemas, FieldError, Problem }, ...SHARED },
  };
}
