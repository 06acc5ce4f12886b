/** A schema of the document, in words that a reader needs. */

export type Schema = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, Schema>>;

const REF = '#/components/schemas/';

/** Returns the name of a schema in the document; undefined if it has none. */
export const refName = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith(REF) ? $ref.slice(REF.length) : undefined;

/** The schema itself, behind its name. Throws where the document has none of that name. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = refName(schema);
  if (name === undefined) return schema;
  const found = schemas[name];
  if (found === undefined) throw new Error(`The document has no schema ${name}.`);
  // A description next to the reference applies to this place.
  return typeof schema.description === 'string' ? { ...found, description: schema.description } : found;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'list',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time, RFC 3339',
  date: 'date',
  uuid: 'UUID',
  uri: 'URL',
  email: 'e-mail address',
  binary: 'bytes',
};

/** Such as `list of UUID`, without limits. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const whole = resolved(schema, schemas);
  if ('const' in whole) return JSON.stringify(whole.const);
  const union = (whole.anyOf ?? whole.oneOf) as readonly Schema[] | undefined;
  if (union !== undefined) return [...new Set(union.map((one) => typeText(one, schemas)))].join(' or ');
  const types = (Array.isArray(whole.type) ? whole.type : [whole.type]) as readonly unknown[];
  if (types.includes('array')) return `list of ${typeText((whole.items ?? {}) as Schema, schemas)}`;
  const format = FORMATS[String(whole.format)];
  if (format !== undefined) return format;
  return types.map((type) => WORDS[String(type)] ?? String(type ?? 'anything')).join(' or ');
}

const number = (value: unknown): string => Number(value).toLocaleString('en');

function span(least: unknown, most: unknown, unit: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`at least ${number(least)}${unit}`];
  if (least === undefined) return [`at most ${number(most)}${unit}`];
  return [least === most ? `exactly ${number(least)}${unit}` : `${number(least)} to ${number(most)}${unit}`];
}

/** Omits the bounds that every integer has. */
const own = (bound: unknown): unknown => (Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER ? undefined : bound);

/** Limits, pattern and default, each in a few words; `code` in backquotes. */
export function rulesOf(schema: Schema): string[] {
  const items = (schema.items ?? {}) as Schema;
  return [
    ...span(schema.minLength, schema.maxLength, ' characters'),
    ...span(schema.minItems, schema.maxItems, ' items'),
    ...span(own(schema.minimum), own(schema.maximum), ''),
    ...(schema.uniqueItems === true ? ['no duplicates'] : []),
    ...(typeof schema.pattern === 'string' ? [`matches \`${schema.pattern}\``] : []),
    ...(schema.type === 'array' && refName(items) === undefined
      ? rulesOf({ ...items, default: undefined }).map((rule) => `each ${rule}`)
      : []),
    ...(schema.default === undefined ? [] : [`\`${JSON.stringify(schema.default)}\` by default`]),
  ];
}

/** The values that it may have, where they are named. */
export function valuesOf(schema: Schema): readonly unknown[] {
  const items = (schema.items ?? {}) as Schema;
  return (schema.enum ?? (schema.type === 'array' ? items.enum : undefined) ?? []) as readonly unknown[];
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly rules: readonly string[];
  readonly values: readonly unknown[];
  /** Nested fields: those of an object, or of each item. */
  readonly inner: readonly Field[];
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export const parameterField = (
  { name, required = false, description = '', schema }: Parameter,
  schemas: Schemas,
): Field => ({
  ...{ name, type: typeText(schema, schemas), isRequired: required, description },
  ...{ rules: rulesOf(schema), values: valuesOf(schema), inner: [] },
});

/** Deeper than any body goes; a schema that holds itself ends here. */
const DEEPEST = 6;

/** Returns the schema with the fields: the object itself, the items of a list, or the object of a union. */
function schemaWithFields(schema: Schema, schemas: Schemas): Schema {
  const whole = resolved(schema, schemas);
  if (whole.items !== undefined) return schemaWithFields(whole.items as Schema, schemas);
  const union = (whole.anyOf ?? whole.oneOf) as readonly Schema[] | undefined;
  return union === undefined ? whole : schemaWithFields(union.find((one) => one.type !== 'null') ?? whole, schemas);
}

/** The fields of an object, those that are required first. */
export function fieldsOf(schema: Schema, schemas: Schemas, depth = 0): Field[] {
  if (depth >= DEEPEST) return [];
  const whole = schemaWithFields(schema, schemas);
  const required = new Set((whole.required ?? []) as readonly string[]);
  const fields = Object.entries((whole.properties ?? {}) as Record<string, Schema>).map(([name, one]): Field => {
    const field = resolved(one, schemas);
    return {
      name,
      type: typeText(one, schemas),
      isRequired: required.has(name),
      description: String(field.description ?? ''),
      rules: rulesOf(field),
      values: valuesOf(field),
      inner: fieldsOf(one, schemas, depth + 1),
    };
  });
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}
