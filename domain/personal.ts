/**
 * Marks on the schemas of stored events: which values name a person or tell of one, and which cannot. Only annotations
 * (`x-personal`): what is stored does not change with them. Every text, every number with a fraction and all free JSON has to
 * be decided, one way or the other; test/privacy/marks.test.ts names what is not. docs/concepts/privacy.md is written from them.
 */
import type { TSchema } from 'typebox';
import { defined } from './defined.js';
import { Type } from './schema.js';

/** What a personal value is, in words for docs/concepts/privacy.md. */
export const personalKinds = {
  phone: 'a phone number',
  name: 'what somebody is called',
  email: 'an email address',
  address: 'where somebody lives or is delivered to, or the area of it',
  place: 'coordinates or a place on the map that somebody sent',
  text: 'what somebody wrote or was written to',
  file: "a file's name or address, in a conversation",
  account: 'the number of a wallet, which is a phone number, or of another account',
  userId: "another system's id of a person: the channel's, or a partner's",
  derivedId: 'made of one of the others by a rule without a secret: whoever knows the rule can find it by trying',
} as const;
export type PersonalKind = keyof typeof personalKinds;

/** Whose the personal values of an event are, and how that person is found. */
export type Subject =
  /** The customer whom the whole stream is about. */
  | 'stream'
  /** Each value names a person of its own, who is found by it. */
  | 'each'
  /** The customer whose message brought the file; of a file that the store uploaded, nobody. */
  | 'sender'
  /** Who owns the store of the stream. */
  | 'owner'
  /** Nothing says whose they are. */
  | 'unknown'
  /** The customer of the conversation, the member, or the user with the id in this field. */
  | { readonly conversation: string }
  | { readonly member: string }
  /** `by`: only where such an actor caused the event; the id is nobody's otherwise. */
  | { readonly user: string; readonly by?: 'member' };

type Schema = Readonly<Record<string, unknown>>;

const impersonal = (description?: string) => Type.String({ ...defined({ description }), 'x-personal': false });

/** Names a person, or tells of one. Of a value itself, not of a list or a shape. */
export const Personal = <S extends TSchema>(kind: PersonalKind, value: S): S =>
  ({ ...(value as object), 'x-personal': kind }) as unknown as S;
/** An id of a thing, not of a person: drawn at random, or of the store's or the provider's making. */
export const Id = impersonal;
/** For machines: codes, hashes, sealed secrets, media types, languages. */
export const Code = impersonal;
/** What a store, a partner, the operator or the service says of its own goods, people's work or failures. */
export const Label = impersonal;

export interface PersonalField {
  /** Such as `content.contacts[].name`; of several shapes of a field, each. */
  readonly path: string;
  readonly kind: PersonalKind;
}

const member = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A schema's values that are no lists and no shapes, with their paths. */
function* leavesOf(schema: Schema, path: string): Iterable<readonly [string, Schema]> {
  for (const option of (schema.anyOf ?? []) as readonly Schema[]) yield* leavesOf(option, path);
  if (schema.type === 'array') yield* leavesOf(schema.items as Schema, `${path}[]`);
  else if (schema.properties !== undefined)
    for (const [name, inner] of Object.entries(schema.properties as Readonly<Record<string, Schema>>))
      yield* leavesOf(inner, member(path, name));
  else if (schema.anyOf === undefined) yield [path, schema];
}

/** Could hold anything: a text that is neither one of a few nor a time, a number with a fraction, free JSON. */
function isOpen({ type, format, enum: values, const: only }: Schema): boolean {
  if (values !== undefined || only !== undefined) return false;
  return type === undefined || type === 'object' || type === 'number' || (type === 'string' && format !== 'date-time');
}

const isPersonal = ([, schema]: readonly [string, Schema]): boolean => typeof schema['x-personal'] === 'string';

/** What of a schema is personal, each path once, in the schema's order. */
export function personalFields(schema: object): readonly PersonalField[] {
  const found = [...leavesOf(schema as Schema, '')].filter(isPersonal);
  return [...new Map(found.map(([path, leaf]) => [path, leaf['x-personal'] as PersonalKind]))].map(([path, kind]) => ({
    path,
    kind,
  }));
}

/** Paths of what nobody has decided yet; it has to be empty. */
export const undecidedFields = (schema: object): readonly string[] =>
  [...leavesOf(schema as Schema, '')]
    .filter(([, leaf]) => isOpen(leaf) && leaf['x-personal'] === undefined)
    .map(([path]) => path);

/**
 * The same of the metadata that stand with every event (`EventMeta` in decider.ts). `when`: the value names a person only
 * there; a key or the service acts under an id of its own.
 */
export const personalMeta: readonly (PersonalField & { readonly when?: string; readonly whose: string })[] = [
  { path: 'actor.id', kind: 'userId', when: 'actor.type is customer', whose: 'the customer' },
  { path: 'operator', kind: 'account', whose: 'whoever gave the command at the command line' },
];
