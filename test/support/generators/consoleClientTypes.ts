/** Generates TypeScript types of the operations with which the console reads and changes a store. */
import { isOffered } from '../../../api/console/apiOperations.js';
import { openApiDocument } from '../../../api/openapi/document.js';
import { operations } from '../../../api/operations/index.js';
import {
  type Content,
  type Described,
  nameOf,
  type Parameter,
  type Schema,
  schemaRefs,
  typeOf,
} from './documentTypes.js';

export const CLIENT_FILE = 'console/src/api/openapi.ts';

interface Methods {
  readonly parameters?: readonly Parameter[];
  readonly get?: Described;
  readonly post?: Described;
  readonly put?: Described;
  readonly patch?: Described;
  readonly delete?: Described;
}

type Shared = Readonly<Record<string, Parameter>>;

/** Returns the type of an operation's query. */
const queryOf = (all: readonly Parameter[], shared: Shared): string => {
  const members = all
    .map((one) => (one.$ref === undefined ? one : shared[nameOf(one.$ref)]!))
    .filter((one) => one.in === 'query')
    .map(({ name, schema, required }) => `readonly ${name}${required ? '' : '?'}: ${typeOf(schema)};`);
  return `query: { ${members.join(' ')} }`;
};

const jsonOf = (content: Content | undefined): Schema | undefined => content?.['application/json']?.schema;

const answerOf = ({ responses }: Described): Schema | undefined =>
  jsonOf(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content);

/** Returns the schemas that these texts name, directly or indirectly. */
function namedIn(texts: readonly string[], schemas: Readonly<Record<string, Schema>>): readonly string[] {
  const needed = new Map<string, string>();
  for (const open = [...schemaRefs(texts.join())]; open.length > 0; ) {
    const name = open.pop()!;
    if (needed.has(name)) continue;
    const text = typeOf(schemas[name]!);
    needed.set(name, `  ${name}: ${text};`);
    open.push(...schemaRefs(text));
  }
  return [...needed.values()].sort();
}

const bodyOf = (schema: Schema | undefined): string => (schema === undefined ? 'undefined' : typeOf(schema));

/** Returns the types of one path: its read operation, if any, and the changes that the console offers. */
function linesOf(path: string, methods: Methods, shared: Shared): { reads: string[]; changes: string[] } {
  const { parameters = [], get: read } = methods;
  const notify = (operation: Described): string => queryOf([...parameters, ...(operation.parameters ?? [])], shared);
  const answer = read && answerOf(read);
  const line = ({ operationId }: Described, key: string, type: string) =>
    `  /** ${operationId} */\n  '${key}': { ${type} };`;
  const reads =
    read === undefined || answer === undefined ? [] : [line(read, path, `${notify(read)}; answer: ${typeOf(answer)}`)];
  const changes = (['post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
    const change = methods[method];
    if (change === undefined || !isOffered(change.operationId)) return [];
    const { content } = change.requestBody ?? {};
    const body = content?.['multipart/form-data'] === undefined ? bodyOf(jsonOf(content)) : 'FormData';
    const types = `body: ${body}; answer: ${bodyOf(answerOf(change))}`;
    return [line(change, `${method.toUpperCase()} ${path}`, `${notify(change)}; ${types}`)];
  });
  return { reads, changes };
}

/** Returns the text of the generated file. Paths do not include `/api/v1`. */
export function clientTypes(): string {
  const document = openApiDocument(operations, '');
  const schemas = document.components.schemas as Record<string, Schema>;
  const shared = (document.components as { parameters?: Record<string, Parameter> }).parameters ?? {};
  const all = Object.entries(document.paths)
    .filter(([path]) => path.includes('{workspaceId}'))
    .map(([path, methods]) => linesOf(path.replace('/api/v1', ''), methods as unknown as Methods, shared));
  const reads = all.flatMap((one) => one.reads);
  const changes = all.flatMap((one) => one.changes);
  return `/* Written by \`npm run client\` from the OpenAPI document. */
// biome-ignore format: as it is written.
export interface Schemas {
${namedIn([...reads, ...changes], schemas).join('\n')}
}

/** Queries and answers of operations that read a store, by their path. */
// biome-ignore format: as it is written.
export interface Reads {
${reads.sort().join('\n')}
}

/** Bodies and answers of operations that change a store from the console, by their method and path. */
// biome-ignore format: as it is written.
export interface Changes {
${changes.sort().join('\n')}
}
`;
}
