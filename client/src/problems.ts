/** What goes wrong: an answer that is a problem, no answer at all, a delivery that is not to be believed. */
import type { ProblemCode, Schemas } from './generated.js';

export type { ProblemCode } from './generated.js';

/** One thing that is wrong with a request, and where: `body.products[3].name`, `query.limit`, `path.orderId`. */
export type FieldError = Schemas['FieldError'];

/** An answer that is a problem (RFC 9457). `code` is stable: decide by it, never by the words. */
export class SuuqProblem extends Error {
  override readonly name = 'SuuqProblem';
  readonly status: number;
  /** Newer services may answer codes that this client does not list. */
  readonly code: ProblemCode | (string & {});
  /** What happened this time, for people. */
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Quote it when reporting. */
  readonly requestId: string | undefined;
  /** When to ask again, in ms from the answer; undefined when the service does not say. */
  readonly retryAfterMs: number | undefined;
  /** The whole body. */
  readonly problem: Schemas['Problem'];

  constructor(problem: Schemas['Problem'], retryAfterMs?: number) {
    super(`${problem.status} ${problem.code}: ${problem.detail ?? problem.title}`);
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail ?? problem.title;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfterMs = retryAfterMs;
    this.problem = problem;
  }

  /** What is wrong at a place and in what is within it: `at('body.products[3]')` also has `body.products[3].name`. */
  at(place: string): readonly FieldError[] {
    return this.errors.filter(
      ({ location = '' }) =>
        location === place || (location.startsWith(place) && /^[.[]/.test(location.slice(place.length))),
    );
  }
}

/** No answer came, or none that the API gives: whether the request was carried out is not known. `cause` says more. */
export class SuuqConnectionError extends Error {
  override readonly name = 'SuuqConnectionError';
}

/** Whether something thrown is a problem; with `code`, whether it is that one. */
export function isProblem(thrown: unknown, code?: ProblemCode): thrown is SuuqProblem {
  return thrown instanceof SuuqProblem && (code === undefined || thrown.code === code);
}
