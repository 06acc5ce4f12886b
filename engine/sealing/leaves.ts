/** Fields of an event's data that are personal, read once from the marks of its schema. */
import type { EventData } from '../ports/eventStore.js';

/** Name of a person, unique in its space of names. */
export interface Named {
  readonly space: string;
  readonly name: string;
}

/** Returns the name of the person whom the event is about. Undefined: it is about nobody, and stays in clear. */
export type NamedBy = (stream: string, event: Pick<EventData, 'data' | 'meta'>) => Named | undefined;

export interface ByField {
  readonly field: string;
  /** True: if the person was forgotten before the event, its values are erased at once. */
  readonly erased?: true;
}

/**
 * Owner of the values: the person of the stream; a separate person for each number and user id; the person of the
 * stream that a field names; or a person found by a name.
 */
export type ValueOwner = 'stream' | 'each' | ByField | NamedBy;

/** Marked fields below a place. `kind`: the place itself is marked, with everything in it. */
export interface Marked {
  readonly kind?: string;
  readonly fields?: ReadonlyMap<string, Marked>;
  readonly items?: Marked;
}

/** Values to seal in one type of event. */
export interface PersonalEvent {
  readonly owner: ValueOwner;
  readonly marked: Marked;
}

export type PersonalEvents = ReadonlyMap<string, PersonalEvent>;

/** A marked value and its place. */
export interface Leaf {
  /** Member names and element indexes, separated by dots. */
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

/** Returns the marks (`x-personal`) of a schema; undefined if there are none. */
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

/** An empty value has no personal information. */
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * Returns the value with null in its marked places, and adds the marked values to `found`. Returns the same object if
 * nothing in it is marked. `place`: path of the value, followed by a dot.
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
