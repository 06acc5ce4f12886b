/** Index of the search: small, and loaded with the first search. */
import { problemKinds } from '../api/contract/problems.js';
import { type SearchIndex, wordsOf } from './browser/ranking.js';
import type { Model } from './document.js';
import { CODES } from './errorPages.js';
import type { GuidePage } from './guidePages.js';
import { type Field, fieldsOf } from './schema.js';

interface Entry {
  readonly title: string;
  readonly kind: string;
  readonly path: string;
  readonly about: string;
  /** Texts by the weight of their words. */
  readonly texts: readonly (readonly [weight: number, text: string])[];
}

const MOST_ABOUT = 140;
const short = (text: string): string =>
  text.length <= MOST_ABOUT ? text : `${text.slice(0, MOST_ABOUT - 1).trimEnd()}…`;

const textOf = (fields: readonly Field[]): string =>
  fields
    .map(({ name, description, values, inner }) => `${name} ${description} ${values.join(' ')} ${textOf(inner)}`)
    .join(' ');

function operationEntries({ operations, schemas }: Model): Entry[] {
  return operations.map(
    ({ id, title, method, path, summary, description, tag, parameters, body, answers, problems }) => ({
      title,
      kind: `${method} ${tag}`,
      path: `/docs/api/${id}`,
      about: summary,
      texts: [
        [9, `${id} ${title}`],
        [4, `${path} ${tag} ${summary}`],
        [2, `${description} ${parameters.map((one) => one.name).join(' ')}`],
        [2, body === undefined ? '' : textOf(fieldsOf(body.schema, schemas))],
        [1, answers.map(({ schema }) => (schema === undefined ? '' : textOf(fieldsOf(schema, schemas)))).join(' ')],
        [1, problems.join(' ')],
      ],
    }),
  );
}

const eventEntries = ({ events, schemas }: Model): Entry[] =>
  events.map(({ type, description, schema }) => ({
    title: type,
    kind: 'Event',
    path: `/docs/events/${type}`,
    about: description,
    texts: [
      [9, type],
      [4, `${description} webhook event`],
      [1, textOf(fieldsOf(schema, schemas))],
    ],
  }));

const errorEntries = (): Entry[] =>
  CODES.map((code) => ({
    title: code,
    kind: `Error ${problemKinds[code].status}`,
    path: `/errors/${code}`,
    about: problemKinds[code].means,
    texts: [
      [9, code],
      [3, `${problemKinds[code].means} error ${problemKinds[code].status}`],
      [1, problemKinds[code].todo],
    ],
  }));

const guideEntries = (guides: readonly GuidePage[]): Entry[] =>
  guides.flatMap(({ path, title, description, text }) =>
    text.sections.map(({ heading, text: words, prose }) =>
      heading === undefined
        ? {
            title,
            kind: 'Guide',
            path,
            about: description,
            texts: [
              [10, title],
              [4, description],
              [2, words],
            ] as const,
          }
        : {
            title: heading.text,
            kind: title,
            path: `${path}#${heading.id}`,
            about: short(prose.trim() || description),
            texts: [
              [7, heading.text],
              [2, title],
              [2, words],
            ] as const,
          },
    ),
  );

export function searchIndex(model: Model, guides: readonly GuidePage[]): SearchIndex {
  const entries = [...guideEntries(guides), ...operationEntries(model), ...eventEntries(model), ...errorEntries()];
  const found = new Map<string, Map<number, number>>();
  for (const [at, { texts }] of entries.entries())
    for (const [weight, text] of texts)
      for (const word of new Set(wordsOf(text))) {
        const places = found.get(word) ?? new Map<number, number>();
        places.set(at, Math.max(places.get(at) ?? 0, weight));
        found.set(word, places);
      }
  const words = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, places]) => [word, [...places].flat()] as const);
  return {
    pages: entries.map(({ title, kind, path, about }) => [title, kind, path, short(about)]),
    words: Object.fromEntries(words),
  };
}
