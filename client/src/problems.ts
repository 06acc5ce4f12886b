/** Errors: an answer that is a problem, no answer at all, a delivery that is not authentic. */
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
  /** Explanation of this occurrence, for people. */
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Quote it when reporting. */
  readonly requestId: string | undefined;
  /** Delay before a retry, in ms from the answer; undefined if the service does not give one. */
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

  /** Returns the errors at a place and within it: `at('body.products[3]')` includes `body.products[3].name`. */
  at(place: string): readonly FieldError[] {
    return this.errors.filter(
      ({ location = '' }) =>
        location === place || (location.startsWith(place) && /^[.[]/.test(location.slice(place.length))),
    );
  }
}

/** No answer, or none of the API: the outcome of the request is unknown. `cause` has the reason. */
export class SuuqConnectionError extends Error {
  override readonly name = 'SuuqConnectionError';
}

/** Returns true if a thrown value is a problem; with `code`, that problem. */
export function isProblem(thrown: unknown, code?: ProblemCode): thrown is SuuqProblem {
  return thrown instanceof SuuqProblem && (code === undefined || thrown.code === code);
}
