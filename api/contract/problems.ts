/** The one place where an error's code becomes an answer: status, explanation, what to do. */
import { STATUS_CODES } from 'node:http';
import { DomainError, type FieldProblem } from '../../domain/decider.js';
import {
  PayloadTooLarge,
  StorageFull,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../engine/ports/eventStore.js';
import { ViewBeingBuilt } from '../../engine/projections/documentReads.js';
import { access } from './problemKinds/access.js';
import { conflicts } from './problemKinds/conflicts.js';
import type { ProblemKind } from './problemKinds/problemKind.js';
import { requests } from './problemKinds/requests.js';
import { unavailable } from './problemKinds/unavailable.js';

/** The body of every error answer, `application/problem+json`. (Specification 1, 'Errors'.) */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string;
  /** With `conversation_merged`: the conversation to write to. */
  readonly conversationId?: string;
  /** With `command_refused`: the code of the operator's command. */
  readonly reason?: string;
}

/** Every code that the API answers. Codes are stable: add, never rename. */
export const problemKinds = { ...requests, ...access, ...conflicts, ...unavailable } as const satisfies Readonly<
  Record<string, ProblemKind>
>;

export type ProblemCode = keyof typeof problemKinds;

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemKinds, code);

/** Members of a problem that only some codes have. */
type MoreMembers = Pick<Problem, 'conversationId' | 'reason'>;

/** A refusal of the API itself, with header fields such as Allow or Retry-After, or with further members. */
export class Refusal extends DomainError {
  readonly headers: Readonly<Record<string, string>>;
  readonly members: MoreMembers;
  constructor(
    code: ProblemCode,
    detail: string,
    options: { headers?: Record<string, string>; problems?: readonly FieldProblem[]; members?: MoreMembers } = {},
  ) {
    super(code, detail, options.problems ?? []);
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
  }
}

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  /** True for errors that nobody planned for: they are logged, and the caller learns nothing of them. */
  readonly unexpected: boolean;
}

const NO_HEADERS = {};
/** Seconds after which a request that met an unavailable engine may be sent again. */
const RETRY_AFTER = { 'retry-after': '1' };
/** Seconds after which a full disk may have room again: somebody has to make it. */
const RETRY_WHEN_FULL = { 'retry-after': '30' };

/** The same while views are built for the first time, which takes longer. */
export const BUILDING_RETRY_SECONDS = 5;

const beingBuilt = ({ percent }: ViewBeingBuilt): string =>
  `The data of this request is being built from the event log${percent === undefined ? '' : ` (${percent} % done)`}. Send it again after a few seconds, with the same Idempotency-Key if it has one.`;

function known(
  code: ProblemCode,
  detail: string,
  baseUrl: string,
  requestId: string,
  problems: readonly FieldProblem[] = [],
): Problem {
  const { status } = problemKinds[code];
  return {
    type: `${baseUrl}/errors/${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail,
    ...(problems.length === 0 ? {} : { errors: problems }),
    requestId,
  };
}

/** Returns the answer to an error. Unknown errors become `internal_error`, without their message. */
export function problemOf(error: unknown, baseUrl: string, requestId: string): ProblemAnswer {
  const expected = (
    code: ProblemCode,
    detail: string,
    headers: Readonly<Record<string, string>> = NO_HEADERS,
    problems: readonly FieldProblem[] = [],
  ): ProblemAnswer => ({ problem: known(code, detail, baseUrl, requestId, problems), headers, unexpected: false });
  if (error instanceof DomainError && isProblemCode(error.code)) {
    const headers = error instanceof Refusal ? error.headers : error.code === 'unavailable' ? RETRY_AFTER : NO_HEADERS;
    const answer = expected(error.code, error.message, headers, error.problems);
    return error instanceof Refusal ? { ...answer, problem: { ...answer.problem, ...error.members } } : answer;
  }
  if (error instanceof StorageFull)
    return expected(
      'storage_full',
      'The disk of the service is full. Once its operator has freed some space, send the same request again.',
      RETRY_WHEN_FULL,
    );
  if (error instanceof ViewBeingBuilt)
    return expected('unavailable', beingBuilt(error), { 'retry-after': String(BUILDING_RETRY_SECONDS) });
  if (error instanceof StoreUnavailable)
    return expected('unavailable', 'Storage is unavailable. The outcome of the request is unknown.', RETRY_AFTER);
  if (error instanceof WrongExpectedRevision)
    return expected('concurrent_change', problemKinds.concurrent_change.means);
  if (error instanceof PayloadTooLarge) return expected('payload_too_large', 'The change is too large to be stored.');
  const problem = known('internal_error', problemKinds.internal_error.means, baseUrl, requestId);
  return { problem, headers: NO_HEADERS, unexpected: true };
}
