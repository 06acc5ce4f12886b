/** Index of the search: small, and loaded with the first search. */
import MiniSearch from 'minisearch';
import { problemKinds } from '../api/contract/problems.js';
import { type Entry, OPTIONS } from './browser/ranking.js';
import type { Model } from './document.js';
import { CODES } from './errorPages.js';
import type { GuidePage } from './guidePages.js';
import { type Field, fieldsOf } from './schema.js';

const MOST_ABOUT = 140;
const short = (text: string): string =>
  text.length <= MOST_ABOUT ? text : `${text.slice(0, MOST_ABOUT - 1).trimEnd()}…`;

const textOf = (fields: readonly Field[]): string =>
  fields
    .map(({ name, description, values, inner }) => `${name} ${description} ${values.join(' ')} ${textOf(inner)}`)
    .join(' ');

const operationEntries = ({ operations, schemas }: Model): Entry[] =>
  operations.map(({ id, title, method, path, summary, description, tag, parameters, body, answers }) => {
    const answered = answers.flatMap(({ schema }) => (schema === undefined ? [] : fieldsOf(schema, schemas)));
    const sent = body === undefined ? [] : fieldsOf(body.schema, schemas);
    return {
      path: `/docs/api/${id}`,
      title,
      kind: `${method} ${tag}`,
      about: short(summary),
      name: `${id} ${title}`,
      head: `${path} ${tag} ${summary}`,
      text: `${description} ${parameters.map(({ name }) => name).join(' ')} ${textOf([...sent, ...answered])}`,
    };
  });

const eventEntries = ({ events, schemas }: Model): Entry[] =>
  events.map(({ type, description, schema }) => ({
    path: `/docs/events/${type}`,
    title: type,
    kind: 'Event',
    about: short(description),
    name: type,
    head: `${description} webhook event`,
    text: textOf(fieldsOf(schema, schemas)),
  }));

const errorEntries = (): Entry[] =>
  CODES.map((code) => {
    const { status, means, todo } = problemKinds[code];
    return {
      path: `/errors/${code}`,
      title: code,
      kind: `Error ${status}`,
      about: short(means),
      name: code,
      head: `${means} error ${status}`,
      text: todo,
    };
  });

const guideEntries = (guides: readonly GuidePage[]): Entry[] =>
  guides.flatMap(({ path, title, description, text: { sections } }) =>
    sections.map(({ heading, text, prose }) =>
      heading === undefined
        ? { path, title, kind: 'Guide', about: short(description), name: title, head: description, text }
        : {
            path: `${path}#${heading.id}`,
            title: heading.text,
            kind: title,
            about: short(prose.trim() || description),
            name: heading.text,
            head: title,
            text,
          },
    ),
  );

export function searchIndex(model: Model, guides: readonly GuidePage[]): MiniSearch<Entry> {
  const index = new MiniSearch(OPTIONS);
  index.addAll([...guideEntries(guides), ...operationEntries(model), ...eventEntries(model), ...errorEntries()]);
  return index;
}
