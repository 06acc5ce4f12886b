/** Converts errors of ajv to sentences, at the places where the caller wrote the values. */
import type { ErrorObject } from 'ajv';
import type { FieldProblem } from '../../../domain/decider.js';
import { step } from './text.js';

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID, such as 3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70',
  'date-time':
    'must be a date and time by RFC 3339 with its offset, such as 2026-01-31T09:30:00Z, to the millisecond at most and in a year from 0000 to 9999 in UTC',
  date: 'must be a date from 2000-01-01 to 2099-12-31, such as 2026-11-28',
  email: 'must be an email address',
  uri: 'must be an absolute URL',
  'image-url':
    'must be an HTTPS URL (RFC 3986) on the public internet, at most 2048 characters, without user name or spaces',
  visible: 'must contain a visible character',
  int32: 'must be a whole number from -2147483648 to 2147483647',
  int64: 'must be a whole number from -9007199254740991 to 9007199254740991',
  double: 'must be a number',
};

const PATTERNS: Readonly<Record<string, string>> = {
  '^[A-Za-z0-9._:-]+$': 'may contain only letters, digits and . _ : -',
  '^[A-Za-z0-9._:-]*$': 'may contain only letters, digits and . _ : -',
  '^[A-Za-z]{2}$': 'must be two letters',
};

type Params = Readonly<Record<string, unknown>>;
const num = (params: Params): number => Number(params.limit);
const named = (type: unknown): string =>
  (Array.isArray(type) ? type : [type]).map((one) => TYPES[String(one)] ?? String(one)).join(' or ');
const quoted = (values: unknown): string => (values as unknown[]).map((value) => String(value)).join(', ');

const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known property',
  type: (params) => `must be ${named(params.type)}`,
  minLength: (params) => (num(params) === 1 ? 'must not be empty' : `must have at least ${num(params)} characters`),
  maxLength: (params) => `must have at most ${counted(num(params), 'character')}`,
  minItems: (params) => `must have at least ${counted(num(params), 'item')}`,
  maxItems: (params) => `must have at most ${counted(num(params), 'item')}`,
  uniqueItems: (params) => `must not contain the same item twice (items ${params.j} and ${params.i})`,
  minProperties: (params) => `must have at least ${num(params)} of its properties`,
  minimum: (params) => `must be ${num(params)} or more`,
  maximum: (params) => `must be ${num(params)} or less`,
  exclusiveMinimum: (params) => `must be more than ${num(params)}`,
  exclusiveMaximum: (params) => `must be less than ${num(params)}`,
  enum: (params) => `must be one of ${quoted(params.allowedValues)}`,
  const: (params) => `must be ${JSON.stringify(params.allowedValue)}`,
  pattern: (params) => PATTERNS[String(params.pattern)] ?? `must match ${String(params.pattern)}`,
  format: (params) => FORMATS[String(params.format)] ?? `must be in the format ${String(params.format)}`,
};

/** `/products/3/name` → `body.products[3].name`. */
function locate(root: string, pointer: string): string {
  let location = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    location = step(location, /^\d+$/.test(key) ? Number(key) : key);
  }
  return location;
}

const LONGEST_VALUE = 500;
const SECRET = /secret|token|api_?key|password/i;

/** Returns the value for an error message: whole when it is small, cut when it is long text, never a secret. */
function tellable(value: unknown, location: string): { value?: unknown } {
  if (value === undefined || SECRET.test(location)) return {};
  if (typeof value === 'string') {
    const text = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
    return { value: text.replace(/\p{Surrogate}/gu, '\ufffd') };
  }
  if (typeof value !== 'object' || value === null) return { value };
  return Object.keys(value).length === 0 ? { value } : {};
}

/** The place and value that a problem is about: for a missing or unknown property, that property's. */
function subject(error: ErrorObject, root: string): { location: string; value: unknown } {
  const location = locate(root, error.instancePath);
  const key = error.params.missingProperty ?? error.params.additionalProperty;
  if (typeof key !== 'string') return { location, value: error.data };
  const value = error.keyword === 'required' ? undefined : (error.data as Record<string, unknown>)[key];
  return { location: step(location, key), value };
}

/** Returns true if `error` comes from inside a branch of the union that `union` reports. */
const inside = (error: ErrorObject, union: ErrorObject): boolean =>
  error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`);

/** Returns the choices of a union of constants, such as a nullable enumeration. */
function choices(branches: readonly ErrorObject[], union: ErrorObject): string | undefined {
  const here = branches.filter((error) => error.instancePath === union.instancePath);
  const reported = here.map((error) => {
    if (error.keyword === 'const') return JSON.stringify(error.params.allowedValue);
    return error.keyword === 'type' ? named(error.params.type) : undefined;
  });
  if (here.length !== branches.length || reported.includes(undefined)) return undefined;
  return `must be ${[...new Set(reported)].join(' or ')}`;
}

/**
 * Reduces a union, which reports each branch that does not match, to one problem: its choices when they fit in a line,
 * otherwise the errors of the branch with the value's type.
 */
function withoutUnions(errors: readonly ErrorObject[]): { error: ErrorObject; message?: string }[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  if (unions.length === 0) return errors.map((error) => ({ error }));
  const messages = new Map<ErrorObject, string>();
  const dropped = new Set<ErrorObject>();
  for (const union of unions) {
    const branches = errors.filter(
      (error) => inside(error, union) && error.instancePath.startsWith(union.instancePath),
    );
    const line = choices(branches, union);
    const otherType = (error: ErrorObject) =>
      error.instancePath === union.instancePath && ['type', 'const'].includes(error.keyword);
    for (const error of branches) if (line !== undefined || otherType(error)) dropped.add(error);
    if (line !== undefined) messages.set(union, line);
    else if (branches.some((error) => !dropped.has(error))) dropped.add(union);
    else messages.set(union, 'does not match any of the accepted forms');
  }
  return errors
    .filter((error) => !dropped.has(error))
    .map((error) => ({ error, ...(messages.has(error) ? { message: messages.get(error)! } : {}) }));
}

/** Leaves one error per value: an empty text is empty, and need not match a pattern too. */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const form = ({ keyword }: ErrorObject) => keyword === 'format' || keyword === 'pattern';
  const reported = new Set(errors.filter((error) => !form(error)).map(({ instancePath }) => instancePath));
  return errors.filter((error) => !form(error) || !reported.has(error.instancePath));
}

/** At most `most` problems, in ajv's order. `root` is body, query or path. */
export function problemsOf(errors: readonly ErrorObject[], root: string, most: number): FieldProblem[] {
  // Unions compare pairs of errors: a flood of errors is cut before.
  return withoutUnions(withoutEchoes(errors.slice(0, most * 4)))
    .slice(0, most)
    .map(({ error, message }) => {
      const { location, value } = subject(error, root);
      const words = message ?? MESSAGES[error.keyword]?.(error.params) ?? error.message ?? 'is not valid';
      return { message: words, location, ...tellable(value, location) };
    });
}
