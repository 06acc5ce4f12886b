/** Adds descriptions and rules of the reference to schemas and parameters. The schema's own take precedence. */
import type { JsonObject } from '../components.js';
import { boundsOf, fieldRules, parameterRules, typeOf, withForm, withPattern } from './rules.js';
import { commerceWords } from './words/commerce.js';
import { FIELDS, PARAMETERS } from './words/common.js';
import { historyWords } from './words/history.js';
import { inboxWords } from './words/inbox.js';
import { storesWords } from './words/stores.js';
import type { Words } from './words/words.js';

export const WORDS: Words = { ...commerceWords, ...historyWords, ...inboxWords, ...storesWords };

/** Schemas of what is sent. */
const INPUTS = /Input|Fields$|UpsertBody$|^StoreChangeBody$|^DeliverySettingsBody$|^DeliveryAreaBody$/;

/** Returns the last name of a path such as `location.latitude` or `sections[].title`. */
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const textOf = (schema: string, path: string): string | undefined => WORDS[schema]?.[path] ?? FIELDS[lastOf(path)];

const isReference = (part: JsonObject): boolean => typeof part.$ref === 'string';

/** A part with the rules and words of what is in it. */
function withInner(schema: string, path: string, part: JsonObject): JsonObject {
  const { properties, items, anyOf } = part;
  const before = path === '' ? '' : `${path}.`;
  const inner = (at: string, one: unknown) => described(schema, at, one as JsonObject);
  return {
    ...withPattern(part),
    ...fieldRules(schema, path),
    ...boundsOf(part),
    ...typeOf(part),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as JsonObject).map(([name, one]) => [name, inner(before + name, one)]),
      ),
    }),
    ...(items !== undefined && { items: inner(`${path}[]`, items) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonObject[]).map((one) => withInner(schema, path, one)) }),
  };
}

function described(schema: string, path: string, part: JsonObject): JsonObject {
  // What a reference names has words of its own.
  if (isReference(part)) return part;
  const words = (path.endsWith('[]') ? part.description : (part.description ?? textOf(schema, path))) as
    | string
    | undefined;
  const description = INPUTS.test(schema) ? withForm(words, part) : words;
  return { ...withInner(schema, path, part), ...(description !== undefined && { description }) };
}

/** A named schema of the document with the words for it and for each of its fields. */
export const describedSchema = (name: string, schema: JsonObject): JsonObject => described(name, '', schema);

/** A parameter of an operation with the words for it. */
export function describedParameter(operation: string, parameter: JsonObject): JsonObject {
  const name = String(parameter.name);
  const schema = parameter.schema as JsonObject;
  const words = (parameter.description ?? PARAMETERS[`${operation}.${name}`] ?? PARAMETERS[name]) as string | undefined;
  const description = withForm(words, schema);
  const rules = { ...parameterRules(name), ...boundsOf(schema) };
  return { ...parameter, ...(description !== undefined && { description }), schema: { ...schema, ...rules } };
}
