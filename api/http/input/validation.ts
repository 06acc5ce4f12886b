/** The declared schemas, compiled once, check a request; all its problems are found together. */
import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { TProperties, TSchema } from 'typebox';
import type { FieldProblem } from '../../../domain/decider.js';
import { formats } from '../../contract/formats.js';
import type { Operation, UploadedFile } from '../../contract/operation.js';
import { Refusal } from '../../contract/problems.js';
import type { ReadBody } from './input.js';
import { problemsOf } from './messages.js';
import { coerce, parseQuery, type RawValues } from './query.js';
import { badText, MOST_PROBLEMS } from './text.js';

export interface Input {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Present where the operation accepts a file; `body` then identifies the file in the fingerprint. */
  readonly upload?: UploadedFile;
  /** Fingerprint of the request, if it is known already. */
  readonly fingerprint?: string;
}

/** Answers the values with the schemas' defaults. Refuses `validation_failed` with all problems, at most 100. */
export interface Validate {
  (params: Readonly<Record<string, string>>, url: string, body: ReadBody): Input;
  /** Returns true if a value matches the body's schema, and fills in its defaults. */
  bodyFits(value: unknown): boolean;
}

type Schema = Readonly<Record<string, unknown>>;
interface Check {
  (value: unknown, problems: FieldProblem[]): void;
  /** Returns true if there are no problems. */
  fits(value: unknown): boolean;
}

/** Tests check that the schemas are valid: here it would be a sixth of compiling them. */
const trusted = { validateSchema: false, meta: false } as const;
const common = { strict: true, allowUnionTypes: true, useDefaults: true, verbose: true, formats, ...trusted } as const;

/** Loaded with the first schema: importing it would be a tenth of a start, which compiles no schema. */
const read = createRequire(import.meta.url);
function compiler(allErrors: boolean): Ajv2020 {
  const { Ajv2020 } = read('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return new Ajv2020({ ...common, allErrors });
}

let first: Ajv2020 | undefined;
/** Stops at the first problem: what nearly every request needs. */
function compileQuick(schema: Schema): ValidateFunction {
  first ??= compiler(false);
  return first.compile(schema);
}

let thoroughly: Ajv2020 | undefined;
/** Compiles a validator that finds all problems. Used only after the first validator has found one. */
function compileThorough(schema: Schema): ValidateFunction {
  thoroughly ??= compiler(true);
  return thoroughly.compile(schema);
}

/** Ids would have to be unique; the marks of additions are for the document alone. */
const isMark = (key: string, value: unknown): boolean =>
  (key === '$id' && typeof value === 'string') || (key === 'x-suuq-addition' && value === true);

/** As plain JSON schema: without the marks of the schema library and ours. */
export const plain = (schema: unknown): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value) => (isMark(key, value) ? undefined : value));

/** A body with more values reports only its first problem, so that a flood costs no more than its size. */
const MOST_VALUES = 200_000;

function isFlood(root: unknown): boolean {
  let count = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const values = Array.isArray(next) ? next : Object.values(next);
    count += values.length;
    if (count > MOST_VALUES) return true;
    for (const value of values) if (typeof value === 'object') open.push(value);
  }
  return false;
}

function compile(schema: Schema, root: string): Check {
  const quick = compileQuick(schema);
  let thorough: ValidateFunction | undefined;
  const check = (value: unknown, problems: FieldProblem[]): void => {
    if (quick(value)) return;
    let errors = quick.errors ?? [];
    if (!isFlood(value)) {
      thorough ??= compileThorough(schema);
      thorough(value);
      errors = thorough.errors ?? errors;
    }
    problems.push(...problemsOf(errors, root, MOST_PROBLEMS));
  };
  return Object.assign(check, { fits: (value: unknown): boolean => quick(value) });
}

const objectOf = (properties: TProperties): Schema => {
  const members = plain(properties);
  const optional = new Set(Object.keys(properties).filter((name) => '~optional' in properties[name]!));
  return { type: 'object', properties: members, required: Object.keys(members).filter((name) => !optional.has(name)) };
};

interface Part {
  readonly names: readonly string[];
  read(raw: RawValues, problems: FieldProblem[]): Record<string, unknown>;
}

/** Path or query parameters. Those that no operation declares are left out, whatever they hold. */
function part(properties: TProperties, root: 'path' | 'query'): Part {
  const schema = objectOf(properties);
  const check = compile(schema, root);
  const types = schema.properties as Readonly<Record<string, Schema>>;
  const names = Object.keys(types);
  const read = (name: string, found: readonly (string | undefined)[], problems: FieldProblem[]): unknown => {
    const location = `${root}.${name}`;
    const list = types[name]!.type === 'array';
    const problem = (message: string) => void problems.push({ message, location });
    if (found.length > 1 && !list) return problem('must be given only once');
    if (found.includes(undefined)) return problem('must be percent-encoded UTF-8');
    const text = found.join(',');
    const bad = badText(text);
    return bad === undefined ? coerce(text, types[name]!) : problem(bad);
  };
  return {
    names,
    read(raw, problems) {
      const values: Record<string, unknown> = {};
      const before = problems.length;
      for (const name of names) {
        const found = raw.get(name);
        if (found !== undefined) values[name] = read(name, found, problems);
      }
      // A parameter that could not be read would also be reported as missing.
      if (problems.length === before) check(values, problems);
      return values;
    },
  };
}

/** Answers the body with the schema's defaults, and adds its problems to those given. */
export interface BodyCheck extends Pick<Check, 'fits'> {
  (body: ReadBody, problems: FieldProblem[]): unknown;
}

export function bodyCheck(schema: TSchema | Schema, optional: boolean): BodyCheck {
  const check = compile(plain(schema), 'body');
  const checkBody = (body: ReadBody, problems: FieldProblem[]): unknown => {
    if (body.checked) {
      problems.push(...body.problems);
      return body.value;
    }
    if (body.value === undefined && !optional) {
      problems.push({ message: 'is required', location: 'body' });
      return undefined;
    }
    const value = body.value === undefined ? {} : body.value;
    problems.push(...body.problems);
    const before = problems.length;
    check(value, problems);
    // The same name may be reported as forbidden and as unknown: once is enough.
    const reported = new Set(body.problems.map(({ location }) => location));
    for (let index = problems.length - 1; index >= before; index -= 1)
      if (reported.has(problems[index]!.location)) problems.splice(index, 1);
    return value;
  };
  return Object.assign(checkBody, { fits: check.fits });
}

const NONE: Record<string, never> = {};
const NO_VALUES: RawValues = new Map();

/** The refusal of a request with these problems. */
export function invalid(problems: readonly FieldProblem[]): Refusal {
  const count = problems.length;
  const detail =
    count === 1
      ? `${problems[0]!.location ?? 'The request'} ${problems[0]!.message}.`
      : `The request has ${count < MOST_PROBLEMS ? count : `${MOST_PROBLEMS} or more`} problems.`;
  return new Refusal('validation_failed', detail, { problems: problems.slice(0, MOST_PROBLEMS) });
}

const compiled = new WeakMap<Operation, Validate>();

/** An operation's schemas, compiled once in a process. Throws for one that cannot be compiled: a mistake. */
export function compileInput(operation: Operation): Validate {
  const known = compiled.get(operation) ?? compiledInput(operation);
  compiled.set(operation, known);
  return known;
}

function compiledInput(operation: Operation): Validate {
  const params = operation.params === undefined ? undefined : part(operation.params, 'path');
  const query = operation.query === undefined ? undefined : part(operation.query, 'query');
  const body = operation.body === undefined ? undefined : bodyCheck(operation.body, operation.bodyOptional === true);
  const validate = (path: Readonly<Record<string, string>>, url: string, sent: ReadBody): Input => {
    const problems: FieldProblem[] = [];
    const input = {
      params: params?.read(new Map(params.names.map((name) => [name, [path[name]]])), problems) ?? NONE,
      query: query?.read(url.includes('?') ? parseQuery(url) : NO_VALUES, problems) ?? NONE,
      body: body?.(sent, problems),
    };
    if (problems.length > 0) throw invalid(problems);
    return sent.fingerprint === undefined ? input : { ...input, fingerprint: sent.fingerprint };
  };
  return Object.assign(validate, { bodyFits: body?.fits ?? (() => false) });
}
