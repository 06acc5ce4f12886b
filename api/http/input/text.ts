/** Characters and numbers that requests may not contain, and the names of places in a request. */
import type { FieldProblem } from '../../../domain/decider.js';

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns the reason why a string is not allowed in a request; undefined if it is allowed. */
export function badText(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain the character NUL (U+0000)';
  return LONE_SURROGATE.test(text) ? 'must be well-formed Unicode, without lone surrogates' : undefined;
}

/** Returns the reason why a number is not allowed in a request. */
export const badNumber = (text: string): string =>
  `must not contain the number ${text}: it has more digits than a double can represent`;

/** One step into a value, as in `body.products[3].name`. */
export const step = (location: string, key: string | number): string => {
  if (typeof key === 'number') return `${location}[${key}]`;
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `${location}.${key}` : `${location}[${JSON.stringify(key.slice(0, 100))}]`;
};

/** Further problems are not reported. */
export const MOST_PROBLEMS = 100;

/** Deeper or longer places are not looked into: no declared body is like that, and it is refused for other reasons. */
const LONGEST_LOCATION = 1000;

interface Place {
  readonly value: unknown;
  readonly location: string;
}

const unknownName = (key: string): string | undefined =>
  key === '__proto__' ? 'is not a known property' : badText(key);

/** Returns the problems of a place itself, and of the names in it. */
function problemsAt({ value, location }: Place): FieldProblem[] {
  if (typeof value === 'string') {
    const message = badText(value);
    return message === undefined ? [] : [{ message, location }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const message = unknownName(key);
    return message === undefined ? [] : [{ message, location: step(location, key) }];
  });
}

function placesIn({ value, location }: Place): Place[] {
  if (typeof value !== 'object' || value === null || location.length > LONGEST_LOCATION) return [];
  if (Array.isArray(value)) return value.map((item, index) => ({ value: item, location: step(location, index) }));
  return Object.entries(value).map(([key, member]) => ({ value: member, location: step(location, key) }));
}

/** Every string and name of a body that no store or log can hold, at most 100. Depth costs no stack. */
export function forbiddenText(body: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const open: Place[] = [{ value: body, location: 'body' }];
  for (let next = open.pop(); next !== undefined && problems.length < MOST_PROBLEMS; next = open.pop()) {
    problems.push(...problemsAt(next));
    for (const place of placesIn(next)) open.push(place);
  }
  return problems.slice(0, MOST_PROBLEMS).reverse();
}
