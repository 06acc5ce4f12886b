/**
 * typebox's builders, those that we use, with typebox's types. typebox itself loads 700 files, a fifth of a second at
 * every start; what is needed of it while running is only this: JSON Schema, and which properties are optional.
 */
import type { Type as Typebox } from 'typebox';

type Builders = Pick<
  typeof Typebox,
  'Array' | 'Boolean' | 'Integer' | 'Null' | 'Number' | 'Object' | 'Optional' | 'String' | 'Union' | 'Unsafe'
>;
type Schema = Readonly<Record<string, unknown>>;

const OPTIONAL = '~optional';
const plain =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options });

function object(properties: Readonly<Record<string, Schema>>, options: Schema = {}): Schema {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

const builders = {
  Array: (items: Schema, options: Schema = {}) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Integer: plain('integer'),
  Null: plain('null'),
  Number: plain('number'),
  Object: object,
  /** Not enumerable, so it never reaches the document or the validator. */
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: plain('string'),
  Union: (anyOf: readonly Schema[], options: Schema = {}) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

export const Type = builders as unknown as Builders;
