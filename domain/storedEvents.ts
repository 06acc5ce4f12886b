/**
 * Builders for stored events: an event's schema and its type have one source. Add fields as optional (`Maybe`). Any other change of a
 * stored shape needs a new version and an upcaster. `npm run events` records shapes and samples, and writes docs/reference/events.md.
 */

import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox';
import type { DomainEvent, EvolvedEvents, Upcaster } from './decider.js';
import { defined } from './defined.js';
import type { Subject } from './personalFields.js';
import { Named, Type } from './schema.js';

export { Code, Id, Label, Personal, type PersonalKind, type Subject } from './personalFields.js';

const described = (description?: string) => defined({ description });

/** A text. Mark it with `Personal` if it concerns a person, otherwise use `Id`, `Code` or `Label`. */
export const Text = (description?: string) => Type.String(described(description));
/** An RFC 3339 time. */
export const Time = (description?: string) => Type.String({ format: 'date-time', ...described(description) });
export const Whole = (description?: string) => Type.Integer(described(description));
/** A number with a fraction. It needs a `Personal` mark or an explicit decision, as a `Text` does. */
export const Decimal = (description?: string) => Type.Number(described(description));
export const Flag = (description?: string) => Type.Boolean(described(description));
export const List = <S extends TSchema>(items: S, description?: string) => Type.Array(items, described(description));
/** JSON of a shape that others define. */
export const AnyFields = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', ...described(description) });
/** One of several shapes, distinguished by a field of each. */
export const Either = <S extends TSchema[]>(...shapes: [...S]) => Type.Union(shapes);
/** Makes a field optional. */
export const Maybe = <S extends TSchema>(schema: S, description?: string): TOptional<S> =>
  Type.Optional({ ...schema, ...described(description) } as S) as TOptional<S>;
/** Present and true, or absent. */
export const Mark = (description?: string) => Maybe(Type.Literal(true), description);
/** Fields that are stored together in several places, under the name of their type. */
export const Shape = <P extends TProperties>(title: string, properties: P, description?: string) =>
  Named(title, Type.Object(properties, described(description)));

const everyField = (properties: TProperties, each: (schema: TSchema) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Maybe(each(schema))]));

/** Any subset of a shape's fields. */
export const Some = <P extends TProperties>(whole: TObject<P>) =>
  Type.Unsafe<Partial<Static<TObject<P>>>>({
    ...Type.Object(everyField(whole.properties, (schema) => schema)),
    'x-fields-of': whole,
  });

/** Changed fields of a shape. null: the field has, or had, no value. */
export const Changes = <P extends TProperties>(whole: TObject<P>) =>
  Type.Unsafe<{ [F in keyof Static<TObject<P>>]?: Static<TObject<P>>[F] | null }>({
    ...Type.Object(everyField(whole.properties, (schema) => Type.Union([schema, Type.Null()]))),
    'x-fields-of': whole,
    'x-nullable': true,
  });

type Frozen<T> = T extends object ? { readonly [F in keyof T]: Frozen<T[F]> } : T;
/** Type of the data stored under a schema. */
export type Stored<S extends TSchema> = Frozen<Static<S>>;

/** A type of event, in its newest version. */
export interface EventDefinition<P extends TProperties = TProperties> {
  /** Cause of the event, for readers of the log. */
  readonly causedBy: string;
  readonly data: TObject<P>;
  /** Version of the stored shape, from 1. */
  readonly version: number;
  /** Upcaster from each version to the next. */
  readonly upcast: Readonly<Record<number, Upcaster>>;
  /** Customer or member whom it concerns. Absent: nobody. */
  readonly subject?: Subject;
}

interface Evolved {
  readonly version: number;
  readonly upcast: Readonly<Record<number, Upcaster>>;
}

/** Declares an event by its cause and its fields. `more`: the person whom it concerns, and its version if that is higher than 1. */
export const event = <P extends TProperties>(
  causedBy: string,
  fields: P,
  more: (Evolved | { readonly version?: never; readonly upcast?: never }) & { readonly subject?: Subject } = {},
): EventDefinition<P> => {
  const { version = 1, upcast = {}, subject } = more;
  for (let from = 1; from < version; from += 1)
    if (upcast[from] === undefined)
      throw new Error(`An event of version ${version} ('${causedBy}') has no upcaster from version ${from}: add one.`);
  return { causedBy, data: Type.Object(fields), version, upcast, ...defined({ subject }) };
};

export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/** Declares the events of one kind of stream. Keys are the stored types. `subject`: default for events without their own. */
export const defineEvents = <const D extends EventDefinitions>(events: D, subject?: Subject): D =>
  subject === undefined
    ? events
    : (Object.fromEntries(Object.entries(events).map(([type, one]) => [type, { subject, ...one }])) as D);

/** Union of the declared events. */
export type EventsOf<D extends EventDefinitions> = {
  [T in keyof D & string]: DomainEvent<T, Stored<D[T]['data']>>;
}[keyof D & string];

/** Returns the events whose stored shape has changed, for the engine. */
export const evolvedOf = (definitions: EventDefinitions): EvolvedEvents =>
  new Map(Object.entries(definitions).filter(([, { version }]) => version > 1));
