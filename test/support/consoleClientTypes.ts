/**
 * TypeScript from the OpenAPI document: what the operations that read a store take and answer. The document uses a small part
 * of JSON Schema; what is not known here fails, so that nothing is passed over.
 */
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

interface Read {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
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

/** The file's text. Paths are without `/api/v1`. */
export function clientTypes(): string {
  const document = openApiDocument(operations, '');
  const schemas = document.components.schemas as Record<string, Schema>;
  const shared = (document.components as { parameters?: Record<string, Parameter> }).parameters ?? {};
  const reads: string[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    const read = methods.get as unknown as Read | undefined;
    const content = Object.entries(read?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1].content;
    const answer = content?.['application/json']?.schema;
    if (read === undefined || answer === undefined || !path.includes('{workspaceId}')) continue;
    const all = [...((methods.parameters ?? []) as unknown as Parameter[]), ...(read.parameters ?? [])];
    const query = all
      .map((one) => (one.$ref === undefined ? one : shared[nameOf(one.$ref)]!))
      .filter((one) => one.in === 'query')
      .map(({ name, schema, required }) => `readonly ${name}${required ? '' : '?'}: ${typeOf(schema)};`);
    reads.push(
      `  /** ${read.operationId} */\n  '${path.replace('/api/v1', '')}': { query: { ${query.join(' ')} }; answer: ${typeOf(answer)} };`,
    );
  }
  const needed = new Set<string>();
  const named: string[] = [];
  for (const open = [...schemaRefs(reads.join())]; open.length > 0; ) {
    const name = open.pop()!;
    if (needed.has(name)) continue;
    needed.add(name);
    const text = typeOf(schemas[name]!);
    named.push(`  ${name}: ${text};`);
    open.push(...schemaRefs(text));
  }
  return `/* Written by \`npm run client\` from the OpenAPI document. */
// biome-ignore format: as it is written.
export interface Schemas {
${named.sort().join('\n')}
}

/** What operations that read a store take in their query and answer, by their path. */
// biome-ignore format: as it is written.
export interface Reads {
${reads.sort().join('\n')}
}
`;
}
