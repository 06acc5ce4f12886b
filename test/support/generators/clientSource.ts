/**
 * Generates the code of the package `client/` from the OpenAPI document: types of every operation, schema and event,
 * and how to call each operation.
 */

import type { Operation } from '../../../api/contract/operation.js';
import { problemKinds } from '../../../api/contract/problems.js';
import { routeOf } from '../../../api/contract/routes.js';
import { openApiDocument } from '../../../api/openapi/document.js';
import { operations } from '../../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../../api/operations/webhooks/eventSchemas.js';
import { type Described, type Parameter, type Schema, typeOf, union } from './documentTypes.js';

export const GENERATED_FILE = 'client/src/generated.ts';

/** Header fields that a call may set, with the argument for each. */
const HEADERS: Readonly<Record<string, string>> = {
  Range: 'range',
  'If-Range': 'ifRange',
  'If-None-Match': 'ifNoneMatch',
};

interface Entry extends Described {
  readonly summary: string;
  readonly parameters: readonly (Parameter & { readonly description?: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: Schema }>> };
}

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;

const member = (name: string, isRequired: boolean, type: string, text: string | undefined, indent: string): string =>
  `${comment(text, indent)}${indent}readonly ${name}${isRequired ? '' : '?'}: ${type};`;

function schemaText(name: string, schema: Schema): string {
  const head = comment(schema.description, '  ');
  if (schema.properties === undefined) return `${head}  ${name}: ${typeOf(schema)};`;
  const fields = Object.entries(schema.properties).map(([field, one]) =>
    member(field, schema.required?.includes(field) ?? false, typeOf(one), one.description, '    '),
  );
  return `${head}  ${name}: {\n${fields.join('\n')}\n  };`;
}

/** Returns the type and the schema of the response. */
function answerOf(operation: Operation, { responses }: Entry): { type: string; schema: Schema | undefined } {
  if (Object.values(operation.answers).includes('file')) return { type: 'FileAnswer', schema: undefined };
  const contents = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const schemas = contents.map(([, { content }]) => content?.['application/json']?.schema);
  return {
    type: union(schemas.map((schema) => (schema === undefined ? 'undefined' : typeOf(schema)))),
    schema: schemas[0],
  };
}

/** Returns the member of a page that contains its items. */
function listOf({ query }: Operation, page: Schema | undefined): [string, Schema] | undefined {
  if (query === undefined || !('cursor' in query)) return undefined;
  const found = Object.entries(page?.properties ?? {}).filter(([, { type }]) => type === 'array');
  if (found.length !== 1) throw new Error('A page has one list: add here how another one is told.');
  return found[0];
}

function argumentsOf({ parameters, requestBody }: Entry, operation: Operation): string[] {
  const own = parameters.flatMap(({ name, in: place, required = false, schema, description }) => {
    const known = place === 'header' ? HEADERS[name] : name;
    return known === undefined ? [] : [member(known, required, typeOf(schema), description, '      ')];
  });
  if (operation.upload !== undefined) return [...own, member('file', true, 'Upload', 'The file.', '      ')];
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined
    ? own
    : [...own, member('body', requestBody!.required, typeOf(schema), undefined, '      ')];
}

/** POST operations that may be repeated: a refresh is repeated with the same token, the others change nothing. */
const REPEATABLE_POSTS = ['refreshSDKSession', 'previewTemplate', 'checkPaymentKey'];
/** Returns whether a repeated call has the same effect as one call. */
const isRepeatable = (method: string, id: string): boolean =>
  ['GET', 'PUT', 'DELETE'].includes(method) || REPEATABLE_POSTS.includes(id);

function specOf(operation: Operation, { parameters }: Entry, list: string | undefined): object {
  const { method, path } = routeOf(operation);
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const headers = parameters.flatMap(({ in: place, name }) =>
    place === 'header' && HEADERS[name] !== undefined ? [[HEADERS[name], name]] : [],
  );
  return {
    method,
    path,
    ...(query.length > 0 && { query }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(operation.body !== undefined && { body: 'json' }),
    ...(operation.upload !== undefined && { body: 'file' }),
    ...(Object.values(operation.answers).includes('file') && { answer: 'file' }),
    ...(list !== undefined && { list }),
    ...(operation.idempotent && { keyed: true }),
    ...(isRepeatable(method, operation.id) && { repeatable: true }),
    ...(operation.credential === 'user_token' && { open: true }),
  };
}

/** Returns the text of the generated file. */
export function generatedClient(): string {
  const document = openApiDocument(operations, '', EVENT_SCHEMAS);
  const schemas = document.components.schemas as Record<string, Schema>;
  const types: string[] = [];
  const specs: string[] = [];
  for (const operation of operations) {
    const { method, path } = routeOf(operation);
    const entry = document.paths[path]![method.toLowerCase()] as unknown as Entry;
    const answer = answerOf(operation, entry);
    const ref = answer.schema?.$ref;
    const list = listOf(operation, ref === undefined ? undefined : schemas[ref.slice(ref.lastIndexOf('/') + 1)]);
    const args = argumentsOf(entry, operation);
    const item = list === undefined ? '' : `\n    item: ${typeOf(list[1].items ?? {})};`;
    const taken = args.length === 0 ? '{}' : `{\n${args.join('\n')}\n    }`;
    types.push(
      `${comment(operation.summary, '  ')}  ${operation.id}: {\n    args: ${taken};\n    answer: ${answer.type};${item}\n  };`,
    );
    specs.push(`  ${operation.id}: ${JSON.stringify(specOf(operation, entry, list?.[0]))},`);
  }
  const { discriminator } = document.components.schemas.WebhookEvent!;
  const { mapping } = discriminator as { mapping: Record<string, string> };
  const events = Object.entries(mapping).map(([type, ref]) => `  '${type}': ${typeOf({ $ref: ref })};`);
  return `/* Written by \`npm run client\` from the OpenAPI document. */
import type { FileAnswer, Upload } from './files.js';

// biome-ignore format: as it is written.
export interface Schemas {
${Object.entries(schemas)
  .filter(([name]) => name !== 'WebhookEvent')
  .map(([name, schema]) => schemaText(name, schema))
  .join('\n')}
}

/** Payloads of webhooks, by event type. */
// biome-ignore format: as it is written.
export interface Events {
${events.join('\n')}
}

/** Request and response of each operation; pages also have their items. */
// biome-ignore format: as it is written.
export interface Operations {
${types.join('\n')}
}

/** Codes of problems. */
// biome-ignore format: as it is written.
export type ProblemCode =
${Object.keys(problemKinds)
  .map((code) => `  | '${code}'`)
  .join('\n')};

/** How each operation is called. */
// biome-ignore format: as it is written.
export const OPERATIONS = {
${specs.join('\n')}
} as const;
`;
}
