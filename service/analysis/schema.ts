/** What a query may name: for `suuq query --schema`, and docs/query-schema.md. */
import { refuse } from '../../domain/decider.js';
import { nearest } from '../nearest.js';
import type { Column } from './columns.js';
import { DOCUMENT, ENVELOPE, eventTables, readModelTables, tableNames } from './tables.js';

export interface SchemaTable {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly Pick<Column, 'name' | 'type' | 'about'>[];
}

const own = ({ name, type, about }: Column): SchemaTable['columns'][number] => ({
  name,
  type,
  ...(about !== undefined && { about }),
});

const events: SchemaTable = { name: 'events', about: 'Every event.', columns: ENVELOPE };

const ofEvents: readonly SchemaTable[] = eventTables.map(({ name, about, columns, type }) => ({
  name,
  about: `${type}: ${about}`,
  columns: [...ENVELOPE, ...columns.map(own)],
}));

const ofReadModels: readonly SchemaTable[] = readModelTables.map(({ name, projection, keys, fields }) => ({
  name,
  about: `The read model ${projection.name}.`,
  columns: [...DOCUMENT, ...keys, ...fields.map(own)],
}));

/** All tables, or one. Refuses `unknown_table`. */
export function schemaOf(name?: string): readonly SchemaTable[] {
  const all = [events, ...ofEvents, ...ofReadModels];
  if (name === undefined) return all;
  const found = all.filter((one) => one.name === name.toLowerCase());
  if (found.length > 0) return found;
  const near = nearest(name.toLowerCase(), tableNames);
  const hint = near.length > 0 ? `Was ${near.join(' or ')} meant?` : "'suuq query --schema' names them all.";
  return refuse('unknown_table', `There is no table ${name}. ${hint}`);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function columnsText(columns: SchemaTable['columns']): string {
  const rows = columns.map(({ name, type, about = '' }) => `| \`${name}\` | \`${cell(type)}\` | ${cell(about)} |`);
  return ['| Column | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

const section = (name: string, about: string, columns: SchemaTable['columns']): string =>
  [`### ${name}`, about, ...(columns.length === 0 ? [] : [columnsText(columns)])].join('\n\n');

/** docs/query-schema.md. */
export function schemaPage(): string {
  return `# Tables for questions in SQL

What \`suuq query\` may name ([questions to the history](analysis.md)). \`npm run events\` writes this page from the schemas of events, from the
declarations of read models and from the shapes of the API; \`suuq query --schema TABLE\` shows the same.

Times are UTC, of the type \`TIMESTAMP\`; money is in whole cents of US dollars. A field that an event does not have is null. What is one of
several shapes, or of a form that others decide, is \`JSON\` (\`data->>'$.field'\`); a \`STRUCT\` is read with a point (\`totals.totalCents\`), and a list with
\`unnest(lines)\`. Names may be written in capitals or not.

- [events](#events)
- [Events by their type](#events-by-their-type)
- [Read models](#read-models)

## events

Every event, whatever its type, with its data as JSON.

${columnsText(ENVELOPE)}

## Events by their type

Each table has the columns of \`events\`, and these. A field that is named as one of those has \`data_\` before its name.

${eventTables.map(({ name, type, about, columns }) => section(name, `\`${type}\`. ${about}`, columns)).join('\n\n')}

## Read models

One row a document, as the service has it stored. Keys are what documents are found by; a number that is a time is in ms since 1970. Read models whose
documents are a shape of the API have its fields; \`body\` holds the whole document of any.

${readModelTables.map(({ name, keys, fields }) => section(name, '', [...DOCUMENT, ...keys, ...fields.map(own)]).replace('\n\n\n\n', '\n\n')).join('\n\n')}
`;
}
