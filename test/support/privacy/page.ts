/** The tables of docs/concepts/privacy.md, written from the marks of the schemas, from what read models make of them, and from `places`. */
import { personalFields, personalKinds, personalMeta } from '../../../domain/personal.js';
import type { EventDefinition, Subject } from '../../../domain/storedEvents.js';
import { projections } from '../../../projections/index.js';
import { eventStreams } from '../../../service/composition/events.js';
import type { Samples } from '../events/samples.js';
import { places } from './places.js';
import { traced } from './tracing.js';

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
const code = (text: string): string => `\`${text}\``;

function whose(subject: Subject | undefined): string {
  switch (subject) {
    case 'stream':
      return "the stream's customer";
    case 'each':
      return 'each value its own person';
    case 'sender':
      return 'the customer whose message brought the file';
    case 'owner':
      return "the store's owner";
    case 'unknown':
    case undefined:
      return 'not known';
    default: {
      const [[of, field]] = Object.entries(subject) as [[string, string]];
      const by = 'by' in subject && subject.by !== undefined ? `, where actor.type is ${subject.by}` : '';
      return of === 'conversation'
        ? `the customer of the conversation in ${code(field)}`
        : `the ${of} in ${code(field)}${by}`;
    }
  }
}

const fieldText = ({ path, kind }: { readonly path: string; readonly kind: string }): string => `${code(path)} ${kind}`;

const eventRow = ([type, { data, subject }]: [string, EventDefinition]): string[] => [
  `[${type}](../reference/events.md#${type.toLowerCase()})`,
  whose(subject),
  personalFields(data).map(fieldText).join(', '),
];

const ofPeople = ([, { data }]: [string, EventDefinition]): boolean => personalFields(data).length > 0;

function events(): string {
  const parts = eventStreams.map(({ stream, events: of }) => {
    const rows = Object.entries(of).filter(ofPeople).map(eventRow);
    return rows.length === 0 ? [] : [`Stream ${code(stream)}:`, '', table(['Event', 'Whose', 'Fields'], rows), ''];
  });
  const without = eventStreams.filter(({ events: of }) => !Object.entries(of).some(ofPeople));
  const names = [...new Set(without.map(({ stream }) => code(stream.split('-', 1)[0]!)))].sort();
  return [...parts.flat(), `No event of these streams holds anything of people: ${names.join(', ')}.`].join('\n');
}

function readModels(samples: Samples): string {
  const all = [...projections]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((projection) => ({ name: projection.name, ...traced(projection, eventStreams, samples) }));
  const rows = all
    .filter((one) => one.places.length > 0)
    .map((one) => [
      code(one.name),
      one.places.map(({ path, kinds }) => `${code(path)} ${kinds.join(' or ')}`).join(', '),
    ]);
  const without = all.filter((one) => one.places.length === 0).map(({ name }) => code(name));
  return [
    table(['Read model', 'Where in its documents'], rows),
    '',
    `These hold nothing of people: ${without.join(', ')}.`,
  ].join('\n');
}

const parts: Readonly<Record<string, (samples: Samples) => string>> = {
  kinds: () =>
    table(
      ['Kind', 'What it is'],
      Object.entries(personalKinds).map(([kind, about]) => [kind, about]),
    ),
  events,
  metadata: () =>
    table(
      ['Metadata', 'Kind', 'Whose'],
      personalMeta.map(({ path, kind, when, whose: of }) => [
        code(path),
        kind,
        when === undefined ? of : `${of}, ${when}`,
      ]),
    ),
  'read models': readModels,
  places: () =>
    table(
      ['Place', 'What', 'Kinds', 'Kept'],
      places.map(({ name, what, kinds, kept }) => [
        code(name),
        what,
        kinds === 'all' ? 'all' : kinds.length === 0 ? 'none' : kinds.join(', '),
        kept,
      ]),
    ),
};

const MADE = /(<!-- made: ([a-z ]+) -->\n)[\s\S]*?(\n<!-- end -->)/g;

/** The page with its tables made anew; the words around them are left as they are. */
export const privacyPage = (text: string, samples: Samples): string =>
  text.replaceAll(MADE, (whole, begin: string, name: string, end: string) => {
    const part = parts[name];
    if (part === undefined)
      throw new Error(`docs/concepts/privacy.md asks for '${name}', which is no table of it: ${whole.slice(0, 60)}`);
    return `${begin}\n${part(samples)}\n${end}`;
  });
