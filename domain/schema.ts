/**
 * The builders of typebox that this project uses, with typebox's types: one source for a type and its JSON Schema. typebox itself loads 700
 * files, which takes a fifth of a second at every start. At run time only the JSON Schema and the optional properties are needed.
 */
import type { TSchema, Type as Typebox } from 'typebox';

type Builders = Pick<
  typeof Typebox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
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
  Literal: (value: unknown, options: Schema = {}) => ({ const: value, ...options }),
  Null: plain('null'),
  Number: plain('number'),
  Object: object,
  /** Not enumerable, so that it is never part of the document or visible to the validator. */
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: plain('string'),
  Union: (anyOf: readonly Schema[], options: Schema = {}) => ({ anyOf, ...options }),
  Unknown: (options: Schema = {}) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

export const Type = builders as unknown as Builders;

/** Accepts one of these strings. */
export const OneOf = <T extends string>(...values: T[]) => Type.Unsafe<T>(Type.String({ enum: values }));
/** Names a schema, such as the specification's (`ProductBody`), for the list of a document's shapes. */
export const Named = <S extends TSchema>(title: string, schema: S): S => Object.assign(schema, { title });
