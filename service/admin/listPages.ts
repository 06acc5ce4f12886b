/** Long lists: whole for a terminal, page by page for who scrolls, and found by words. */
import { shownValue } from '../../application/history/historyEntries.js';
import { defined } from '../../domain/defined.js';
import { placeOf, type Query, type Scalar, type StoredDocument } from '../../engine/ports/documents.js';
import type { Readable, Reads } from '../../engine/projections/reads.js';
import type { Option } from './declaration.js';
import { refuseInput } from './input.js';
import { text } from './options.js';

const PAGE = 500;
/** Limit of a list for people: longer lists are cut, with a note. A search covers as many rows at a time. */
const MOST = 10_000;
const MOST_OF_PAGE = 1_000;
const LONGEST_WORDS = 200;

export interface Paging {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  readonly after?: string | undefined;
}

const pageOption: Option<number | undefined> = {
  value: 'N',
  about: `Rows per page, at most ${MOST_OF_PAGE}. Default: up to ${MOST}.`,
  check(fields, name) {
    const typed = fields.optionalText(name);
    if (typed === undefined) return undefined;
    if (!/^\d{1,4}$/.test(typed) || Number(typed) < 1 || Number(typed) > MOST_OF_PAGE)
      fields.problem(name, `must be a whole number from 1 to ${MOST_OF_PAGE}`, typed);
    return Number(typed);
  },
};

const search: Option<string | undefined> = {
  value: 'WORDS',
  about: 'Only rows that contain all of these words.',
  check(fields, name) {
    const typed = fields.optionalText(name);
    if (typed !== undefined && typed.length > LONGEST_WORDS)
      fields.problem(name, `must not be longer than ${LONGEST_WORDS} characters`);
    return typed;
  },
};

/** Options of every list that may be long. */
export const paging = {
  search,
  page: pageOption,
  after: text({ value: 'PLACE', about: 'Start of the next page, as printed as `next`.' }),
};

const written = (place: readonly Scalar[]): string => Buffer.from(JSON.stringify(place)).toString('base64url');

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || Number.isFinite(value);

/** Refuses `validation_failed` for a value that no page has returned. */
function placeIn(after: string, length: number): readonly Scalar[] {
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(after, 'base64url').toString());
  } catch {
    place = undefined;
  }
  if (Array.isArray(place) && place.length === length && place.every(isScalar) && typeof place.at(-1) === 'string')
    return place;
  return refuseInput([
    { location: 'after', message: 'must be the `next` value of a page of the same list', value: after },
  ]);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** A bare number is one of a name, an id or a count: each time has the digits of some, down to its thousandths. */
const MAY_BE_OF_A_TIME = /[:-]/;

/** All values in it, without names; what is sealed is not shown, and not found. */
function valuesIn(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [String(value ?? '')];
}

function matching(words: string | undefined): (body: unknown) => boolean {
  const requested = (words ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (requested.length === 0) return () => true;
  const textOf = (values: readonly string[]): string => values.join(' ').toLowerCase();
  return (body) => {
    const values = valuesIn(shownValue(body));
    const all = textOf(values);
    const withoutTimes = textOf(values.filter((value) => !INSTANT.test(value)));
    return requested.every((word) => (MAY_BE_OF_A_TIME.test(word) ? all : withoutTimes).includes(word));
  };
}

/**
 * Bodies of the query in its order: a page of them, or up to 10,000; `next`: where to go on. Where words are looked for, at most
 * 10,000 documents an answer are looked through, so that a page may hold less than it could. `more`: the list was cut.
 */
export async function listAll<B>(
  reads: Reads,
  projection: Readable<B>,
  query: Omit<Query, 'limit' | 'after'>,
  { search: words, page: most = MOST, after }: Paging = {},
): Promise<{ bodies: B[]; more: boolean; next?: string }> {
  const { sort = [] } = query;
  const holds = matching(words);
  const bodies: B[] = [];
  let place = after === undefined ? undefined : placeIn(after, sort.length + 1);
  for (let seen = 0; seen < MOST; ) {
    // One row more than a page shows whether there is another page.
    const limit = Math.min(PAGE, words === undefined ? most - bodies.length + 1 : PAGE);
    const found: StoredDocument<B>[] = await reads.find(projection, { ...query, ...defined({ after: place }), limit });
    for (const row of found) {
      if (holds(row.body)) {
        if (bodies.length === most) return { bodies, more: true, next: written(place!) };
        bodies.push(row.body);
      }
      place = placeOf(sort, row);
    }
    seen += found.length;
    if (found.length < limit) return { bodies, more: false };
  }
  return { bodies, more: true, next: written(place!) };
}
