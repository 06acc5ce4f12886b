/** Generates docs/reference/events.md from the code's declarations. */

import type { EventDefinition } from '../../../domain/storedEvents.js';
import type { EventStream } from '../../../service/composition/events.js';
import type { Shape } from './shapes.js';

interface Row {
  readonly field: string;
  readonly type: string;
  readonly meaning: string;
}

const titleOf = (shape: Shape): string | undefined => shape.title as string | undefined;
const fieldsOf = (shape: Shape) => Object.entries((shape.properties ?? {}) as Readonly<Record<string, Shape>>);
const optionsOf = (shape: Shape) => shape.anyOf as readonly Shape[] | undefined;
/** Returns the complete shape of a shape that has only some of its fields. */
const wholeOf = (shape: Shape) => shape['x-fields-of'] as Shape | undefined;
const isOptional = (shape: Shape, name: string): boolean =>
  !((shape.required ?? []) as readonly string[]).includes(name);
const link = (title: string): string => `[${title}](#${title.toLowerCase()})`;
const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const PLAIN: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
};

function typeText(shape: Shape): string {
  const title = titleOf(shape);
  if (title !== undefined) return link(title);
  const whole = wholeOf(shape);
  if (whole !== undefined)
    return `any fields of ${typeText(whole)}${shape['x-nullable'] === true ? ', or null each' : ''}`;
  const options = optionsOf(shape);
  if (options !== undefined) return options.map(typeText).join(' or ');
  if ('const' in shape) return code(shape.const);
  if (shape.enum !== undefined) return (shape.enum as readonly unknown[]).map(code).join(', ');
  if (shape.type === 'array') return `list of ${typeText(shape.items as Shape)}`;
  if (shape.format === 'date-time') return 'time';
  return PLAIN[shape.type as string] ?? 'anything';
}

/** Returns the rows of a shape. Fields of unnamed inner shapes go into the same table. */
function rowsOf(shape: Shape, path = ''): Row[] {
  return fieldsOf(shape).flatMap(([name, inner]) => {
    const field = `${path}${name}`;
    const row: Row = {
      field: code(isOptional(shape, name) ? `${field}?` : field),
      type: typeText(inner),
      meaning: (inner.description as string | undefined) ?? '',
    };
    return [row, ...nested(inner, field)];
  });
}

function nested(shape: Shape, field: string): Row[] {
  if (titleOf(shape) !== undefined || wholeOf(shape) !== undefined) return [];
  if (shape.type === 'array') return nested(shape.items as Shape, `${field}[]`);
  const options = optionsOf(shape);
  if (options !== undefined) return options.flatMap((option) => nested(option, field));
  return rowsOf(shape, `${field}.`);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (rows: readonly Row[]): string[] => [
  '| Field | Type | Meaning |',
  '| --- | --- | --- |',
  ...rows.map(({ field, type, meaning }) => `| ${cell(field)} | ${cell(type)} | ${cell(meaning)} |`),
];

function eventText([type, { causedBy, data, version }]: [string, EventDefinition]): string[] {
  const rows = rowsOf(data as unknown as Shape);
  const versions = version === 1 ? 'Version 1.' : `Version ${version}; versions before are read as this one.`;
  return [`#### ${type}`, '', `${causedBy} ${versions}`, '', ...(rows.length > 0 ? [...table(rows), ''] : [])];
}

/** Yields the named shapes that a schema refers to, itself included. */
function* namedIn(shape: Shape): Iterable<[string, Shape]> {
  const title = titleOf(shape);
  if (title !== undefined) yield [title, shape];
  const whole = wholeOf(shape);
  if (whole !== undefined) {
    yield* namedIn(whole);
    return;
  }
  for (const option of optionsOf(shape) ?? []) yield* namedIn(option);
  for (const [, inner] of fieldsOf(shape)) yield* namedIn(inner);
  if (shape.items !== undefined) yield* namedIn(shape.items as Shape);
}

function shapeText([title, shape]: [string, Shape]): string[] {
  const options = optionsOf(shape);
  const heading = [`#### ${title}`, ''];
  if (options === undefined) return [...heading, ...table(rowsOf(shape)), ''];
  return [...heading, 'One of these.', '', ...options.flatMap((option) => [...table(rowsOf(option)), ''])];
}

function areaText(area: string, streams: readonly EventStream[], written: Set<string>): string[] {
  const events = streams.flatMap((stream) => [
    `### Stream \`${stream.stream}\``,
    '',
    stream.about,
    '',
    ...Object.entries(stream.events).flatMap(eventText),
  ]);
  const definitions = streams.flatMap((stream) => Object.values(stream.events));
  const shapes = new Map(definitions.flatMap(({ data }) => [...namedIn(data as unknown as Shape)]));
  const fresh = [...shapes].filter(([title]) => !written.has(title)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [title] of fresh) written.add(title);
  const parts = fresh.length === 0 ? [] : [`### Shapes of ${area}`, '', ...fresh.flatMap(shapeText)];
  return [`## ${area}`, '', ...events, ...parts];
}

const INTRODUCTION = `<!-- Generated by npm run events. Do not edit. -->

# Events

Every event type with its fields, the version of their stored shape, and its cause. Events are stored for ever. The page is
generated from the schemas in \`domain/*/*Events.ts\`; the types of the code come from the same schemas.

Each event has an id, a type, metadata and data. The metadata are:

- \`at\`: time, RFC 3339 in UTC.
- \`actor\`: \`type\` and \`id\` of the person or process that caused the event.
- \`correlationId\`: the request, or the delivery of the channel, that the event goes back to.
- \`causationId?\`: the event that led to this event.
- \`workspaceId?\`, \`partnerId?\`: the store and the partner.
- \`operator?\`: the account that ran the command at the command line.
- \`schema?\`: the version of the stored shape; 1 when absent.
- \`traceparent?\`, \`tracestate?\`: place of the command in its trace, where [traces](../operating/traces.md) are enabled.

In the tables, \`?\` marks a field that may be absent, also because it was added later. *time* is an RFC 3339 time. Money is in whole
cents of US dollars.

## Change stored events

- A field may be added as optional under the same version: write it into the schema, then \`npm run events\` records the new
  shape and a sample that has the field.
- Any other change raises the version: \`event('…', { … }, { version: 2, upcast: { 1: (data) => … } })\`. The upcaster makes the data
  of version 1 into those of version 2 and is never changed again; it is pure, and runs wherever the log is read, so that the
  rest of the code knows the newest version alone. Stored events are never rewritten. A move of the history and the protocol endpoint pass them on unchanged.
- \`test/events/shapes.json\` holds each version's shape and \`test/events/samples/\` samples of it. A shape that changed otherwise
  fails the tests and is not recorded.
- A release reads all versions before its own, and refuses an event that a newer release wrote: it reports this and waits, instead of misreading it. Where several instances share a log, end those of the old release first.
`;

/** Returns the whole page. */
export function eventsPage(streams: readonly EventStream[]): string {
  const areas = [...new Set(streams.map(({ area }) => area))];
  const written = new Set<string>();
  const contents = areas.map((area) => `- [${area}](#${area.toLowerCase()})`);
  const sections = areas.flatMap((area) =>
    areaText(
      area,
      streams.filter((stream) => stream.area === area),
      written,
    ),
  );
  return `${[INTRODUCTION, ...contents, '', ...sections].join('\n').trimEnd()}\n`;
}
