/** Returns a value that a schema accepts, for tests that need any value. */

export type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

const REF = '#/components/schemas/';
const refName = (schema: Schema): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.slice(REF.length) : undefined;

/** Ignores the bound that every integer has. */
const own = (bound: unknown): unknown => (Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER ? undefined : bound);

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

/** Returns a value that the schema accepts: its own example, or a value of its type with only the required fields. */
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
