/**
 * Converts JSON Schema of the OpenAPI document to TypeScript. The document uses a small part of JSON Schema. Anything
 * else throws, so that nothing is skipped.
 */

export interface Schema {
  readonly description?: string;
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

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export type Content = Readonly<Record<string, { schema: Schema }>>;

export interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
export const literal = (value: unknown): string => JSON.stringify(value)!.replace(/^"(.*)"$/, "'$1'");
export const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ');

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

export function typeOf(schema: Schema): string {
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

export const schemaRefs = (text: string): readonly string[] =>
  [...text.matchAll(/Schemas\['(\w+)'\]/g)].map(([, name]) => name!);
