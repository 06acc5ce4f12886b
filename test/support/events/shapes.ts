/** Stored shape of each version of each event, as recorded in test/events/shapes.json, and the allowed changes. */
import { isDeepStrictEqual } from 'node:util';
import type { EventDefinitions } from '../../../domain/storedEvents.js';

/** JSON Schema without the parts that only people read. */
export type Shape = Readonly<Record<string, unknown>>;
/** Shapes by event, then by version. */
export type Shapes = Readonly<Record<string, Readonly<Record<string, Shape>>>>;

const isForPeople = (key: string): boolean => key === 'description' || key === 'title' || key.startsWith('x-');

/** Sorts keys, so that equal shapes are equal as text. `named`: keys are field names, not keywords of JSON Schema. */
function canonical(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((one) => canonical(one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => named || !isForPeople(key))
    .map(([key, inner]): [string, unknown] => [
      key,
      key === 'required' && !named ? [...(inner as string[])].sort() : canonical(inner, key === 'properties' && !named),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

export const shapeOf = (schema: object): Shape => canonical(schema) as Shape;

const propertiesOf = (shape: Shape) => (shape.properties ?? {}) as Readonly<Record<string, Shape>>;
const isRequired = (shape: Shape, name: string): boolean =>
  ((shape.required ?? []) as readonly string[]).includes(name);
const member = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function lostFields(before: Shape, now: Shape, path: string): string[] {
  const [had, has] = [propertiesOf(before), propertiesOf(now)];
  const retained = Object.entries(had).flatMap(([name, shape]) => {
    const at = member(path, name);
    if (has[name] === undefined) return [`'${at}' is gone`];
    if (!isRequired(before, name) && isRequired(now, name)) return [`'${at}' was optional and is required`];
    return lost(shape, has[name], at);
  });
  const added = Object.keys(has)
    .filter((name) => had[name] === undefined && isRequired(now, name))
    .map((name) => `'${member(path, name)}' is new and required`);
  return [...retained, ...added];
}

/** Returns why data stored in one shape could not be read in another. Empty if all data can be read. */
export function lost(before: Shape, now: Shape, path = ''): string[] {
  if (isDeepStrictEqual(before, now)) return [];
  const [wereOptions, areOptions] = [before.anyOf, now.anyOf] as (readonly Shape[] | undefined)[];
  if (areOptions !== undefined) {
    const fits = (option: Shape) => areOptions.some((other) => lost(option, other).length === 0);
    return (wereOptions ?? [before]).every(fits) ? [] : [`'${path}' is not all that it could be`];
  }
  if (before.type !== now.type || before.format !== now.format || wereOptions !== undefined)
    return [`'${path}' is of another type`];
  if (before.enum !== undefined || now.enum !== undefined || 'const' in before || 'const' in now) {
    const values = (shape: Shape) => (shape.enum ?? ['const' in shape ? shape.const : undefined]) as readonly unknown[];
    const gone = values(before).filter((value) => !values(now).includes(value) && !values(now).includes(undefined));
    return gone.map((value) => `'${path}' cannot be ${JSON.stringify(value ?? 'any text')} any more`);
  }
  if (before.type === 'array') return lost(before.items as Shape, now.items as Shape, `${path}[]`);
  return lostFields(before, now, path);
}

const ADVICE =
  'Stored events are for ever: add the field as optional and record it with `npm run events`, or raise its version, ' +
  'add an upcaster and record a sample.';

/** Returns the problems and how to fix them. `isRecording`: new and extended shapes are about to be recorded. */
export function changedShapes(events: EventDefinitions, recorded: Shapes, isRecording = false): string[] {
  const gone = Object.keys(recorded)
    .filter((type) => events[type] === undefined)
    .map((type) => `${type} is stored, but not declared any more. Stored events are for ever: declare it again.`);
  const lowered = Object.entries(events)
    .filter(([type, { version }]) => Object.keys(recorded[type] ?? {}).some((known) => Number(known) > version))
    .map(
      ([type, { version }]) =>
        `${type} is stored in a version above ${version} already: a version is never taken back.`,
    );
  const changed = Object.entries(events).flatMap(([type, { data, version }]) => {
    const known = recorded[type]?.[version];
    if (known === undefined)
      return isRecording
        ? []
        : [`Version ${version} of ${type} is not recorded yet: record it with \`npm run events\`.`];
    const now = shapeOf(data);
    const losses = lost(known, now);
    if (isRecording ? losses.length === 0 : isDeepStrictEqual(known, now)) return [];
    const what = losses.length === 0 ? 'it can hold more' : losses.join(', ');
    return [`${type}'s stored shape changed (${what}). ${ADVICE}`];
  });
  return [...gone, ...lowered, ...changed];
}

/** Returns the record with the current events. Earlier versions stay as recorded. */
export const recordedNow = (events: EventDefinitions, recorded: Shapes): Shapes =>
  Object.fromEntries(
    Object.entries(events)
      .map(([type, { data, version }]): [string, Readonly<Record<string, Shape>>] => [
        type,
        { ...recorded[type], [version]: shapeOf(data) },
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
