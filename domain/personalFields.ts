/**
 * Marks on the schemas of stored events: they declare which values identify or describe a person. They are annotations (`x-personal`) and
 * do not change stored data. Every text, every number with a fraction and all free JSON needs a mark. test/privacy/marks.test.ts reports
 * values without one. docs/concepts/privacy.md is generated from the marks.
 */
import type { TSchema } from 'typebox';
import { defined } from './defined.js';
import { Type } from './schema.js';

/** Kinds of personal values, described for docs/concepts/privacy.md. */
export const personalKinds = {
  phone: 'a phone number',
  name: 'what somebody is called',
  email: 'an email address',
  address: 'home or delivery address, or its area',
  place: 'coordinates or a place on the map that somebody sent',
  text: 'what somebody wrote or was written to',
  file: "a file's name or address, in a conversation",
  account: 'the number of a wallet, which is a phone number, or of another account',
  userId: "another system's id of a person: the channel's, or a partner's",
  derivedId: 'derived from one of the others by a public rule, so it can be found by trying',
} as const;
export type PersonalKind = keyof typeof personalKinds;

/** Person whom the personal values of an event are about, and how to find them. */
export type Subject =
  /** The customer whom the whole stream is about. */
  | 'stream'
  /** Each value identifies a person of its own. */
  | 'each'
  /** The customer whose message brought the file. Nobody for a file that the store uploaded. */
  | 'sender'
  /** The owner of the stream's store. */
  | 'owner'
  /** Unknown: the event does not identify the person. */
  | 'unknown'
  /** The customer of the conversation, the member, or the user with the id in this field. */
  | { readonly conversation: string }
  | { readonly member: string }
  /** `by`: only if such an actor caused the event. Otherwise the id is not a person's. */
  | { readonly user: string; readonly by?: 'member' };

type Schema = Readonly<Record<string, unknown>>;

const impersonal = (description?: string) => Type.String({ ...defined({ description }), 'x-personal': false });

/** Marks a value that identifies or describes a person. Applies to the value itself, not to a list or a shape. */
export const Personal = <S extends TSchema>(kind: PersonalKind, value: S): S =>
  ({ ...(value as object), 'x-personal': kind }) as unknown as S;
/** Marks an id of a thing, not of a person: random, or made by the store or the provider. */
export const Id = impersonal;
/** Marks a value for machines: codes, hashes, sealed secrets, media types, languages. */
export const Code = impersonal;
/** Marks a text of a store, a partner, the operator or the service about goods, work or failures. */
export const Label = impersonal;

export interface PersonalField {
  /** Path such as `content.contacts[].name`. A field with several shapes has one path for each. */
  readonly path: string;
  readonly kind: PersonalKind;
}

const member = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Yields a schema's values that are neither lists nor shapes, with their paths. */
function* leavesOf(schema: Schema, path: string): Iterable<readonly [string, Schema]> {
  for (const option of (schema.anyOf ?? []) as readonly Schema[]) yield* leavesOf(option, path);
  if (schema.type === 'array') yield* leavesOf(schema.items as Schema, `${path}[]`);
  else if (schema.properties !== undefined)
    for (const [name, inner] of Object.entries(schema.properties as Readonly<Record<string, Schema>>))
      yield* leavesOf(inner, member(path, name));
  else if (schema.anyOf === undefined) yield [path, schema];
}

/**
 * Returns true if the value may contain anything: a text that is neither an enumeration nor a time, a number with a fraction, free JSON.
 */
function isOpen({ type, format, enum: values, const: only }: Schema): boolean {
  if (values !== undefined || only !== undefined) return false;
  return type === undefined || type === 'object' || type === 'number' || (type === 'string' && format !== 'date-time');
}

const isPersonal = ([, schema]: readonly [string, Schema]): boolean => typeof schema['x-personal'] === 'string';

/** Returns the personal values of a schema, each path once, in the schema's order. */
export function personalFields(schema: object): readonly PersonalField[] {
  const found = [...leavesOf(schema as Schema, '')].filter(isPersonal);
  return [...new Map(found.map(([path, leaf]) => [path, leaf['x-personal'] as PersonalKind]))].map(([path, kind]) => ({
    path,
    kind,
  }));
}

/** Returns the paths of values without a mark. It must be empty. */
export const undecidedFields = (schema: object): readonly string[] =>
  [...leavesOf(schema as Schema, '')]
    .filter(([, leaf]) => isOpen(leaf) && leaf['x-personal'] === undefined)
    .map(([path]) => path);

/**
 * Personal values in the metadata of every event (`EventMeta` in decider.ts). `when`: the value identifies a person only in this case,
 * since a key and the service have ids of their own.
 */
export const personalMeta: readonly (PersonalField & { readonly when?: string; readonly whose: string })[] = [
  { path: 'actor.id', kind: 'userId', when: 'actor.type is customer', whose: 'the customer' },
  { path: 'operator', kind: 'account', whose: 'operator who ran the command' },
];
