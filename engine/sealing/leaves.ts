/** Which fields of an event's data tell of a person: read once from the marks of its schema. */
import type { EventData } from '../ports/eventStore.js';

/** What somebody is found by: a name, in a space of names in which it is theirs alone. */
export interface Named {
  readonly space: string;
  readonly name: string;
}

/** What the event says of who it is about; undefined: nobody's, and left in clear. */
export type NamedBy = (stream: string, event: Pick<EventData, 'data' | 'meta'>) => Named | undefined;

export interface ByField {
  readonly field: string;
  /** True: if the person was forgotten before the event, its values are erased at once. */
  readonly erased?: true;
}

/**
 * A person's stream; each number and user id by itself; the person of the stream that a field of the event names; or somebody who is
 * found by a name of their own.
 */
export type Whose = 'stream' | 'each' | ByField | NamedBy;

/** Fields below a place. `kind`: the place itself is marked, whatever is in it. */
export interface Marked {
  readonly kind?: string;
  readonly fields?: ReadonlyMap<string, Marked>;
  readonly items?: Marked;
}

/** What is to be sealed of one type of event. */
export interface PersonalEvent {
  readonly whose: Whose;
  readonly marked: Marked;
}

export type PersonalEvents = ReadonlyMap<string, PersonalEvent>;

/** A marked value: where it stands, what it is. */
export interface Leaf {
  /** Names of members and numbers of elements, with dots between. */
  readonly path: string;
  readonly kind: string;
  readonly value: unknown;
}

interface Schema {
  readonly 'x-personal'?: string | false;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

function merged(one: Marked | undefined, other: Marked | undefined): Marked | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const fields = new Map(one.fields);
  for (const [name, marked] of other.fields ?? []) fields.set(name, merged(fields.get(name), marked)!);
  const [kind, items] = [one.kind ?? other.kind, merged(one.items, other.items)];
  return { ...(kind && { kind }), ...(fields.size > 0 && { fields }), ...(items && { items }) };
}

/** The marks (`x-personal`) in a schema; undefined where there is none. */
export function markedIn(schema: object): Marked | undefined {
  const { 'x-personal': kind, properties = {}, items, anyOf = [] } = schema as Schema;
  if (typeof kind === 'string') return { kind };
  const fields = new Map<string, Marked>();
  for (const [name, field] of Object.entries(properties)) {
    const marked = markedIn(field);
    if (marked !== undefined) fields.set(name, marked);
  }
  const element = items && markedIn(items);
  const own =
    fields.size > 0 || element ? { ...(fields.size > 0 && { fields }), ...(element && { items: element }) } : undefined;
  return anyOf.map(markedIn).reduce(merged, own);
}

/** Says nothing of anybody. */
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * The value with nothing in its marked places, which are added to `found`; itself where nothing is marked in it. `place`: where it
 * stands, with a dot behind it.
 */
export function withoutMarked(value: unknown, marked: Marked, place: string, found: Leaf[]): unknown {
  if (isEmpty(value)) return value;
  if (marked.kind !== undefined) {
    found.push({ path: place.slice(0, -1), kind: marked.kind, value });
    return null;
  }
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const { items } = marked;
    return items === undefined ? value : value.map((one, at) => withoutMarked(one, items, `${place}${at}.`, found));
  }
  let rest: Record<string, unknown> | undefined;
  for (const [name, below] of marked.fields ?? []) {
    const given = (value as Record<string, unknown>)[name];
    if (given === undefined) continue;
    const left = withoutMarked(given, below, `${place}${name}.`, found);
    if (left === given) continue;
    rest ??= { ...value };
    rest[name] = left;
  }
  return rest ?? value;
}
