/**
 * Rules of a body that no schema states. Its operation refuses what breaks them. Where a request is refused for something else in its body, they
 * are checked for the fields that are sound, so that one answer has all problems.
 */
import { DomainError, type FieldProblem } from '../../../domain/decider.js';
import type { BodyRule, RuleRequest } from '../../contract/operation.js';
import { MOST_PROBLEMS } from './text.js';
import { invalid } from './validation.js';

type Value = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The places that contain a place: `body` and `body.a[3]` for `body.a[3].b`. */
const around = (place: string): string[] => [...place.matchAll(/[.[]/g)].map(({ index }) => place.slice(0, index));

/** Places of a body that match the schema and may be read. */
class Sound {
  readonly #problems: ReadonlySet<string>;
  readonly #around: ReadonlySet<string>;

  /** `problems`: those of the schema. */
  constructor(problems: readonly FieldProblem[]) {
    const places = problems.flatMap(({ location }) => location ?? []);
    this.#problems = new Set(places);
    this.#around = new Set(places.flatMap(around));
  }

  /** True if the place itself and all that contains it have no problem; what is in the place may. */
  isOpen(place: string): boolean {
    return !this.#problems.has(place) && !around(place).some((one) => this.#problems.has(one));
  }

  has(place: string): boolean {
    return !this.#around.has(place) && this.isOpen(place);
  }
}

type Subject = readonly [value: Value, at: string];

/** Returns the values that a rule is checked for: the body, or the items of its list whose fields are sound. */
function subjects({ each, fields }: BodyRule, body: Value, sound: Sound): Subject[] {
  const items = each === undefined ? undefined : body[each];
  if (each !== undefined && !(Array.isArray(items) && sound.isOpen(`body.${each}`))) return [];
  const all = items === undefined ? [body] : (items as unknown[]);
  return all.flatMap((value, index): Subject[] => {
    const at = each === undefined ? 'body' : `body.${each}[${index}]`;
    return isObject(value) && fields.every((field) => sound.has(`${at}.${field}`)) ? [[value, at]] : [];
  });
}

async function problemsOf(rule: BodyRule, body: Value, request: RuleRequest, sound: Sound): Promise<FieldProblem[]> {
  const checked = subjects(rule, body, sound);
  if ('among' in rule) return [...rule.among(checked.map(([value, at]) => ({ value, at })))];
  const problems: FieldProblem[] = [];
  for (const [value, at] of checked) {
    if (problems.length >= MOST_PROBLEMS) break;
    problems.push(...(await rule.problems(value, request, at)));
  }
  return problems;
}

interface Refused {
  readonly body: unknown;
  readonly request: RuleRequest;
  /** True if the body matches its schema. */
  readonly fits: boolean;
}

/**
 * Returns the error with the problems of the rules added, or `error` itself if it is not about the fields of the body.
 */
export async function withRules(
  error: unknown,
  rules: readonly BodyRule[],
  { body, request, fits }: Refused,
): Promise<unknown> {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed' || !isObject(body)) return error;
  const sound = new Sound(fits ? [] : error.problems);
  const problems = [...error.problems];
  const places = new Set(problems.map(({ location }) => location));
  for (const rule of rules) {
    if (problems.length >= MOST_PROBLEMS) break;
    if (rule.stored && !sound.has('path')) continue;
    const found = await problemsOf(rule, body, request, sound);
    problems.push(...found.filter(({ location = 'body' }) => sound.has(location) && !places.has(location)));
    for (const { location } of found) places.add(location);
  }
  return problems.length === error.problems.length ? error : invalid(problems);
}
