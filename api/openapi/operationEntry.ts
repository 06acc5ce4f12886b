/** One operation in the OpenAPI document: what it takes, what it answers, what it refuses. */
import type { TProperties } from 'typebox';
import { defined } from '../../domain/defined.js';
import { bodyLimitOf } from '../contract/bodyLimits.js';
import type { Operation, UploadRule } from '../contract/operation.js';
import type { Route } from '../contract/routes.js';
import type { Components, JsonObject } from './components.js';
import { IF_MATCH, IF_NONE_MATCH, READ_HEADERS, UNCHANGED } from './conditional.js';
import { BYTES, FILE_PARAMETERS, fileAnswers } from './files.js';
import { failures } from './problems.js';
import { describedParameter } from './reference/describe.js';
import type { Examples } from './reference/examples.js';
import type { LinksOf } from './reference/links.js';
import { descriptionOf } from './reference/words/operations.js';
import { HEADERS } from './shared.js';

const JSON_TYPE = 'application/json';

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
  // No pattern: what is none is not refused but replaced.
  description:
    'Your own id for the request, returned in the response: 1 to 128 letters, digits and . _ - (any other is replaced).',
  schema: { type: 'string' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A repeated request with the same key within 24 hours runs only once, and gets the response of the first.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

/** State shared by the entries of one document. */
export interface Making {
  readonly components: Components;
  readonly examples: Examples;
  readonly linksOf: LinksOf;
  /** Returns true if the thing that an operation changes has an ETag. */
  hasEtag(operation: Operation): boolean;
}

/** Commas part the values of a list, so none has one. */
const inList = (items: JsonObject): JsonObject => ({ pattern: '^[^,]+$', ...items });

function parameters(
  operation: Operation,
  properties: TProperties | undefined,
  place: 'path' | 'query',
  components: Components,
): JsonObject[] {
  return Object.entries(properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = components.place(schema);
    const isList = rest.type === 'array';
    const list = isList ? { style: 'form', explode: false } : {};
    const required = place === 'path' || !('~optional' in schema);
    return describedParameter(operation.id, {
      name,
      in: place,
      required,
      ...defined({ description }),
      schema: isList ? { ...rest, items: inList(rest.items as JsonObject) } : rest,
      ...list,
    });
  });
}

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; no body.',
};

const isRead = ({ method }: Route): boolean => method === 'GET';
const answersFile = ({ answers }: Operation): boolean => Object.values(answers).includes('file');

const nameOf = ({ $ref }: JsonObject): string | undefined =>
  $ref === undefined ? undefined : String($ref).slice(String($ref).lastIndexOf('/') + 1);

function successes(operation: Operation, route: Route, { components, examples, linksOf }: Making): JsonObject {
  const replayed = operation.idempotent
    ? { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } }
    : {};
  if (answersFile(operation)) return fileAnswers();
  const answers = Object.entries(operation.answers).map(([status, schema]) => {
    const placed = schema === null ? undefined : components.place(schema);
    return [
      status,
      {
        description: SUCCESS[Number(status)] ?? 'Done.',
        headers: { ...HEADERS, ...replayed, ...(isRead(route) && READ_HEADERS) },
        ...(placed && { content: { [JSON_TYPE]: { schema: placed, ...examples.ofBody(placed) } } }),
        ...linksOf(operation, placed && nameOf(placed)),
      },
    ];
  });
  return { ...Object.fromEntries(answers), ...(isRead(route) && UNCHANGED) };
}

const SECURITY: Readonly<Record<Route['about'], readonly JsonObject[]>> = {
  workspace: [{ secretKey: [] }, { sessionToken: [] }],
  partner: [{ partnerKey: [] }],
  session: [{ sessionToken: [] }],
};

const formBody = ({ field }: UploadRule, examples: Examples): JsonObject => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: [field],
        properties: { [field]: { ...BYTES, description: 'The file, with its filename.' } },
        additionalProperties: false,
      },
      ...examples.ofUpload(field),
    },
  },
});

/** Returns the entry of one operation. */
export function operationEntry(operation: Operation, route: Route, making: Making): JsonObject {
  const { components, examples } = making;
  const { id, summary, tag, scope, feature, body, deprecated } = operation;
  const inPath = [
    ...(route.about === 'workspace' ? [WORKSPACE_ID] : []),
    ...parameters(operation, operation.params, 'path', components),
  ];
  const taken = body === undefined ? undefined : components.place(body);
  return {
    operationId: id,
    summary,
    description: descriptionOf(operation) || summary,
    tags: [tag],
    ...(deprecated !== undefined && { deprecated: true }),
    // A user token in the body is the credential itself.
    security: operation.credential === 'user_token' ? [] : SECURITY[route.about],
    parameters: [
      ...inPath,
      ...parameters(operation, operation.query, 'query', components),
      REQUEST_ID,
      ...(answersFile(operation) ? FILE_PARAMETERS : isRead(route) ? [IF_NONE_MATCH] : []),
      ...(making.hasEtag(operation) ? [IF_MATCH] : []),
      ...(operation.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(taken !== undefined && {
      requestBody: {
        description: `At most ${bodyLimitOf(operation).toLocaleString('en')} bytes.`,
        required: operation.bodyOptional !== true,
        content: { [JSON_TYPE]: { schema: taken, ...examples.ofBody(taken) } },
      },
    }),
    ...(operation.upload !== undefined && { requestBody: formBody(operation.upload, examples) }),
    ...(operation.addition !== undefined && { 'x-suuq-addition': true }),
    responses: {
      ...successes(operation, route, making),
      ...failures(operation, route, examples),
    },
    ...(scope !== null && { 'x-scope': scope }),
    ...(feature !== null && { 'x-feature': feature }),
  };
}
