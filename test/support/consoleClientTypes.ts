/**
 * TypeScript from the OpenAPI document: what the operations that read a store take and answer. The document uses a small part
 * of JSON Schema; what is not known here fails, so that nothing is passed over.
 */
import { STEERED } from '../../api/console/apiOperations.js';
import { openApiDocument } from '../../api/openapi.js';
import { operations } from '../../api/operations.js';

export const CLIENT_FILE = 'console/src/api/openapi.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Methods {
  readonly parameters?: readonly Parameter[];
  readonly get?: Described;
  readonly post?: Described;
  readonly patch?: Described;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const literal = (value: unknown): string => JSON.stringify(value)!.replace(/^"(.*)"$/, "'$1'");
const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ');

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  return `{ ${members.join(' ')} }`;
}

function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, allOf, items } = schema;
  if ($ref !== undefined) return `Schemas['${nameOf($ref)}']`;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const either = anyOf ?? oneOf;
  if (either !== undefined) return union(either.map(typeOf));
  if (allOf !== undefined) return allOf.map(typeOf).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === 'array') return `readonly (${typeOf(items ?? {})})[]`;
  if (type === 'object') return objectType(schema);
  if (type === undefined) return 'unknown';
  return PLAIN[type as string] ?? fail(`a schema of the type ${String(type)}`);
}

const fail = (what: string): never => {
  throw new Error(`The document has ${what}, which the client's types do not know: add it here.`);
};

const schemaRefs = (text: string): readonly string[] =>
  [...text.matchAll(/Schemas\['(\w+)'\]/g)].map(([, name]) => name!);

type Shared = Readonly<Record<string, Parameter>>;

/** What an operation takes in its query. */
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

/** Schemas that these texts name, and those that they name. */
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

/** What one path has: at most one operation that reads, and those that change something and that the console offers. */
function linesOf(path: string, methods: Methods, shared: Shared): { reads: string[]; changes: string[] } {
  const { parameters = [], get: read } = methods;
  const told = (operation: Described): string => queryOf([...parameters, ...(operation.parameters ?? [])], shared);
  const answer = read && answerOf(read);
  const line = ({ operationId }: Described, key: string, type: string) =>
    `  /** ${operationId} */\n  '${key}': { ${type} };`;
  const reads =
    read === undefined || answer === undefined ? [] : [line(read, path, `${told(read)}; answer: ${typeOf(answer)}`)];
  const changes = (['post', 'patch'] as const).flatMap((method) => {
    const change = methods[method];
    if (change === undefined || !STEERED.has(change.operationId)) return [];
    const types = `body: ${bodyOf(jsonOf(change.requestBody?.content))}; answer: ${bodyOf(answerOf(change))}`;
    return [line(change, `${method.toUpperCase()} ${path}`, `${told(change)}; ${types}`)];
  });
  return { reads, changes };
}

/** The file's text. Paths are without `/api/v1`. */
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

/** What operations that read a store take in their query and answer, by their path. */
// biome-ignore format: as it is written.
export interface Reads {
${reads.sort().join('\n')}
}

/** What operations that the console changes a store by take and answer, by their method and path. */
// biome-ignore format: as it is written.
export interface Changes {
${changes.sort().join('\n')}
}
`;
}
