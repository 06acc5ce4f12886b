/** Model of the pages, read from the operations and the OpenAPI document: nothing here is written twice. */
import { bodyLimitOf } from '../api/contract/bodyLimits.js';
import type { Operation } from '../api/contract/operation.js';
import type { ProblemCode } from '../api/contract/problems.js';
import { routeOf } from '../api/contract/routes.js';
import { type OpenApi, openApiDocument } from '../api/openapi/document.js';
import { problemCodes } from '../api/openapi/problems.js';
import { rulesOf } from '../api/openapi/reference/words/operations.js';
import { operations } from '../api/operations/index.js';
import { EVENT_SCHEMAS } from '../api/operations/webhooks/eventSchemas.js';
import type { Schema, Schemas } from './schema.js';

/** Base of absolute addresses while the service's own is unknown; the browser replaces it. (site/browser/docs.ts) */
export const BASE_URL = 'https://api.example.com';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface AnswerModel {
  readonly status: number;
  readonly description: string;
  /** Absent: no body, or bytes. */
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly isFile: boolean;
}

export interface OperationModel {
  readonly operation: Operation;
  readonly id: string;
  /** Such as `Create promotion`. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Its rules; empty if the summary is enough. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly example: unknown; readonly isRequired: boolean };
  /** Most bytes of a JSON body. */
  readonly bodyLimit: number;
  readonly answers: readonly AnswerModel[];
  readonly problems: readonly ProblemCode[];
  /** The credential; `none`: it is in the body. */
  readonly credential: 'store' | 'partner' | 'session' | 'none';
  /** Operations that go on from its answer. */
  readonly next: readonly string[];
}

export interface EventModel {
  readonly type: string;
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
}

export interface Model {
  readonly document: OpenApi;
  readonly schemas: Schemas;
  /** Areas that have operations. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly OperationModel[];
  readonly events: readonly EventModel[];
}

// What is read of the document.
interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
interface Entry {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, Content>>;
        readonly links?: Readonly<Record<string, { readonly operationId: string }>>;
      }
    >
  >;
}

/** `createSDKSession` → `Create SDK session`. */
export function titleOf(id: string): string {
  const words = id.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  const text = words
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word === 'Api' ? 'API' : word.toLowerCase()))
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function exampleOf(document: OpenApi, content: Content | undefined): unknown {
  const [first] = Object.values(content?.examples ?? {});
  const { examples } = document.components as { examples?: Record<string, { value: unknown }> };
  return first === undefined ? undefined : examples?.[nameOf(first.$ref)]?.value;
}

const JSON_TYPE = 'application/json';
const CREDENTIALS = { workspace: 'store', partner: 'partner', session: 'session' } as const;

function operationModel(operation: Operation, document: OpenApi): OperationModel {
  const route = routeOf(operation);
  const entry = document.paths[route.path]![route.method.toLowerCase()] as unknown as Entry;
  const sent = entry.requestBody?.content[JSON_TYPE];
  const answers = Object.entries(operation.answers).map(([status, schema]): AnswerModel => {
    const response = entry.responses[status]!;
    const content = response.content?.[JSON_TYPE];
    return {
      status: Number(status),
      description: response.description,
      isFile: schema === 'file',
      ...(content !== undefined && { schema: content.schema, example: exampleOf(document, content) }),
    };
  });
  const links = Object.values(entry.responses).flatMap(({ links = {} }) => Object.values(links));
  return {
    operation,
    id: operation.id,
    title: titleOf(operation.id),
    method: route.method,
    path: route.path,
    tag: operation.tag,
    summary: entry.summary,
    description: rulesOf(operation),
    parameters: entry.parameters,
    ...(sent !== undefined && {
      body: {
        schema: sent.schema,
        example: exampleOf(document, sent),
        isRequired: entry.requestBody!.required,
      },
    }),
    bodyLimit: bodyLimitOf(operation),
    answers,
    problems: problemCodes(operation, route),
    credential: operation.credential === 'user_token' ? 'none' : CREDENTIALS[route.about],
    next: [...new Set(links.map(({ operationId }) => operationId))].filter((id) => id !== operation.id),
  };
}

function eventModels(document: OpenApi): EventModel[] {
  const webhooks = document.webhooks as Readonly<Record<string, { readonly post: Entry }>>;
  return Object.entries(webhooks).map(([type, { post }]) => {
    const content = post.requestBody!.content[JSON_TYPE]!;
    return { type, description: post.description, schema: content.schema, example: exampleOf(document, content) };
  });
}

export function readModel(): Model {
  const document = openApiDocument(operations, BASE_URL, EVENT_SCHEMAS);
  return {
    document,
    schemas: document.components.schemas as Schemas,
    tags: (document.tags as { name: string; description?: string }[])
      .filter(({ name }) => operations.some(({ tag }) => tag === name))
      .map(({ name, description = '' }) => ({ name, description })),
    operations: operations.map((operation) => operationModel(operation, document)),
    events: eventModels(document),
  };
}
