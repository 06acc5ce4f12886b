/** Schemas in words: a table of fields, and an example value. */
import type { OpenApi } from '../openapi.js';
import { escaped, prose, table } from './layout.js';

export type Schema = Readonly<Record<string, unknown>>;
type Schemas = OpenApi['components']['schemas'];

const REF = '#/components/schemas/';
const refName = (schema: Schema): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.slice(REF.length) : undefined;

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
};

/** The type as HTML, such as `list of ProductBody`. */
export function typeText(schema: Schema): string {
  const name = refName(schema);
  if (name !== undefined) return `<a href="#schema-${escaped(name)}">${escaped(name)}</a>`;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' ');
  if ('const' in schema) return `<code>${escaped(String(schema.const))}</code>`;
  const union = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (union !== undefined) return union.map(typeText).join(' or ');
  if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as Schema)}`;
  if (schema.type === 'object') return 'object';
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(
    (type) => WORDS[type] ?? String(type ?? 'any'),
  );
  return escaped(typeof schema.format === 'string' ? schema.format : types.join(' or '));
}

const number = (value: unknown): string => Number(value).toLocaleString('en', { useGrouping: true });

function span(least: unknown, most: unknown, unit: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`at least ${number(least)}${unit}`];
  if (least === undefined) return [`at most ${number(most)}${unit}`];
  return [`${number(least)} to ${number(most)}${unit}`];
}

/** What every integer is bound to says nothing of this one. */
const own = (bound: unknown): unknown => (Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER ? undefined : bound);

/** Limits, pattern and default in a line. */
export function rules(schema: Schema): string {
  return [
    ...span(schema.minLength, schema.maxLength, ' characters'),
    ...span(schema.minItems, schema.maxItems, ' items'),
    ...span(own(schema.minimum), own(schema.maximum), ''),
    ...(typeof schema.pattern === 'string' ? [`\`${schema.pattern}\``] : []),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ].join('; ');
}

/** Fields of inner objects that have no name of their own stand in the same table, as `owner.email`. */
function fieldRows(schema: Schema, before: string): string[][] {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const mark = required.has(name) ? '<span class="req">required</span>' : '';
    const inner = field.type === 'array' ? (field.items as Schema | undefined) : field;
    const path = `${before}${name}`;
    const row = [
      `<code>${escaped(path)}</code>${mark}`,
      typeText(field),
      `${prose(String(field.description ?? ''))} <span class="rule">${prose(rules(field))}</span>`,
    ];
    const deeper = inner?.type === 'object' ? fieldRows(inner, `${path}${field.type === 'array' ? '[]' : ''}.`) : [];
    return [row, ...deeper];
  });
}

/** A named schema as a link, followed by its fields when `schemas` are given; an object as the table of its fields. */
export function schemaTable(schema: Schema, schemas?: Schemas): string {
  const name = refName(schema);
  if (name !== undefined && schemas?.[name] !== undefined)
    return `<p>${typeText(schema)}</p>${schemaTable(schemas[name])}`;
  const rows = name === undefined && schema.type === 'object' ? fieldRows(schema, '') : [];
  return rows.length === 0 ? `<p>${typeText(schema)}</p>` : table(['Field', 'Type', ''], rows);
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  uuid: '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70',
  'date-time': '2026-01-31T09:30:00Z',
  email: 'amina@example.com',
  uri: 'https://example.com/',
};

function sampleText(schema: Schema, name: string): string {
  if (typeof schema.format === 'string' && schema.format in SAMPLES) return String(SAMPLES[schema.format]);
  if (/url/i.test(name)) return 'https://example.com/1.jpg';
  if (/country/i.test(name)) return 'SO';
  if (/timezone/i.test(name)) return 'Africa/Mogadishu';
  return /id$|ref$/i.test(name) ? `${name}-1` : name || 'text';
}

const typeOf = ({ type }: Schema): unknown => (Array.isArray(type) ? type[0] : type);

function sampleScalar(schema: Schema, name: string): unknown {
  if (schema.default !== undefined) return schema.default;
  const type = typeOf(schema);
  if (type === 'boolean') return true;
  if (type !== 'integer' && type !== 'number') return sampleText(schema, name);
  return /cents/i.test(name) ? 2500 : (own(schema.minimum) ?? 1);
}

/** A value that the schema accepts: its own example, or what its type says; only the required fields. */
export function sample(schema: Schema, schemas: Schemas, name = ''): unknown {
  const ref = refName(schema);
  if (ref !== undefined) return sample(schemas[ref] ?? {}, schemas, name);
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ('const' in schema) return schema.const;
  const union = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (union?.[0] !== undefined) return sample(union[0], schemas, name);
  const type = typeOf(schema);
  if (type === 'array') return [sample((schema.items ?? {}) as Schema, schemas, name.replace(/s$/, ''))];
  if (type !== 'object') return sampleScalar(schema, name);
  const required = new Set((schema.required ?? []) as string[]);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(([key]) =>
    required.has(key),
  );
  return Object.fromEntries(fields.map(([key, field]) => [key, sample(field, schemas, key)]));
}
