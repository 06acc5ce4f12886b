/**
 * Words for what is stored for ever: an event's schema beside its type, from one source. Add fields as optional (`Maybe`);
 * any other change of a stored shape needs a new version and an upcaster. `npm run events` records shapes and samples,
 * and writes docs/reference/events.md.
 */

import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox';
import type { DomainEvent, EvolvedEvents, Upcaster } from './decider.js';
import { defined } from './defined.js';
import type { Subject } from './personal.js';
import { Named, Type } from './schema.js';

export { Code, Id, Label, Personal, type PersonalKind, type Subject } from './personal.js';

const described = (description?: string) => defined({ description });

/** A text of which it is said with `Personal` what it tells; one that tells of nobody is an `Id`, a `Code` or a `Label`. */
export const Text = (description?: string) => Type.String(described(description));
/** An RFC 3339 time. */
export const Time = (description?: string) => Type.String({ format: 'date-time', ...described(description) });
export const Whole = (description?: string) => Type.Integer(described(description));
/** Whether it tells of somebody has to be said, as of a `Text`. */
export const Decimal = (description?: string) => Type.Number(described(description));
export const Flag = (description?: string) => Type.Boolean(described(description));
export const List = <S extends TSchema>(items: S, description?: string) => Type.Array(items, described(description));
/** JSON of a form that others decide. */
export const AnyFields = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', ...described(description) });
/** One of several shapes, told apart by a field of each. */
export const Either = <S extends TSchema[]>(...shapes: [...S]) => Type.Union(shapes);
/** May be absent. */
export const Maybe = <S extends TSchema>(schema: S, description?: string): TOptional<S> =>
  Type.Optional({ ...schema, ...described(description) } as S) as TOptional<S>;
/** Present and true, or absent. */
export const Mark = (description?: string) => Maybe(Type.Literal(true), description);
/** Fields that are stored together in more than one place, under the name of their type. */
export const Shape = <P extends TProperties>(title: string, properties: P, description?: string) =>
  Named(title, Type.Object(properties, described(description)));

const everyField = (properties: TProperties, each: (schema: TSchema) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Maybe(each(schema))]));

/** Any of a shape's fields. */
export const Some = <P extends TProperties>(whole: TObject<P>) =>
  Type.Unsafe<Partial<Static<TObject<P>>>>({
    ...Type.Object(everyField(whole.properties, (schema) => schema)),
    'x-fields-of': whole,
  });

/** What changed of a shape's fields; null: it has, or had, no value. */
export const Changes = <P extends TProperties>(whole: TObject<P>) =>
  Type.Unsafe<{ [F in keyof Static<TObject<P>>]?: Static<TObject<P>>[F] | null }>({
    ...Type.Object(everyField(whole.properties, (schema) => Type.Union([schema, Type.Null()]))),
    'x-fields-of': whole,
    'x-nullable': true,
  });

type Frozen<T> = T extends object ? { readonly [F in keyof T]: Frozen<T[F]> } : T;
/** What is stored under a schema. */
export type Stored<S extends TSchema> = Frozen<Static<S>>;

/** One type of event, as its newest version is stored. */
export interface EventDefinition<P extends TProperties = TProperties> {
  /** In words for whoever reads the log. */
  readonly causedBy: string;
  readonly data: TObject<P>;
  /** Of the stored shape; 1 from the beginning. */
  readonly version: number;
  /** From each version before to the next. */
  readonly upcast: Readonly<Record<number, Upcaster>>;
  /** Whom it concerns, a customer or one of a store's people; absent: nobody. */
  readonly subject?: Subject;
}

interface Evolved {
  readonly version: number;
  readonly upcast: Readonly<Record<number, Upcaster>>;
}

/** An event by what causes it and its fields. `more`: whom it concerns; its version, from the second on. */
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

/** Declares the events of one kind of stream; keys are the stored types. `subject`: of those that name none of their own. */
export const defineEvents = <const D extends EventDefinitions>(events: D, subject?: Subject): D =>
  subject === undefined
    ? events
    : (Object.fromEntries(Object.entries(events).map(([type, one]) => [type, { subject, ...one }])) as D);

/** The union of the events that a declaration means. */
export type EventsOf<D extends EventDefinitions> = {
  [T in keyof D & string]: DomainEvent<T, Stored<D[T]['data']>>;
}[keyof D & string];

/** What the engine has to know: the events that have changed their stored shape. */
export const evolvedOf = (definitions: EventDefinitions): EvolvedEvents =>
  new Map(Object.entries(definitions).filter(([, { version }]) => version > 1));
